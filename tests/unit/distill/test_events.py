from __future__ import annotations

from memd.distill.distill import distill
from memd.distill.events import commit_subjects
from memd.model import ChangedFile, CommandRun, ErrorSeen, Events, PackageChange, ToolCall
from tests.unit.distill.talk import Talk


def events(talk: Talk) -> Events:
    return distill(talk.transcript()).events


def test_a_command_is_listed_once_with_its_last_outcome(talk: Talk) -> None:
    talk.user("make the tests pass").ran("make test", ok=False, exit_code=2, output="boom").ran(
        "make  test", exit_code=0
    )
    assert events(talk).commands == (CommandRun("make test", True),)


def test_commands_that_only_look_are_left_out(talk: Talk) -> None:
    talk.ran("ls -la && git status").ran("cd api && npm run build")
    assert [run.command for run in events(talk).commands] == ["cd api && npm run build"]


def test_files_come_from_tool_calls_and_from_here_documents_once_each(talk: Talk) -> None:
    talk.edited("/home/ada/harbor/src/app.py").edited("/tmp/scratch/try.py")
    talk.ran("cat > .gitignore <<'EOF'\n*.log\nEOF").ran("sed -i 's/a/b/' src/app.py").ran("cat notes.txt > /dev/null")
    assert events(talk).files_changed == ("/home/ada/harbor/src/app.py", ".gitignore")


def test_a_failed_edit_changes_no_file(talk: Talk) -> None:
    talk.ran("sed -i 's/a/b/' src/app.py", ok=False, exit_code=1, output="sed: no such file")
    assert events(talk).files_changed == ()


def test_a_commit_is_read_from_gits_own_words(talk: Talk) -> None:
    talk.ran('git commit -m "feat: add harbor master"', "[main 3f9c1ab] feat: add harbor master\n 1 file changed\n")
    assert events(talk).commits == ("3f9c1ab feat: add harbor master",)


def test_a_quiet_commit_takes_its_hash_from_the_log_after_it(talk: Talk) -> None:
    talk.ran('git commit -qm "fix: tide table" && git log -1 --oneline', "9ad01fe fix: tide table\n")
    talk.ran('git commit -qm "docs: tides"').ran(
        "git log --oneline -2", "77b0c2d docs: tides\n9ad01fe fix: tide table\n"
    )
    assert events(talk).commits == ("9ad01fe fix: tide table", "77b0c2d docs: tides")


def test_commits_that_are_only_shown_were_not_made_here(talk: Talk) -> None:
    talk.ran("git log --oneline -2", "77b0c2d docs: tides\n9ad01fe fix: tide table\n")
    assert events(talk).commits == ()


def test_a_commit_that_the_person_typed_counts(talk: Talk) -> None:
    talk.shell_line('git commit -qam "berths" && git log -1 --oneline', "e41f0aa berths")
    assert events(talk).commits == ("e41f0aa berths",)


def test_the_subject_of_a_commit_message_in_a_here_document_is_its_first_line() -> None:
    command = "git commit -m \"$(cat <<'EOF'\nchore: tidy\n\nBody text\nEOF\n)\""
    assert commit_subjects(command) == ("chore: tidy",)


def test_an_error_is_fixed_when_the_same_work_passes_later(talk: Talk) -> None:
    talk.ran("pytest tests/test_tide.py", "E       assert 2 == 3", ok=False, exit_code=1)
    talk.edited("/home/ada/harbor/tide.py", text="The table starts at one, so the index is off by one.")
    talk.ran("pytest", "3 passed")
    talk.ran("npm run build", "error TS2304: Cannot find name 'foo'.", ok=False, exit_code=2)
    assert events(talk).errors == (
        ErrorSeen("assert 2 == 3", True, "The table starts at one, so the index is off by one."),
        ErrorSeen("error TS2304: Cannot find name 'foo'.", False, None),
    )


def test_words_that_only_tell_of_the_failure_are_not_what_fixed_it(talk: Talk) -> None:
    talk.user("release it").ran("make deploy ENV=prod", "Error: the hook failed", ok=False)
    talk.reply("The migration job failed.").reply("The index is now built concurrently.").ran("make deploy ENV=prod")

    assert events(talk).errors == (ErrorSeen("Error: the hook failed", True, "The index is now built concurrently."),)


def test_a_call_that_the_person_stopped_is_no_error(talk: Talk) -> None:
    talk.ran("npm test", "The user doesn't want to proceed with this tool use.", ok=False)
    assert events(talk).errors == ()


def test_packages_of_failed_commands_and_of_trials_do_not_count(talk: Talk) -> None:
    talk.ran("npm install leftpad", ok=False, exit_code=1, output="npm ERR! 404")
    talk.ran("cd /tmp/trial && cargo add jwalk").ran("uv add httpx").ran("uv add rich && uv remove httpx")
    assert events(talk).packages == (PackageChange("httpx", "remove"), PackageChange("rich", "add"))


def test_addresses_come_from_prompts_and_fetches_but_not_from_replies_or_assets(talk: Talk) -> None:
    talk.user("see https://docs.harbor.dev/tides and https://cdn.harbor.dev/logo.png").reply(
        "As https://nobody.dev/asked says"
    )
    talk.reply("", ToolCall("w", "WebFetch", "web", '{"url": "https://api.harbor.dev/v2/"}', True))
    talk.ran("curl -s http://localhost:8000/health").ran("curl -s https://status.harbor.dev")
    assert events(talk).urls == (
        "https://docs.harbor.dev/tides",
        "https://api.harbor.dev/v2/",
        "https://status.harbor.dev",
    )


def test_of_many_errors_and_addresses_the_first_and_last_few_are_kept_and_digests_are_no_commits(talk: Talk) -> None:
    for name in (letter * 5 for letter in "abcdefghijklmnopqrstuvwx"):
        talk.ran(f"make {name}", f"ValueError: no berth is called {name}", ok=False, exit_code=1)
    talk.user(" ".join(f"https://docs.harbor.dev/tides/{number}" for number in range(20)))
    talk.ran("sha256sum tide.db", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  tide.db")
    found = events(talk)
    assert [error.text[-5:] for error in found.errors] == [letter * 5 for letter in "abcdefghijopqrstuvwx"]
    assert len(found.urls) == 15
    assert found.commits == ()


def test_nothing_comes_from_prose(talk: Talk) -> None:
    talk.user("I ran `npm install left-pad`, committed abc1234 and edited src/a.py; Error: it broke")
    talk.reply("Then run `git commit -m x`, `pip install y` and edit b.py.")
    assert events(talk) == Events()


def test_what_a_rewind_left_behind_did_not_happen(talk: Talk) -> None:
    talk.reply("", ToolCall("x", "Bash", "shell", '{"command": "npm install left-pad"}', True), abandoned=True)
    assert events(talk) == Events()


def test_inputs_of_any_shape_are_survived(talk: Talk) -> None:
    for text in ("{not json", "[1]", '{"command": 3}', '{"command": ["bash", "-lc", "make test"]}', "make lint"):
        talk.reply("", ToolCall("x", "shell", "shell", text, None))
    assert events(talk).commands == (CommandRun("make test", None), CommandRun("make lint", None))


def test_what_a_command_says_it_made_was_changed_and_what_a_commit_took_in_may_have_lain_there_before(
    talk: Talk,
) -> None:
    talk.ran("sqitch add tides", output="Created deploy/tides.sql\nAdded tides to the plan")
    talk.ran("git commit -m tides", output="[main 1a2b3c4] tides\n 1 file changed\n create mode 100644 docs/tides.md")
    talk.ran("cat log.txt", output="Created deploy/other.sql")
    assert events(talk).files_changed == ("deploy/tides.sql",)


def test_files_that_a_command_copies_to_moves_or_removes_by_name_were_changed(talk: Talk) -> None:
    talk.ran("mkdir -p docs && cp ideas/pier.png docs/pier.png && mv notes.md docs/notes.md")
    talk.ran("rm old.py && rm -rf build && rm package-lock.json && cp -r a b")
    talk.ran("rm gone.py", "rm: cannot remove 'gone.py'", ok=False, exit_code=1)
    assert events(talk).files_changed == ("docs/pier.png", "notes.md", "docs/notes.md", "old.py")


def test_addresses_of_what_was_opened_and_of_pages_fetched_are_kept(talk: Talk) -> None:
    talk.ran("gh pr create --fill", output="https://git.harbor.dev/tides/pull/12\n")
    talk.ran(
        "git push", output="remote: Create a pull request:\nremote:   https://git.harbor.dev/tides/compare/a...b\n"
    )
    talk.ran("make test", output="https://git.harbor.dev/ignored")
    page = ToolCall("c", "fetch", "web", '{"requests":[{"url":"https://docs.harbor.dev/tides"}]}', True)
    talk.reply("", page)
    assert events(talk).urls == (
        "https://git.harbor.dev/tides/pull/12",
        "https://git.harbor.dev/tides/compare/a...b",
        "https://docs.harbor.dev/tides",
    )


def test_asking_for_a_package_that_an_edit_moved_stays_an_upgrade(talk: Talk) -> None:
    edit = ToolCall(
        "c",
        "Edit",
        "edit",
        '{"file_path":"pyproject.toml","old_string":"\\"mcp<2\\"","new_string":"\\"mcp>=2,<3\\""}',
        True,
        changes=(ChangedFile("pyproject.toml", "update"),),
    )
    talk.reply("", edit).ran("uv add mcp")
    assert events(talk).packages == (PackageChange("mcp", "upgrade"),)
