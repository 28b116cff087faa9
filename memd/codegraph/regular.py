"""Regular files: read where they still are such, and never more of one than is wanted."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def regular_file(path: Path, most_bytes: int) -> bytes:
    """Return the content of a file, up to one byte more than is wanted of any; raises OSError.

    Since it was found it may have grown, or become a link, or a pipe that nobody writes to, which is not waited for.
    """
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "is no regular file", str(path))
        return file.read(most_bytes + 1)
