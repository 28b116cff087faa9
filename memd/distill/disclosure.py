"""Disclosure: what a person says of themselves outright, in Chinese or English. Pure.

Only messages that somebody hands in to be looked through are read for it: in a transcript such a sentence is mostly the
text of a program. Each pattern has a template, so that the fact is a sentence of its own; the words are the person's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memd.model import Candidate, FactPart

_SURE: Final = 0.8
_CODE: Final = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|^[ \t]*>.*$", re.DOTALL | re.MULTILINE)
_SENTENCE: Final = re.compile(r"[^。！？!?；;\n]+[。！？!?；;\n]?")
_CLAUSE: Final = re.compile(r"[，,、]\s*")
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_STOP: Final = re.compile(r"(?<=\w)\.(?=\s|$)")
_GREETING: Final = re.compile(r"^(?:hi|hello|hey)\b[\s,]*", re.IGNORECASE)
_AND_I: Final = re.compile(r",?\s+(?:and|but)\s+(?=(?:I|my)\b)", re.IGNORECASE)
_ASIDE: Final = r"(?:其实|真的|也|还|一直|特别|非常|很|最|比较|都|就|现在|目前|平时)*"


@dataclass(frozen=True, slots=True)
class _Pattern:
    """One way of saying one thing. `slot`: of what somebody has one at a time."""

    about: str
    says: re.Pattern[str]
    told: str
    slot: bool = False


def _zh(about: str, says: str, told: str, *, slot: bool = False) -> _Pattern:
    return _Pattern(about, re.compile(says), told, slot)


def _en(about: str, says: str, told: str, *, slot: bool = False) -> _Pattern:
    return _Pattern(about, re.compile(says, re.IGNORECASE), told, slot)


# In their order: of a clause the first that matches counts, so that who dislikes a thing is not also said to like it.
_CHINESE: Final = (
    _zh("remember", r"^(?:请|请你|你要|帮我)?记住(?:了)?[，,：:]?\s*(.{2,})$", "{0}"),
    _zh("name", r"^(?:我叫|我的名字(?:叫|是)|我名叫|叫我)([^\s的]{1,20})$", "用户的名字是{0}", slot=True),
    _zh("allergy", r"^(?:我)?" + _ASIDE + r"对(.{1,20}?)" + _ASIDE + r"过敏$", "用户对{0}过敏"),
    _zh("dislike", r"^(?:我)?" + _ASIDE + r"(?:不喜欢|不爱|讨厌|不想要)(.{1,40})$", "用户不喜欢{0}"),
    _zh("like", r"^(?:我)?" + _ASIDE + r"(?:喜欢|爱(?=[吃喝看听玩用写读])|偏爱)(.{1,40})$", "用户喜欢{0}"),
    _zh("work", r"^(?:我)?" + _ASIDE + r"在(.{1,30}?)(?:工作|上班|任职)$", "用户在{0}工作", slot=True),
    _zh("home", r"^(?:我)?" + _ASIDE + r"(?:住在|家在|家住|定居在)(.{1,30})$", "用户住在{0}", slot=True),
    _zh("birthday", r"^(?:我的?)?生日(?:是|在)(.{2,20})$", "用户的生日是{0}", slot=True),
    _zh("age", r"^(?:我)?(?:今年)?([0-9一二三四五六七八九十]{1,4})岁(?:了)?$", "用户{0}岁", slot=True),
    _zh("email", r"^(?:我的?)?(?:邮箱|电子邮箱|电子邮件|邮件地址|email)(?:地址)?(?:是|：|:)\s*(\S+@\S+)$",
        "用户的邮箱是{0}", slot=True),
    _zh("phone", r"^(?:我的?)?(?:电话|手机)(?:号码?)?(?:是|：|:)\s*([+0-9][0-9 -]{4,19})$",
        "用户的电话是{0}", slot=True),
    _zh("job", r"^(?:我是(?:一?[名个位])|我的(?:职业|工作)是|职业是)(.{1,20})$", "用户的职业是{0}", slot=True),
    _zh("task", r"^(?:我)?(?:正在|最近在|目前在|在)(?=[做写学改修]|开发|准备|研究|重构|重写|迁移|测试)(.{2,40})$",
        "用户正在{0}"),
)  # fmt: skip
_THING: Final = r"([^,]{2,80})(?:,.*)?$"
_ENGLISH: Final = (
    _en("remember", r"^(?:please\s+)?remember(?:\s+that|:|,)\s+(.{3,})$", "{0}"),
    _en("name", r"^my name(?:'s| is)\s+([\w .'-]{1,40}?)(?:,.*)?$", "The user's name is {0}", slot=True),
    _en("dislike", r"^I\s+(?:really\s+)?(?:do\s?n[o']t\s+like|do not like|dislike|hate|can't stand)\s+" + _THING,
        "The user dislikes {0}"),
    _en("like", r"^I\s+(?:really\s+|also\s+)?(?:like|love|enjoy)\s+(?!(?:how|that|it|this|what)\b)" + _THING,
        "The user likes {0}"),
    _en("home", r"^I\s+(?:now\s+)?live\s+in\s+" + _THING, "The user lives in {0}", slot=True),
    _en("work", r"^I\s+(?:now\s+)?work\s+((?:at|for|in|as)\s+[^,]{2,60})(?:,.*)?$", "The user works {0}", slot=True),
)  # fmt: skip
# After a comma the subject goes without saying once the person has named themselves in the sentence.
_SUBJECT: Final = re.compile(r"^我(?!们)")


def disclosed(text: str, at: int | None = None) -> Iterator[Candidate]:
    """Give what a person says of themselves in a message; it holds in every project. Questions tell nothing."""
    seen: set[str] = set()
    for sentence in _sentences(text):
        for pattern, words, quote in _said(sentence):
            told = pattern.told.format(words)
            if told in seen:
                continue
            seen.add(told)
            slot = f"person:{pattern.about}" if pattern.slot else None
            yield Candidate(
                "preference", told, told, (FactPart("what", quote),) if quote != told else (), (), _SURE, at,
                everywhere=pattern.about != "remember", slot=slot,
            )  # fmt: skip


def only_discloses(text: str) -> bool:
    """Return whether every sentence of a text tells of the speaker, and none of them is to be remembered as it is."""
    return all(
        found and all(pattern.about != "remember" for pattern, _, _ in found)
        for found in ([*_said(sentence)] for sentence in _sentences(text))
    )


def _sentences(text: str) -> Iterator[str]:
    for sentence in _SENTENCE.findall(_STOP.sub("\n", _CODE.sub("\n", text))):
        if sentence.rstrip()[-1:] not in {"?", "？"}:
            yield sentence.strip(" \t\r\n。！!；;")


def _said(sentence: str) -> Iterator[tuple[_Pattern, str, str]]:
    """Give the patterns that a sentence's clauses match, with what they say and the clause."""
    if not _HAN.search(sentence):
        for clause in _AND_I.split(_GREETING.sub("", sentence)):
            yield from _first(_ENGLISH, clause.strip())
        return
    kept = next(_first(_CHINESE[:1], sentence), None)
    if kept is not None:  # what is to be remembered is the whole of it
        yield kept
        return
    speaks = False
    for clause in filter(None, map(str.strip, _CLAUSE.split(sentence))):
        speaks = speaks or bool(_SUBJECT.match(clause))
        if speaks:
            yield from _first(_CHINESE, clause)


def _first(patterns: tuple[_Pattern, ...], clause: str) -> Iterator[tuple[_Pattern, str, str]]:
    for pattern in patterns:
        found = pattern.says.match(clause)
        if found:
            yield pattern, found[1].strip(), clause
            return
