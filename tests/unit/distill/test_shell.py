from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.distill.shell import Purpose, git_verb, is_work, purpose, signature, simple_commands


def programs(command: str) -> list[str]:
    return [part.program for part in simple_commands(command)]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cd web && npm test", ["cd", "npm"]),
        ("make build; make test | tail -5", ["make", "make"]),
        ("CI=1 sudo npm run build 2>&1", ["npm"]),
        ("timeout 30 pytest -q || true", ["pytest", "true"]),
        ('git commit -m "a && b; c | d"', ["git"]),
        ("cat > a.py <<'EOF'\nimport os; os.system('x')\nEOF\npython a.py", ["cat", "python"]),
        ("", []),
        ("./scripts/run.sh --fast", ["run.sh"]),
    ],
)
def test_a_command_line_is_split_into_the_programs_it_ran(command: str, expected: list[str]) -> None:
    assert programs(command) == expected


def test_the_folder_a_cd_led_to_is_known_to_what_follows() -> None:
    _, init = simple_commands("cd /tmp/trial && cargo add serde")
    assert init.scratch
    assert not simple_commands("cargo add serde")[0].scratch


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("pytest -q", "test"),
        ("python -m pytest tests", "test"),
        ("npm run test:unit", "test"),
        ("cargo nextest run", "test"),
        ("make test T=api", "test"),
        ("./gradlew assembleDebug", "build"),
        ("poetry run mypy src", "lint"),
        ("docker build .", "build"),
        ("npm ci", "install"),
        ("terraform apply", "deploy"),
        ("python manage.py migrate", "migrate"),
        ("npm run dev", "run"),
        ("./target/release/scan --json", None),
        ("git commit -m test", None),
        ("docker compose -f compose.test.yml exec -T redis redis-cli", None),
        ("curl -i https://api.tides.test/v1/ports", None),
    ],
)
def test_a_commands_purpose_is_told_from_its_first_words(command: str, expected: Purpose | None) -> None:
    assert purpose(simple_commands(command)[0]) == expected


@pytest.mark.parametrize(
    "command", ["ls -la", "git status --short", "cat a | grep b", "rg foo", "python -c 'print(1)'", "node --help"]
)
def test_commands_that_only_look_are_no_work(command: str) -> None:
    assert not any(is_work(part) for part in simple_commands(command))


@pytest.mark.parametrize("command", ["git push", "npm test", "python manage.py check", "./deploy.sh", "cargo build"])
def test_commands_that_do_something_are_work(command: str) -> None:
    assert any(is_work(part) for part in simple_commands(command))


def test_the_git_verb_is_found_behind_its_options() -> None:
    assert git_verb(simple_commands("git -C /srv/app -c core.pager=cat commit -m x")[0]) == "commit"


def test_runs_with_other_arguments_have_the_same_signature() -> None:
    one, other = simple_commands("uv run alembic upgrade head; alembic upgrade -1")
    assert signature(one) == signature(other)


@given(st.text(max_size=300))
def test_no_text_breaks_the_reading_of_a_command_line(text: str) -> None:
    for part in simple_commands(text):
        assert part.words
        purpose(part)
        is_work(part)
