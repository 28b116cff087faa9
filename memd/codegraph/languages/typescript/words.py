"""Words: what extraction and rules call things between them."""

from __future__ import annotations

from typing import Final

EXPORTED: Final = "export="
"""The name of what a module is as a whole, in CommonJS: `module.exports = x`."""
CONSTRUCTS: Final = "new"
"""The member of a type that can be constructed."""
KIND: Final = "module"
"""The entry of `FileFacts.extra` that says what kind of module a file is: `esm`, `cjs`; a script has none."""
WRAPPERS: Final = frozenset(
    "Partial Required Readonly Pick Omit NonNullable Exclude Extract NoInfer ReadonlyDeep DeepReadonly Mutable"
    " ThisType".split()
)
"""Type expressions that mean (members of) what they are given first."""
