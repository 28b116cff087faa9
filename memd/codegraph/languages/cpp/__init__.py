"""C++."""

from __future__ import annotations

from typing import Final

from memd.codegraph.language import Language
from memd.codegraph.languages.cpp.rules import CppRules

LANGUAGE: Final = Language(
    name="cpp",
    family="c",
    grammar="cpp",
    extensions=(".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".inl", ".tpp", ".cu", ".cuh"),
    extractor="memd.codegraph.languages.cpp.extract",
    rules=CppRules,
)
