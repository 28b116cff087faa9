"""A machine whose programs answer as a test has told them to."""

from __future__ import annotations

from dataclasses import dataclass, field

from memd_service.environment import Completed


@dataclass
class ScriptedMachine:
    """Stands for systemctl, launchctl and loginctl: answers by the first words that match."""

    answers: dict[tuple[str, ...], Completed] = field(default_factory=dict)
    calls: list[tuple[str, ...]] = field(default_factory=list)

    def __call__(self, argv: tuple[str, ...]) -> Completed:
        self.calls.append(argv)
        for length in range(len(argv), 0, -1):
            if argv[:length] in self.answers:
                return self.answers[argv[:length]]
        return Completed(0, "")

    def answer(self, *words: str, status: int = 0, output: str = "") -> None:
        self.answers[words] = Completed(status, output)
