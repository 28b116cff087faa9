"""Packages: files that installed packages carry, found without importing them."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from pathlib import Path


def file_of(package: str, path: str) -> Path:
    """Return where a package has a file; the path of a package that is not there leads nowhere."""
    spec = importlib.util.find_spec(package)
    folders = spec.submodule_search_locations if spec is not None else None
    return Path(next(iter(folders or ()), "")) / path


def first_missing(packages: Iterable[str], files: Iterable[tuple[str, str]]) -> str | None:
    """Return why packages cannot be used, None when all they are needed for is there. Nothing is imported."""
    for package in packages:
        if importlib.util.find_spec(package) is None:
            return f"the package {package} is not installed"
    absent = [path for path in (file_of(*one) for one in files) if not path.is_file()]
    return f"{absent[0]} is not there" if absent else None
