"""The listener: the daemon's unix socket, bound so that only its owner reaches it."""

from __future__ import annotations

import os
import socket
import struct
import sys
from pathlib import Path

from memd.errors import PathError
from memd.paths import check_socket_path, make_private

# A caller with a deadline is turned away at once when this many wait to be let in.
_BACKLOG = 1024
# macOS, sys/un.h, and struct xucred of sys/ucred.h:
# u_int cr_version, uid_t cr_uid, short cr_ngroups, gid_t cr_groups[16].
_SOL_LOCAL = 0
_LOCAL_PEERCRED = 0x001
_XUCRED = "@IIh16I"


def bind(path: Path) -> socket.socket:
    """Bind and listen at `path`, in a 0700 folder; a socket file left by a dead daemon is replaced.

    The caller holds the daemon's lock, so a file in the way belongs to nobody. Raises PathError when the path is too
    long, in a folder of somebody else, or taken by something that is no socket.
    """
    check_socket_path(path)
    make_private(path.parent)
    owner = path.parent.stat(follow_symlinks=False).st_uid
    if owner != os.getuid():
        raise PathError(f"The folder {path.parent} belongs to user {owner}; remove it or set MEMD_DATA_DIR.")
    if path.is_symlink() or path.exists():
        if not path.is_socket():
            raise PathError(f"{path} is in the way of the socket and is none; move it away.")
        path.unlink()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        before = os.umask(0o177)
        try:
            listener.bind(str(path))
        finally:
            os.umask(before)
        listener.listen(_BACKLOG)
        listener.setblocking(False)
    except OSError as error:
        listener.close()
        raise PathError(f"The socket {path} cannot be made: {error.strerror or error}.") from error
    return listener


def peer_uid(connection: socket.socket, platform: str = sys.platform) -> int | None:
    """Return the user id at the other end, or None where the system does not tell."""
    if platform == "linux":
        raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        return int(struct.unpack("3i", raw)[1])
    if platform == "darwin":
        raw = connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, struct.calcsize(_XUCRED))
        return int(struct.unpack(_XUCRED, raw)[1])
    return None
