from __future__ import annotations

import pytest

from memd.distill.failures import telling_line


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("=== FAILURES ===\n    def test_x():\n>       assert f() == 3\nE       assert 2 == 3\n", "assert 2 == 3"),
        (
            "Compiling a v1\nthread 'main' panicked at src/a.rs:3:5:\nindex out of bounds: the len is 0\n",
            "index out of bounds: the len is 0",
        ),
        ("src/a.ts(4,2): error TS2304: Cannot find name 'foo'.", "error TS2304: Cannot find name 'foo'."),
        ("\x1b[31mValueError: bad port 'x'\x1b[0m", "ValueError: bad port 'x'"),
        ("sh: 1: vitest: not found", "sh: 1: vitest: not found"),
        ("make: *** [all] Error 2\nfatal: not a git repository", "fatal: not a git repository"),
        ("nothing telling here\nlast line", "last line"),
        ("", None),
        ("The user doesn't want to proceed with this tool use.", None),
    ],
)
def test_the_telling_line_of_an_output_is_found(output: str, expected: str | None) -> None:
    assert telling_line(output) == expected
