"""Configuration: read once into a frozen value and handed down.

`config.toml` in the configuration folder; each key may be overridden by `MEMD_<SECTION>_<KEY>` in the environment,
which is never written back. A missing key has its default, an unknown one is warned about, a bad value is named and
falls back to the default.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, get_type_hints

import msgspec

from memd.errors import ConfigError


@dataclass(frozen=True, slots=True)
class CaptureConfig:
    """What is watched and when a session counts as over."""

    hosts_off: tuple[str, ...] = field(default=(), metadata={"help": "hosts that are not watched"})
    extra_roots: tuple[str, ...] = field(default=(), metadata={"help": "more folders to watch, as host=/absolute/path"})
    exclude: tuple[str, ...] = field(
        default=(), metadata={"help": "projects that are never read, as path patterns (~/secret/**)"}
    )
    idle_minutes: int = field(default=15, metadata={"help": "a session without news for so long has ended"})
    turns: int = field(
        default=0, metadata={"help": "distill a session that goes on when it pauses after so many prompts; 0: never"}
    )
    pause_s: int = field(default=20, metadata={"help": "seconds without news that are a pause"})
    most_turns: int = field(default=8, metadata={"help": "prompts after which no pause is waited for"})
    rescan_s: int = field(default=45, metadata={"help": "how often folders are looked through besides watching"})


@dataclass(frozen=True, slots=True)
class InjectConfig:
    """What sessions are given."""

    wakeup_tokens: int = field(default=800, metadata={"help": "most tokens a session is given at its start"})
    prompt_tokens: int = field(default=400, metadata={"help": "most tokens a prompt is given"})
    prompt_facts: int = field(default=4, metadata={"help": "most facts a prompt is given"})
    prompt_ms: int = field(default=180, metadata={"help": "milliseconds that looking for a prompt's facts may take"})
    later_prompts: bool = field(default=True, metadata={"help": "give later prompts facts, too, not only the first"})
    recovery_tokens: int = field(default=400, metadata={"help": "most tokens a session is given after a compaction"})
    sections: tuple[str, ...] = field(
        default=(), metadata={"help": "the wakeup's sections in order with their percentages (decisions=30)"}
    )
    compaction_note: bool = field(
        default=True, metadata={"help": "before a compaction ask, where the host takes it, to keep what matters"}
    )
    receipts: bool = field(default=False, metadata={"help": "tell the user in one line what was injected"})


@dataclass(frozen=True, slots=True)
class FactsConfig:
    """What facts may be given. Looked at anew with each fact that is kept; what is known stays as it is."""

    domains: tuple[str, ...] = field(default=(), metadata={"help": "areas of work that a fact may be of; empty: any"})


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """What is looked through."""

    messages: bool = field(
        default=True, metadata={"help": "look through messages as well; off: only through facts, messages are kept"}
    )
    imagine_ms: int = field(
        default=0,
        metadata={"help": "milliseconds a search may wait for [model] to imagine an answer to look for; 0: not asked"},
    )
    meaning_percent: int = field(
        default=100,
        metadata={"help": "what meaning counts beside words, in percent of what was measured as best; 0: words alone"},
    )
    tier: Literal["", "minilm", "multilingual"] = field(
        default="",
        metadata={"help": "a second embedding on this machine: minilm (English, code) or multilingual; empty: none"},
    )


@dataclass(frozen=True, slots=True)
class HooksConfig:
    """Each hook can be switched off; it then does nothing and answers nothing."""

    session_start: bool = field(default=True, metadata={"help": "give a session its wakeup"})
    user_prompt_submit: bool = field(default=True, metadata={"help": "give a prompt the facts it needs"})
    pre_compact: bool = field(default=True, metadata={"help": "keep what is there before a compaction"})
    post_compact: bool = field(default=True, metadata={"help": "note that a compaction took place"})
    stop: bool = field(default=True, metadata={"help": "read the transcript at the end of a turn"})
    subagent_stop: bool = field(default=True, metadata={"help": "read a subagent's transcript when it is done"})
    session_end: bool = field(default=True, metadata={"help": "distill a session as soon as it ends"})


@dataclass(frozen=True, slots=True)
class StoreConfig:
    """Backups of the database."""

    backup_hours: int = field(default=24, metadata={"help": "hours between backups"})
    backups_recent: int = field(default=3, metadata={"help": "newest backups that are kept"})
    backups_weekly: int = field(default=3, metadata={"help": "weeks of which one backup is kept"})


@dataclass(frozen=True, slots=True)
class LogConfig:
    """The daemon's log file."""

    level: Literal["debug", "info", "warning", "error"] = field(
        default="info", metadata={"help": "debug, info, warning or error"}
    )
    megabytes: int = field(default=5, metadata={"help": "size at which the log file is rotated"})
    files: int = field(default=3, metadata={"help": "rotated log files that are kept"})


@dataclass(frozen=True, slots=True)
class TraceConfig:
    """What was asked of memd and how it went, without the words of it."""

    days: int = field(default=7, metadata={"help": "days for which it is kept how questions went; 0: not at all"})
    error_days: int = field(default=30, metadata={"help": "the same for questions that were refused"})


@dataclass(frozen=True, slots=True)
class WorkersConfig:
    """Worker processes that parse and distill."""

    processes: int = field(default=2, metadata={"help": "most worker processes at a time"})
    megabytes: int = field(default=1024, metadata={"help": "address space a worker may use"})
    idle_s: int = field(default=30, metadata={"help": "seconds after which an idle worker exits"})


@dataclass(frozen=True, slots=True)
class CodeConfig:
    """The graph of the code that sessions work on."""

    index: bool = field(
        default=True, metadata={"help": "keep it up to date for projects in which sessions are going on"}
    )


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """A model that may be asked what of a session is worth keeping. None by default; nothing is sent anywhere then."""

    api: Literal["", "openai", "anthropic"] = field(
        default="", metadata={"help": "openai (also for Ollama and LM Studio) or anthropic; empty: no model is asked"}
    )
    url: str = field(default="", metadata={"help": "its address, as http://localhost:11434/v1; empty: the maker's own"})
    name: str = field(default="", metadata={"help": "the model's name"})
    key_env: str = field(default="", metadata={"help": "environment variable that holds the key"})
    key_file: str = field(default="", metadata={"help": "file that holds the key"})
    daily_tokens: int = field(default=200_000, metadata={"help": "most tokens it may take in a day"})
    timeout_s: int = field(default=60, metadata={"help": "seconds after which an answer is not waited for"})
    extra_body: str = field(default="", metadata={"help": "JSON object laid over each request"})
    prompt_file: str = field(default="", metadata={"help": "instructions of your own for it, instead of memd's"})


@dataclass(frozen=True, slots=True)
class EmbedConfig:
    """An embedding that is asked over HTTP. None by default; nothing is sent anywhere then."""

    api: Literal["", "openai", "voyage", "gemini"] = field(
        default="",
        metadata={"help": "openai (also for Ollama and LM Studio), voyage or gemini; empty: none is asked"},
    )
    url: str = field(default="", metadata={"help": "its address, as http://localhost:11434/v1; empty: the maker's own"})
    name: str = field(default="", metadata={"help": "the embedding model's name"})
    key_env: str = field(default="", metadata={"help": "environment variable that holds the key"})
    key_file: str = field(default="", metadata={"help": "file that holds the key"})
    dimensions: int = field(default=0, metadata={"help": "numbers a vector is to have; 0: as many as the model gives"})
    timeout_s: int = field(default=30, metadata={"help": "seconds after which vectors are not waited for"})


@dataclass(frozen=True, slots=True)
class McpConfig:
    """What agents reach memd through."""

    profile: Literal["recall", "record", "full", "thoth", "memvault", "agent_knowledge", "rawthink"] = field(
        default="record",
        metadata={"help": "tools of an agent that names no profile: recall, record, full, or another memory's"},
    )
    idle_s: int = field(default=600, metadata={"help": "seconds without a question after which its process exits"})


@dataclass(frozen=True, slots=True)
class Config:
    """All settings. `warnings` says in one sentence each what was wrong with the file or the environment."""

    data_dir: str = field(default="", metadata={"help": "where memd keeps its data; empty: the system's own place"})
    capture: CaptureConfig = field(default_factory=CaptureConfig)
    inject: InjectConfig = field(default_factory=InjectConfig)
    facts: FactsConfig = field(default_factory=FactsConfig)
    search: SearchConfig = field(default_factory=SearchConfig)
    hooks: HooksConfig = field(default_factory=HooksConfig)
    store: StoreConfig = field(default_factory=StoreConfig)
    log: LogConfig = field(default_factory=LogConfig)
    trace: TraceConfig = field(default_factory=TraceConfig)
    workers: WorkersConfig = field(default_factory=WorkersConfig)
    code: CodeConfig = field(default_factory=CodeConfig)
    model: ModelConfig = field(default_factory=ModelConfig)
    embed: EmbedConfig = field(default_factory=EmbedConfig)
    mcp: McpConfig = field(default_factory=McpConfig)
    warnings: tuple[str, ...] = ()


# A path or a text in brackets; a pattern that begins with a set of letters has neither there.
_BARE_LIST = re.compile(r"\[\s*([/~\"'].*?),?\s*\]", re.DOTALL)
_MINIMUM: Mapping[str, int] = {
    "capture.idle_minutes": 1,
    "capture.turns": 0,
    "capture.pause_s": 1,
    "capture.most_turns": 1,
    "capture.rescan_s": 5,
    "inject.wakeup_tokens": 0,
    "inject.prompt_tokens": 0,
    "inject.prompt_facts": 0,
    "inject.prompt_ms": 1,
    "inject.recovery_tokens": 0,
    "store.backup_hours": 1,
    "store.backups_recent": 1,
    "store.backups_weekly": 0,
    "log.megabytes": 1,
    "log.files": 1,
    "trace.days": 0,
    "trace.error_days": 0,
    "workers.processes": 1,
    "workers.megabytes": 256,
    "workers.idle_s": 1,
    "model.daily_tokens": 0,
    "model.timeout_s": 1,
    "embed.dimensions": 0,
    "embed.timeout_s": 1,
    "mcp.idle_s": 1,
}


def load(path: Path, env: Mapping[str, str]) -> Config:
    """Return the configuration in `path` (defaults where there is no file) with the environment laid over it.

    Raises ConfigError when the file is no TOML or cannot be read; anything less is a warning and a default.
    """
    document: dict[str, Any] = {}
    try:
        document = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        pass
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(path, f"cannot be read ({error})") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(path, f"is not valid TOML ({error})") from error
    warnings: list[str] = []
    config = Config()
    for section in _sections(config):
        given = document.pop(section.name, {})
        if not isinstance(given, dict):
            warnings.append(f"{path}: [{section.name}] must be a table; its defaults are used.")
            given = {}
        filled = _section(section.name, getattr(config, section.name), given, env, f"{path}: ", warnings)
        config = replace(config, **{section.name: filled})
    top = _section("", config, document, env, f"{path}: ", warnings)
    result: Config = replace(top, warnings=tuple(warnings))
    return result


def template() -> str:
    """Return a documented configuration file in which every key stands with its default, commented out."""
    config = Config()
    lines = [
        "# memd's configuration. Every key is shown with its default; take away the # to change one.",
        "# The environment wins: MEMD_INJECT_WAKEUP_TOKENS=0 stands for wakeup_tokens = 0 below [inject]; there the",
        "# entries of a list are parted by commas.",
        "",
        *_documented(config),
    ]
    for section in _sections(config):
        value = getattr(config, section.name)
        lines += ["", f"[{section.name}]", *_documented(value)]
    return "\n".join(lines) + "\n"


def entries(config: Config) -> dict[str, object]:
    """Return every setting by its dotted name."""
    found: dict[str, object] = {"data_dir": config.data_dir}
    for section in _sections(config):
        value = getattr(config, section.name)
        found |= {f"{section.name}.{key.name}": getattr(value, key.name) for key in fields(value)}
    return found


def _sections(config: Config) -> list[Any]:
    return [entry for entry in fields(config) if entry.name not in {"data_dir", "warnings"}]


def _section(
    name: str, value: Any, given: dict[str, Any], env: Mapping[str, str], where: str, warnings: list[str]
) -> Any:
    hints = get_type_hints(type(value))
    known = {entry.name for entry in fields(value) if "help" in entry.metadata}
    prefix = f"{name}." if name else ""
    changes: dict[str, Any] = {}
    unknown = sorted(given.keys() - known)
    warnings.extend(f"{where}there is no setting {prefix}{key}; it is ignored." for key in unknown)
    for key in sorted(known):
        dotted = prefix + key
        variable = "MEMD_" + dotted.replace(".", "_").upper()
        if variable in env and variable != "MEMD_DATA_DIR":
            text = env[variable]
            raw: Any = _listed(text) if isinstance(getattr(value, key), tuple) else text
            _take(changes, key, dotted, raw, hints[key], f"{variable}: ", warnings, strict=False)
        elif key in given:
            _take(changes, key, dotted, given[key], hints[key], where, warnings, strict=True)
    return replace(value, **changes)


def _listed(text: str) -> tuple[object, ...]:
    """Return the entries of a list in the environment: parted by commas, or as the file would have it.

    A shell takes quotes off, so that they may be missing in the latter.
    """
    if text.lstrip().startswith("["):
        with suppress(tomllib.TOMLDecodeError):
            return tuple(tomllib.loads(f"list = {text}")["list"])
    bare = _BARE_LIST.fullmatch(text.strip())
    entries = (entry.strip().strip("\"'") for entry in (bare[1] if bare else text).split(","))
    return tuple(filter(None, entries))


def _take(
    changes: dict[str, Any],
    key: str,
    dotted: str,
    raw: Any,
    hint: Any,
    where: str,
    warnings: list[str],
    *,
    strict: bool,
) -> None:
    try:
        converted = msgspec.convert(raw, hint, strict=strict)
    except msgspec.ValidationError as error:
        warnings.append(f"{where}{dotted} has a bad value ({error}); its default is used.")
        return
    least = _MINIMUM.get(dotted)
    if least is not None and converted < least:
        warnings.append(f"{where}{dotted} must be at least {least}, not {converted}; its default is used.")
        return
    changes[key] = converted


def _documented(value: Any) -> list[str]:
    lines = []
    for entry in fields(value):
        if "help" in entry.metadata:
            text = msgspec.json.encode(getattr(value, entry.name)).decode()  # TOML agrees with JSON on these types
            lines.append(f"# {entry.name} = {text}  # {entry.metadata['help']}")
    return lines
