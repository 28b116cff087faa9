"""No reference of these languages has grounds."""

# mypy: disable-error-code="explicit-override"
# (typing.override is of Python 3.12)
from __future__ import annotations

from memd.codegraph.rules import Rules


class FallbackRules(Rules):
    """Rules that find nothing."""

    def find_module(self, importer: str, module: str) -> tuple[str, ...]:
        """Nothing: how modules are found is not known."""
        return ()
