"""Transcripts that the adapters are held to: those recorded for this project, and others where they lie beside it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from memd.adapter import Adapter, Source
from memd_adapters import ADAPTERS

ROOT = Path(__file__).parents[3]
FIXTURES = ROOT / "tests" / "fixtures"
BESIDE = ROOT.parent / "shared" / "transcripts"


@dataclass(frozen=True)
class Sample:
    """A file that an adapter recognises."""

    adapter: Adapter
    folder: Path
    path: Path

    @property
    def name(self) -> str:
        """Where it lies, in short."""
        return str(self.path.relative_to(self.folder.parent))

    def source(self, path: Path | None = None) -> Source:
        """Return the source that the sample, or a copy of it, is."""
        path = path or self.path
        with self.path.open("rb") as file:
            source = self.adapter.recognise(path, file.read(65536))
        assert source is not None
        return source

    def copy(self, home: Path, *, empty: bool = False) -> Path:
        """Copy the sample, with what lies beside it in small files, below another home."""
        target = home / self.path.relative_to(self.folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        folder = self.path.parent
        for store in self.path.parents:
            if store.name.endswith("storage") and store.is_relative_to(self.folder):  # a row is a file there
                shutil.copytree(store, home / store.relative_to(self.folder), dirs_exist_ok=True)
            for name in (
                ".workspace-trusted",
                "worker.log",
                ".project_root",
            ):  # they tell the folder of all transcripts below them
                if (store / name).is_file():
                    copied = home / (store / name).relative_to(self.folder)
                    copied.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(store / name, copied)
        for beside in {
            path for pattern in (f"{self.path.stem}.*", "*.json", "*input.history") for path in folder.glob(pattern)
        }:
            if beside.is_file() and beside != self.path:
                shutil.copyfile(beside, target.parent / beside.name)
        target.write_bytes(b"" if empty else self.path.read_bytes())
        return target


def samples() -> list[Sample]:
    """Return all samples of all adapters."""
    found = []
    for name, adapter in ADAPTERS.items():
        for folder in (FIXTURES / name, BESIDE / name.replace("_", "-")):
            for path in sorted(folder.rglob("*")):
                if path.is_file() and path.suffix in {".jsonl", ".json", ".md"}:
                    with path.open("rb") as file:
                        if adapter.recognise(path, file.read(65536)):
                            found.append(Sample(adapter, folder, path))
    return found
