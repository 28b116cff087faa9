"""Secrets of every family, told in every place where a host or a person says something, are in no file of memd's."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.integration.daemon.daemon_under_test import Home, running, settled, wait_until
from tests.integration.daemon.talk import Talk
from tests.integration.daemon.test_at_rest import FIRST
from tests.unit.text.secret_corpus import ALNUM, HEX, UPPER, URLSAFE, Maker

PLACES = ("prompt", "reply", "thinking", "input", "output", "title", "query", "fact", "note", "handoff", "kept prompt")


def families(seed: int) -> dict[str, tuple[str, str]]:
    """By family: how a secret is written, and the part of it that must not be left."""
    maker = Maker(seed)
    some = maker.some
    word, key = some(ALNUM, 14), some(ALNUM, 40)
    long = maker.base64(60)
    block = maker.pem("RSA PRIVATE KEY", 4)
    found = {
        "openai": "sk" + "-" + some(ALNUM, 48), "github": "gh" + "p_" + some(ALNUM, 36),
        "github oauth": "gh" + "o_" + some(ALNUM, 36), "gitlab": "gl" + "pat-" + some(URLSAFE, 20),
        "slack": "xox" + "b-" + some("123456789", 12) + "-" + some(ALNUM, 24),
        "google": "AI" + "za" + some(URLSAFE, 35),
        "aws": "AK" + "IA" + some(UPPER, 16), "jwt": maker.jwt(), "stripe": "sk" + "_live_" + some(ALNUM, 24),
        "base64": long,
    }  # fmt: skip
    told = {name: (secret, secret) for name, secret in found.items()}
    told["assignment"] = (f"api_key={key}", key)
    told["bearer"] = (f"Authorization: Bearer {word}{key}", key)
    told["url"] = (f"https://ada:{word}@git.host.io/x.git", word)
    told["env"] = (f"DB_PASSWORD={some(HEX, 8)}{word}", word)
    told["private key"] = (block, block.splitlines()[2])
    told["e-mail"] = (f"ada.{word}" + "@" + "engines.io", f"ada.{word}")
    return told


def test_no_secret_of_any_family_is_in_any_file(home: Home, project: Path) -> None:
    secrets = {place: families(number) for number, place in enumerate(PLACES)}
    said = {
        place: "\n".join(f"The {name} is {text} here." for name, (text, _) in secrets[place].items())
        for place in PLACES
    }
    talk = Talk(home.transcript(FIRST), project)
    talk.user(said["prompt"] + "\nand remember the lighthouse")
    talk.model(
        f"Let's use this from now on, because the old one has expired:\n{said['reply']}", thinking=said["thinking"]
    )
    talk.tool("Bash", {"command": said["input"]}, said["output"])
    talk.note("ai-title", aiTitle=said["title"].replace("\n", " "))
    with running(home) as daemon:
        wait_until(lambda: bool(home.call("search", query="lighthouse")["hits"]), "the prompt")
        home.hook("SessionEnd", FIRST, project, reason="other")
        wait_until(lambda: settled(home), "the distilled session")
        home.call("search", query=said["query"])
        home.call("facts.remember", text=f"The lamp is lit at dusk.\n{said['fact']}", project=str(project))
        home.call("facts.note", text=f"Ask the pilot.\n{said['note']}", project=str(project))
        home.call("handoff.leave", text=said["handoff"], project=str(project))
        home.call("prompts.save", text=said["kept prompt"], project=str(project))
        home.call("jobs.run", job="traces")
        wait_until(lambda: bool(home.query("SELECT 1 FROM traces WHERE op = 'search'")), "the trace of the question")
        home.call("backup.now")
        export = [sys.executable, "-m", "memd", "export", "--out", str(home.folder / "memd-export")]
        assert subprocess.run(export, env=home.env, capture_output=True, timeout=150, check=False).returncode == 0
        daemon.kill9()

    files = [path for path in home.folder.rglob("*") if path.is_file() and ".claude" not in path.parts]
    kept = b"\n".join(path.read_bytes() for path in files).lower()
    assert b"lighthouse" in kept
    left = [
        (place, name) for place in PLACES for name, (_, bare) in secrets[place].items() if bare.lower().encode() in kept
    ]
    assert left == []
