"""Graph: the facts of a tree's files -> everything that they refer to. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from memd.codegraph.edges import Resolution, resolve
from memd.codegraph.facts import FileFacts
from memd.codegraph.project import MemoryProject, Project
from memd.codegraph.registry import LANGUAGES, RULES
from memd.codegraph.resolver import Resolver


def resolve_all(files: Iterable[FileFacts], configs: Mapping[str, bytes] | None = None) -> Iterator[Resolution]:
    """Yield what each file's references resolve to, in the order of their paths."""
    project = MemoryProject(files, configs)
    yield from resolve_some(project, project.paths)


def resolve_some(project: Project, paths: Iterable[str]) -> Iterator[Resolution]:
    """Yield what the references of some files of a project resolve to."""
    resolvers: dict[str, Resolver] = {}
    for path in paths:
        facts = project.facts(path)
        if facts is None:
            continue
        family = LANGUAGES[facts.language].family
        if family not in resolvers:
            resolvers[family] = Resolver(project, RULES[family](project))
        yield resolve(resolvers[family], facts)
