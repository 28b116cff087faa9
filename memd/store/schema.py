"""The schema snapshot: `python -m memd.store.schema` writes it anew after a migration was added."""

from __future__ import annotations

import sys
import tempfile
from contextlib import closing
from pathlib import Path

from memd.store.connection import connect_reader
from memd.store.migrate import migrate, schema


def main() -> int:
    """Write schema.sql beside this module from a database made by all migrations."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memd.db"
        migrate(path, Path(folder), 0)
        with closing(connect_reader(path)) as conn:
            text = schema(conn)
    Path(__file__).with_name("schema.sql").write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
