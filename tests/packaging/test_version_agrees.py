"""One version, said in three places."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import memd


def test_pyproject_and_package_and_changelog_tell_the_same_version(checkout: Path) -> None:
    project = tomllib.loads((checkout / "pyproject.toml").read_text("utf-8"))["project"]
    changelog = (checkout / "CHANGELOG.md").read_text("utf-8")
    released = re.findall(r"^## \[?(\d+\.\d+\.\d+[^\]\s]*)", changelog, re.MULTILINE)

    assert memd.__version__ == project["version"]
    assert released, "CHANGELOG.md has no heading with a version"
    assert released[0] == project["version"]
