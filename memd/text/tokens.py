"""Search terms: what of a text goes into the full-text index, and how it is asked for.

The index is SQLite's FTS5 with the tokenizer `unicode61 remove_diacritics 2`, which splits at everything that is not a
letter or digit. It cannot see words in scripts written without blanks, nor inside CamelCase, so `prepare` writes both
out, and `match_query` asks the same way.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memd.text.folding import bare, beyond_ascii, fold
from memd.text.stopwords import STOP_WORDS, cut_cjk_stops, cut_korean_ending
from memd.text.words import CJK_RUN, camel_names, join_initials, pairs, split_identifier

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TOKENS_VERSION: Final[int] = 1
"""Changes whenever `prepare` answers differently, so that the store knows to index again."""

_MOST_GROUPS: Final = 24
_LONGEST_QUERY: Final = 16_000  # of a longer one (a pasted log) the beginning and the end are read
_LONGEST_PHRASE: Final = 12

_WORD: Final = re.compile(r"[^\W_]+")
_QUOTED: Final = re.compile(r'["“„]([^"“”„]{1,400})["”]')
_CHUNK: Final = re.compile(r"[\w.\-/\\:#@+~$'’]+")
_LINE_NUMBER: Final = re.compile(r"(?::\d+){1,2}:?$")
_CONTRACTION: Final = re.compile(r"['’](?:s|t|re|ve|ll|d|m)$", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\d+|0x[0-9a-f]+|[0-9a-f]{12,}", re.IGNORECASE)
_KATAKANA: Final = re.compile("[\u30a1-\u30ff]+")
_HIRAGANA: Final = re.compile("[\u3041-\u309f]+")
_HANGUL: Final = re.compile("[\uac00-\ud7a3]+")


def prepare(text: str) -> str:
    """Return what to put into the full-text index for `text`.

    Runs of Chinese, Japanese and Korean become overlapping pairs ("数据库" is indexed as "数据 据库 库"; the last
    character stands alone so that any single one is found as a prefix), and the parts of CamelCase names are added at
    the end, once each ("useAuthToken" adds "use Auth Token"). SQLite can bind the result whatever `text` holds.
    `TOKENS_VERSION` names its form.
    """
    text = fold(text)
    if not text.isascii() and CJK_RUN.search(beyond_ascii(text)):
        text = CJK_RUN.sub(lambda run: f" {' '.join(pairs(run.group()))} ", text)
    lines = [line for name in camel_names(text) for line in _spelled_apart(name)]
    return "\n".join([text, *lines]) if lines else text


def terms(text: str) -> tuple[str, ...]:
    """Return the distinct searchable terms of `text` in order of appearance, to compare texts by.

    Lower-cased, without diacritics and English stop words; CamelCase names give themselves and their parts, CJK runs
    their pairs.
    """
    words = dict.fromkeys(_WORD.findall(bare(prepare(text))))
    return tuple(word for word in words if word not in STOP_WORDS)


def how_many(asked: frozenset[str], text: str) -> int:
    """Return how many of some terms, as `terms` gives them, a text has."""
    return len(asked.intersection(_WORD.findall(bare(prepare(text)))))


def estimate_tokens(text: str) -> int:
    """Return about how many model tokens `text` is, for budgets; never 0 for a text.

    Four ASCII characters a token and one token a CJK character, the rule of thumb of the model vendors' documentation.
    UTF-8 spends 1 byte on the first and 3 on the second, so (3 x bytes - characters) / 8 says both, and lies between
    for other scripts and emoji.
    """
    if text.isascii():
        return (len(text) + 3) // 4
    size = len(text.encode("utf-8", "surrogatepass"))
    return (3 * size - len(text) + 7) // 8


def match_query(query: str) -> str:
    """Return the FTS5 MATCH expression that looks for `query` in text indexed by `prepare`; "" when it says nothing.

    Never a syntax error, whatever a person or a model typed. Text in double quotes, names and paths become phrases, CJK
    runs pairs; everything else is OR-ed and left to bm25, where up to three terms count again when all are there. Stop
    words are dropped while other terms remain. Of a long query the 24 most telling terms are kept.
    """
    return expression_of(asked_for(query))


def expression_of(asked: Sequence[Group]) -> str:
    """Return the FTS5 MATCH expression that looks for things that are asked for; as `match_query`."""
    expressions = [group.expression for group in asked]
    if 2 <= len(expressions) <= 3:
        return f"({' AND '.join(expressions)}) OR {' OR '.join(expressions)}"
    return " OR ".join(expressions)


def asked_for(query: str) -> tuple[Group, ...]:
    """Return what a query asks for, in its order: what `match_query` puts into one expression, thing by thing."""
    if len(query) > _LONGEST_QUERY:
        query = query[: _LONGEST_QUERY // 2] + " " + query[-_LONGEST_QUERY // 2 :]
    groups = {group.expression: group for group in _groups(fold(query))}
    telling = [group for group in groups.values() if not group.weak] or list(groups.values())
    if len(telling) > _MOST_GROUPS:
        kept = {group.expression for group in sorted(telling, key=lambda group: -group.weight)[:_MOST_GROUPS]}
        telling = [group for group in telling if group.expression in kept]
    return tuple(telling)


@dataclass(frozen=True, slots=True)
class Group:
    """One thing asked for, in one or several spellings: FTS5 phrases."""

    alternatives: tuple[str, ...]
    weight: float
    weak: bool = False

    @property
    def expression(self) -> str:
        """What finds it in any of its spellings."""
        if len(self.alternatives) == 1:
            return self.alternatives[0]
        return f"({' OR '.join(self.alternatives)})"


def _groups(query: str) -> Iterator[Group]:
    for quoted in _QUOTED.finditer(query):
        phrase = _exact(quoted.group(1))
        if phrase:
            yield Group((phrase,), weight=100)
    for chunk in dict.fromkeys(_CHUNK.findall(_QUOTED.sub(" ", query))):
        start = 0
        for run in CJK_RUN.finditer(chunk):
            yield from _latin_groups(chunk[start : run.start()])
            yield from _cjk_groups(run.group())
            start = run.end()
        yield from _latin_groups(chunk[start:])


def _spelled_apart(name: str) -> list[str]:
    """Return a CamelCase name as separate words; in two ways where it has single letters: o auth token, oauth token."""
    parts = split_identifier(name)
    return list(dict.fromkeys([" ".join(parts), " ".join(join_initials(parts))]))


def _exact(quoted: str) -> str:
    """Return the phrase for a text as the user quoted it, "" when it has no letter or digit.

    A CJK run inside ends where it ends in the text, so its last character stands alone there too; that of the last run
    may go on in the text.
    """
    words: list[str] = []
    ends_with_run = False
    for piece in re.split(f"({CJK_RUN.pattern})", quoted):
        if CJK_RUN.fullmatch(piece):
            words += pairs(piece)
            ends_with_run = len(piece) > 1
        elif found := _WORD.findall(piece):
            words += found
            ends_with_run = False
    return _phrase(words[:-1] if ends_with_run else words)


def _latin_groups(chunk: str) -> Iterator[Group]:
    chunk = _LINE_NUMBER.sub("", _CONTRACTION.sub("", chunk.strip(".-/\\:#@+~$'’")))
    if not chunk:
        return
    words = _WORD.findall(chunk)
    if len(words) == 1:
        yield _word_group(words[0])
    elif any(len(word) > 1 for word in words):
        yield _name_group(chunk, words)


def _word_group(word: str) -> Group:
    names = camel_names(word)
    if names:
        apart = [f'"{line}"' for line in _spelled_apart(names[0])]
        return Group((_phrase([word]), *apart), weight=10 + min(len(word), 20) / 4)
    weight = min(len(word), 12) / 2 + (not word.islower())
    if _NUMBER.fullmatch(word):
        weight = 1
    elif not word.isalpha():
        weight += 4
    return Group((_phrase([word]),), weight, weak=word.lower() in STOP_WORDS)


def _name_group(chunk: str, words: list[str]) -> Group:
    """A name, path, version or hyphenated word: all of it in a row, or what names it alone."""
    alternatives = [_phrase(words[-_LONGEST_PHRASE:])]
    if "/" in chunk or "\\" in chunk:
        last = _WORD.findall(re.split(r"[/\\]", chunk)[-1])
        alternatives.append(_phrase(last))
    elif set(re.sub(r"\w", "", chunk)) <= set("-'’"):
        alternatives += [_phrase([word]) for word in words if len(word) > 2 and word.lower() not in STOP_WORDS]
    return Group(tuple(dict.fromkeys(alternatives)), weight=10 + min(len(chunk), 40) / 4)


def _cjk_groups(run: str) -> Iterator[Group]:
    pieces = cut_cjk_stops(run)
    if not pieces:
        yield _cjk_group(run, weak=True)
    for piece in pieces:
        if _HIRAGANA.fullmatch(piece):
            yield _cjk_group(piece, weak=piece != run)
        else:
            for word in filter(None, _HIRAGANA.split(piece)):
                yield _cjk_group(word, weak=len(word) == 1 and word != run)


def _cjk_group(word: str, *, weak: bool) -> Group:
    if _HANGUL.fullmatch(word):
        word = cut_korean_ending(word)
    if len(word) == 1:
        return Group((f"{_phrase([word])}*",), weight=2, weak=weak)
    in_a_row = pairs(word)[:-1]
    alternatives = [_phrase(in_a_row[:_LONGEST_PHRASE])]
    if len(word) > (3 if _HANGUL.fullmatch(word) else 2) and not _KATAKANA.fullmatch(word):
        alternatives += [_phrase([pair]) for pair in in_a_row[:8]]
    return Group(tuple(dict.fromkeys(alternatives)), weight=5 + min(len(word), 8) / 4, weak=weak)


def _phrase(words: list[str]) -> str:
    """Return the words as one FTS5 string; they are letters and digits, so nothing in them needs escaping."""
    return f'"{" ".join(words)}"' if words else ""
