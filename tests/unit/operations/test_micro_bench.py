"""What single operations cost is measured for each of them and compared with figures of another day."""

from __future__ import annotations

from tests.bench.bench_micro import measure, table


async def test_every_operation_has_a_median_and_a_share_of_the_processor() -> None:
    found = await measure(40)

    assert list(found) == ["seed", "search cold", "search warm", "add", "list", "consolidate"]
    assert all(one["median_ms"] > 0 and one["cpu_ms"] >= 0 for one in found.values())
    lines = table({"40": found}, {"40": {"list": {"median_ms": 10 * found["list"]["median_ms"]}}})
    assert len(lines) == 2 + len(found)
    assert [line for line in lines if line.endswith("| 10.0 x |")] == [lines[6]]
