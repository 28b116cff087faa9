from __future__ import annotations

import pytest

from memd.distill.codelike import is_codelike
from memd.distill.own import own_sentences

CODE = (
    "import argparse",
    "from tides.store import Store, Level",
    'parser = argparse.ArgumentParser(description="Read the tides.")',
    "def main():",
    "async def level(pier: int) -> float:",
    "const level = await gauge.read()",
    "export default function Pier({ tides }) {",
    "return 0",
    'print("level", level)',
    "sys.exit(main())",
    '#!/usr/bin/env bash\nset -euo pipefail\nexec python3 tools/tides.py "$@"',
    "#include <stdio.h>",
    "} catch (error) {",
    "if (level > limit) {",
    '<Gauge pier={4} unit="m" />',
    'levels = [float(one) for one in line.split(";") if one]; total = sum(levels)',
)
PROSE = (
    "Return to the old gauge when the new one fails.",
    "Import the tides before you start the server.",
    "If the tide is high: close the lock.",
    "let me see the gauge first",
    "for each berth: one line in `berths.csv`",
    "`level()` is called twice (once at import), then `close()`.",
    "The limit is 4 m (was 3 m), see [the chart](https://tides.example/chart?pier=4).",
    "Set `TIDE_LIMIT=4` in `.env`.",
    "- `src/gauge.py` → reads the serial line",
    "Class A berths are let by the day",
    "水位保存在 `tides.db`（不是 CSV）。",
)


@pytest.mark.parametrize("text", CODE)
def test_a_line_of_code_without_a_fence_is_known(text: str) -> None:
    assert is_codelike(text)


@pytest.mark.parametrize("text", PROSE)
def test_prose_that_names_code_is_none(text: str) -> None:
    assert not is_codelike(text)


def test_code_without_a_fence_is_nobodys_sentence() -> None:
    text = (
        "Create tools/tides.py:\n\nimport sys\n\ndef main():\n    print(sys.argv[1])\n\nIt reads the tides of one pier."
    )
    said = [one.text for one in own_sentences(text, "assistant")]
    assert said[-1] == "It reads the tides of one pier."
    assert not any("sys" in one for one in said)
