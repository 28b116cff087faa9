from __future__ import annotations

import pytest

from memd.distill.slots import slot_of


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("use `cargo nextest run`, not cargo test", "command:test"),
        ("tests are pnpm test:unit here", "command:test"),
        ("build it with `make build`", "command:build"),
        ("这个项目只用 pnpm，不要用 npm", "choice:javascript packages"),
        ("use uv, never pip", "choice:python packages"),
        ("never push to main", None),
        ("the tests are slow", None),
    ],
)
def test_a_rule_settles_the_slot_that_its_command_or_manager_names(text: str, slot: str | None) -> None:
    assert slot_of(text) == slot
