"""`python -m memd`: the command line, for services that name an interpreter and no script."""

from __future__ import annotations

import sys

from memd.doors.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
