"""Macros: what stands in C and C++ where the grammar expects none, blanked out before it reads a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from memd.codegraph.languages.c.lines import any_matches, lines_with, with_lines_before, without_behind, without_first

# What only a C++ compiler sees opens a brace in one conditional and closes it in another.
_ONLY_CPP: Final = re.compile(
    rb"^[ \t]*#[ \t]*if(?:def[ \t]+|[ \t]+defined[ \t(]*)__cplusplus\)?(?:.*\n){1,6}?[ \t]*#[ \t]*endif", re.MULTILINE
)
_LINKAGE: Final = re.compile(rb'^[ \t]*(?:extern[ \t]+"C(?:\+\+)?"[ \t]*\{|\})[^\n]*$', re.MULTILINE)
# A macro before the words of a declaration (`API_EXPORT int f(void)`, `class API_EXPORT X {`) is no word of C.
_RECORD_WORD: Final = re.compile(rb"\b(?:class|struct|union)[ \t]+(?=[A-Z][A-Z0-9_]{2})")
_BEFORE_TYPE: Final = re.compile(
    rb"((?:[A-Z][A-Z0-9_]{2,}(?:[ \t]*\((?:[^()\";{}]|\"[^\"\n]{0,400}\"){0,400}\))?[ \t\n]+){1,3})"
    rb"(?=[A-Za-z_]\w*[ \t\n]*(?:final\b[ \t\n]*)?[:{\n])"
)
_BEFORE_DECLARATION: Final = re.compile(
    rb"^[ \t]*(?:(?:static|extern|inline|virtual|typedef|friend|constexpr)[ \t]+)*"
    rb"([A-Z][A-Z0-9_]{3,}(?:[ \t]*\([^()\n]*\))?)"
    rb"(?=[ \t\n]+"
    rb"(?:(?:const|unsigned|signed|struct|enum|static|inline|virtual|explicit|constexpr|friend|typename)\s+)*"
    rb"[A-Za-z_][\w:]*(?:<(?:[^<>;{}()]|<[^<>;{}()]*>)*>(?:::\w+)*)?[\s*&]+(?:const\s+)?"
    rb"(?:[A-Za-z_~][\w:]*\s*[(;=\[,]|\([A-Za-z_]\w*\)\s*\())",
    re.MULTILINE,
)
# Nor is one before a constructor or destructor that is defined outside of its class (`LAMP_INLINE Lamp::Lamp(int n)`).
_BEFORE_CONSTRUCTOR: Final = re.compile(
    rb"^[ \t]*([A-Z][A-Z0-9_]{3,})(?=[ \t\n]+(?:\w+::)*(\w+)(?:<[^<>;{}()]*>)?::~?\2[ \t]*\()", re.MULTILINE
)
# Or between the type and the name of a function (`int LAMP_CALL lit(void)`).
_BEFORE_FUNCTION: Final = re.compile(
    rb"^[ \t]*(?:(?:static|extern|inline|virtual|const|constexpr|unsigned|signed|struct)[ \t]+)*"
    rb"(?!(?:static|extern|inline|virtual|const|constexpr|return|else|new|delete|case|goto|throw|typedef|using|class|enum"
    rb"|union|friend|explicit)\b)[a-z_][\w:]*(?:<[^<>;{}()\n]*>)?[ \t*&]+([A-Z][A-Z0-9_]{3,})"
    rb"(?=[ \t]+(?:[A-Za-z_]\w*::)*~?[A-Za-z_]\w*[ \t]*\()",
    re.MULTILINE,
)
# So is one after the parameters (`int f(const char *, ...) PRINTF_LIKE(1, 2);`).
_AFTER_PARAMETERS: Final = re.compile(
    rb"^(?![ \t]*(?:if|for|while|switch|else|return|do|case)\b)[ \t]*[~\w][^\n;{}#]*\)[ \t\n]*"
    rb"(?:(?:const|noexcept|override|final|volatile)\b[ \t\n]*)*"
    rb"([A-Z][A-Z0-9_]{3,}(?:[ \t]*\([^()\n]*\))?)(?=[ \t\n]*(?:[;{]|:(?!:)))",
    re.MULTILINE,
)
# And one after a name (`int count GUARDED_BY(mutex);`).
_AFTER_NAME: Final = re.compile(
    rb"^[ \t]*(?!(?:return|else|throw|case|delete|new|goto|using|typedef|operator|co_return|co_yield)\b)"
    rb"[A-Za-z_][\w:<>,*& \t]{0,200}[\w>*&][ \t*&]{1,40}[A-Za-z_]\w*(?:\[[^\]\n]*\])?[ \t\n]+"
    rb"([A-Z][A-Z0-9_]{3,}[ \t]*\([^()\n]*\))(?=[ \t\n]*[;={])",
    re.MULTILINE,
)
# Nor is one that stands as a whole between declarations (`FLAG(int, limit, 1 << 8, "what it is");`).
_BETWEEN: Final = re.compile(
    rb"(?<=[;}\n/]\n)([A-Z][A-Z0-9_]{3,}\((?:[^()\n;\"]|\"[^\"\n]{0,400}\"|\n(?![\n#])){1,400}\)[ \t]*;)"
)
# One that stands alone on the rest of its line, or before a block (`Q_OBJECT`, `LAMP_TRY {`), is no statement.
_ALONE: Final = re.compile(
    rb"(?:[;{}]|^[ \t]*#[^\n]*(?<!\\)\n|\b(?:public|private|protected)[ \t]*:)\s*(?://[^\n]*\n\s*)*"
    rb"([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?=[ \t]*(?:\n|\{))",
    re.MULTILINE,
)
_LONE: Final = re.compile(rb"[A-Z][A-Z0-9]*_[A-Z0-9_]+[ \t]*[\n{]")
_CALLED: Final = re.compile(rb"[A-Z][A-Z0-9_]{3,}[ \t]*\(")
_ANCHOR: Final = re.compile(rb"[;{}]|^[ \t]*#|\b(?:public|private|protected)\b", re.MULTILINE)
# Nor is one that is called on a line of its own without a semicolon, between declarations, members or enumerators.
_CALLED_ALONE: Final = re.compile(
    rb"(?:[;{}]|^[ \t]*#[^\n]*(?<!\\)\n|\b(?:public|private|protected)[ \t]*:)\s*(?://[^\n]*\n\s*)*"
    rb"([A-Z][A-Z0-9_]{3,}[ \t]*\((?:[^()\n;{}]|\([^()\n;{}]*\)){0,200}\))"
    rb"(?=[ \t]*(?://[^\n]*)?\n\s*(?://[^\n]*\n\s*|/\*[^*]*\*/\s*)*"
    # But where a function without a type follows, it is the macro that gives the type: `API(int)\nlit(int n);`.
    rb"(?!\w+[ \t\n]*\([ \t]*(?:void|(?:const|struct|enum|unsigned)\b[^();]{0,400}|\w+[ \t*]+\w[^();]{0,400})\)"
    rb"[ \t]*;)[\w}#~])",
    re.MULTILINE,
)
# One with nothing but numbers (`void printflike(1, 2) log(const char *, ...);`) says something of the function whatever
# its name; so does one after the parameters of what stands at the beginning of a line.
_NUMBERED: Final = re.compile(
    rb"(?:(?<=\*)|(?<=[\w*][ \t\n]))[ \t\n]*([A-Za-z_]\w*[ \t]*\([ \t]*\d+(?:[ \t]*,[ \t]*\d+)*[ \t]*\))"
    rb"(?=[ \t\n]+\**[A-Za-z_]\w*[ \t]*\()"
)
_NUMBERED_AFTER: Final = re.compile(
    rb"^[A-Za-z_][^\n;{}#]*\)[ \t\n]*([A-Za-z_]\w*[ \t]*\([ \t]*\d+(?:[ \t]*,[ \t]*\d+)*[ \t]*\))(?=[ \t\n]*;)",
    re.MULTILINE,
)
# The compiler's own words, or what stands for them, before a type (`__dead void fatal(void);`).
_UNDERSCORED: Final = re.compile(
    rb"^[ \t]*(?:(?:static|extern|inline)[ \t]+)*(__\w+)"
    rb"(?=[ \t\n]+(?:void|char|short|int|long|float|double|signed|unsigned|struct|union|enum|const|static|extern"
    rb"|inline)\b)",
    re.MULTILINE,
)
# A word too many before the name of a function, in any letters (`static lamp_inline int lit(`, `int lamp_call lit(`).
_TOO_MANY: Final = re.compile(
    rb"^(?:(?:static|extern|const)[ \t]+)*([A-Za-z_]\w*)(?:[ \t]+|[ \t]*\*+[ \t]*)([A-Za-z_]\w*)[ \t\n*]+"
    rb"[A-Za-z_]\w*[ \t]*\((?=[^;{}()]*(?:\([^;{}()]*\)[^;{}()]*){0,20}\)\s*[;{])",
    re.MULTILINE,
)
_TYPE_WORDS: Final = frozenset(b"void char short int long float double signed unsigned bool size_t".split())
_NO_MACROS: Final = frozenset(
    b"struct union enum class typedef return else goto case static extern const volatile register restrict inline"
    b" virtual explicit constexpr consteval friend typename template operator new delete using namespace public private"
    b" protected mutable auto throw define if while for switch do co_return co_await co_yield requires concept".split()
)
_NAMED_REST: Final = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+\w+\([^()\n.]*?(\w+)(?=\.\.\.\))", re.MULTILINE)
"""What is left of a macro's arguments, under a name (`#define log(level, args...)`)."""
# Macros that a file itself defines as nothing, or as words that say something of a declaration.
_DEFINED: Final = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w+)(?:[ \t]+([^\n]*?))?[ \t]*(?://[^\n]*)?$", re.MULTILINE
)
_DEFINE: Final = re.compile(rb"#[ \t]*define")
_COMMENT: Final = re.compile(rb"/\*.*?\*/|//.*")
_SPECIFIERS: Final = re.compile(
    rb"(?:(?:constexpr|consteval|inline|static|extern|explicit|virtual|noexcept|register|__forceinline|__inline(?:__)?"
    rb"|__extension__|\[\[[^\]]*\]\]|__attribute__[ \t]*\(\(.*\)\)|__declspec[ \t]*\([^()]*\)"
    rb"|_Pragma[ \t]*\(.*\))[ \t]*)*"
)
_RECORD: Final = re.compile(rb"\b(?:class|struct)[ \t]+(?:[A-Z][A-Z0-9_]{3,}[ \t]+)?(\w+)")
_BEFORE_NAME: Final = re.compile(
    rb"^[ \t]*(?:explicit[ \t]+)?([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?=[ \t\n]+(\w+)\()", re.MULTILINE
)
# What a macro stands for is not read; over several lines the grammar may take its end for code.
_BODY: Final = re.compile(rb"^[ \t]*#[ \t]*define\b[^\n]*\\\n(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
# Whose a member is does not matter, and a conditional may choose between two of these words.
_ACCESS: Final = re.compile(
    rb"^[ \t]*(?:(?:public|private|protected)(?:[ \t]+\w+)?|signals|Q_SIGNALS)[ \t]*:(?!:)", re.MULTILINE
)
_ACCESS_WORDS: Final = (b"public", b"private", b"protected", b"signals", b"Q_SIGNALS")
# Attributes say nothing that counts, and before the name of a specialised class the grammar knows none.
_ATTRIBUTE: Final = re.compile(rb"\[\[[ \t]*[\w:, \t]+(?:\([^()\[\]\n]*\))?[\w:, \t]*\]\]")
_IF: Final = re.compile(rb"if(?:[ \t]+constexpr)?")
_LONGEST_ROW: Final = 8
_BYTE: Final = re.compile(rb"[^\r\n]")
# Most files have none of these, and looking for them takes longer than to see that.
_MAY_BE_ALONE: Final = re.compile(rb"^[ \t]*(?:\}[ \t]*)?[A-Z][A-Z0-9]*_[A-Z0-9_]+[ \t]*[\n{]", re.MULTILINE)
_MAY_BE_CALLED_ALONE: Final = re.compile(
    rb"^[ \t]*[A-Z][A-Z0-9_]{3,}[ \t]*\([^;{}\n]*\)[ \t]*(?://[^\n]*)?\n\s*[\w}#~/]", re.MULTILINE
)
_CAPITALS: Final = re.compile(rb"[A-Z][A-Z0-9_]{2,}")
_TWO_UNDERSCORES: Final = re.compile(rb"__")
_NUMBERS: Final = rb"\([ \t]*\d+(?:[ \t]*,[ \t]*\d+)*[ \t]*\)"
_MAY_BE_NUMBERED: Final = re.compile(_NUMBERS + rb"[ \t\n]+\**[A-Za-z_]\w*[ \t]*\(")
_MAY_BE_NUMBERED_AFTER: Final = re.compile(_NUMBERS + rb"[ \t\n]*;")
# These begin with the line on which the capitals are, or (the second) may begin with the one before it.
_BEFORE: Final = (_BEFORE_CONSTRUCTOR, _BEFORE_FUNCTION, _BEFORE_DECLARATION, _BEFORE_DECLARATION)
_AFTER: Final = (_AFTER_PARAMETERS, _AFTER_NAME)


def prepare(source: bytes) -> bytes:
    """Blank out what the grammar cannot read; every byte keeps its place."""
    if b"\r\n" in source:  # a line ends at its line feed, and a backslash that carries it on stands right before that
        source = source.replace(b"\\\r\n", b" \\\n").replace(b"\r\n", b" \n")
    if b"__cplusplus" in source:
        source = _ONLY_CPP.sub(lambda found: _LINKAGE.sub(_blank, found[0]), source)
    source = _without_own(source)
    if b"\\\n" in source:
        source = _BODY.sub(_first_line, source)
    if b"[[" in source:
        source = _ATTRIBUTE.sub(_blank, source)
    capitals = lines_with(_CAPITALS, source)
    if any_matches(_MAY_BE_ALONE, source, capitals):
        source = _without_rows(_ALONE, _LONE, source, capitals)
    if any_matches(_MAY_BE_CALLED_ALONE, source, capitals):
        left = _without_rows(_CALLED_ALONE, _CALLED, source, capitals)
        # One that stands alone may follow on one that is called.
        again = left != source and any_matches(_MAY_BE_ALONE, left, capitals)
        source = _without_rows(_ALONE, _LONE, left, capitals) if again else left
    if _MAY_BE_NUMBERED.search(source):
        source = _NUMBERED.sub(_blank_first, source)
    source = without_first(
        _NUMBERED_AFTER, source, with_lines_before(source, lines_with(_MAY_BE_NUMBERED_AFTER, source))
    )
    source = without_first(_UNDERSCORED, source, lines_with(_TWO_UNDERSCORES, source))
    source = without_behind(_RECORD_WORD, _BEFORE_TYPE, source, capitals)
    for pattern in _BEFORE:
        source = without_first(pattern, source, capitals)
    either = with_lines_before(source, capitals)
    for pattern in _AFTER:
        source = without_first(pattern, source, either)
    source = without_first(_BETWEEN, source, capitals)
    source = _TOO_MANY.sub(_without_too_many, source)
    if b"...)" in source:
        source = _NAMED_REST.sub(_blank_first, source)
    source = _without_before_own(source, capitals)
    return _ACCESS.sub(_blank, source) if any(word in source for word in _ACCESS_WORDS) else source


def _without_too_many(found: re.Match[bytes]) -> bytes:
    """Blank out that of two words before the name of a function which is no type."""
    first, second = found[1], found[2]
    if first in _NO_MACROS or second in _NO_MACROS or (first in _TYPE_WORDS and second in _TYPE_WORDS):
        return found[0]
    macro = 1 if b"inline" in first or second in _TYPE_WORDS else 2
    start, end = found.start(macro) - found.start(), found.end(macro) - found.start()
    return found[0][:start] + b" " * (end - start) + found[0][end:]


def _without_rows(pattern: re.Pattern[bytes], word: re.Pattern[bytes], source: bytes, lines: Sequence[int]) -> bytes:
    """Blank out what a pattern finds, where one may follow on another; its `word` has to be on one of the lines.

    The pattern is tried where one can begin, on the lines above such a word: at every byte it takes ten times as long.
    """
    for _ in range(_LONGEST_ROW):
        cut: bytearray | None = None
        until = 0
        for start in lines:
            end = source.find(b"\n", start) + 1 or len(source)
            if word.search(source, start, end) is None:
                continue
            for anchor in _ANCHOR.finditer(source, max(until, _line_above(source, start)), end):
                found = pattern.match(source, anchor.start()) if anchor.start() >= until else None
                if found is not None:
                    cut = bytearray(source) if cut is None else cut
                    cut[found.start(1) : found.end(1)] = _BYTE.sub(b" ", found[1])
                    until = found.end()
        if cut is None:
            break
        source = bytes(cut)
    return source


def _line_above(source: bytes, start: int) -> int:
    """Return where the nearest line above one begins that is neither blank nor a comment; that line itself if none."""
    at = start
    while at > 0:
        above = source.rfind(b"\n", 0, at - 1) + 1
        words = source[above : at - 1].strip()
        at = above
        if words and not words.startswith(b"//"):
            break
    return at


def _first_line(found: re.Match[bytes]) -> bytes:
    """Return the definition of a macro with no more than its first line; a comment that goes on after it stays."""
    first, _, rest = found[0].partition(b"\\\n")
    comment = rest.rfind(b"/*")
    if first.rfind(b"/*") > first.rfind(b"*/"):
        return found[0]
    if comment <= rest.rfind(b"*/"):
        comment = len(rest)
    if b"(" in first and b")" not in first:  # its parameters go on over the line
        first, _, parameters = first.partition(b"(")
        first += b" " * len(parameters) + b" "
    return first + b"0\n" + _BYTE.sub(b" ", rest[:comment]) + rest[comment:]


def _without_before_own(source: bytes, capitals: list[int]) -> bytes:
    """Blank out the macros before constructors in their classes (`LAMP_CONSTEXPR Lamp(int n)`)."""
    heads = [found for start in capitals if (found := _BEFORE_NAME.match(source, start)) is not None]
    if not heads:
        return source
    names = frozenset(_RECORD.findall(source))
    cut = bytearray(source)
    for found in heads:
        if found[2] in names:
            cut[found.start(1) : found.end(1)] = b" " * len(found[1])
    return bytes(cut)


def _without_own(source: bytes) -> bytes:
    """Blank out the macros that a file defines as no more than specifiers; one that stands for an `if` becomes one."""
    bodies: dict[bytes, list[bytes]] = {}
    for start in lines_with(_DEFINE, source):
        found = _DEFINED.match(source, start)
        if found is None:
            continue
        name, body = found[1], found[2] or b""
        bodies.setdefault(name, []).append(body)
    nothing = {name for name, several in bodies.items() if all(map(_is_no_word, several))}
    ifs = {name for name, several in bodies.items() if all(map(_IF.fullmatch, several))}
    if not nothing and not ifs:
        return source
    words = re.compile(
        rb"^[ \t]*#[^\n]*|\b(?:" + b"|".join(sorted(map(re.escape, nothing | ifs))) + rb")\b", re.MULTILINE
    )

    def plain(found: re.Match[bytes]) -> bytes:
        word = found[0]
        if word in ifs:
            return b"if".ljust(len(word))
        return b" " * len(word) if word in nothing else word

    return words.sub(plain, source)


def _is_no_word(body: bytes) -> bool:
    """Tell whether what a macro stands for can be left out: specifiers, one more argument or parameter."""
    body = _COMMENT.sub(b"", body).strip()
    return body.startswith(b",") or _SPECIFIERS.fullmatch(body) is not None


def _blank(found: re.Match[bytes]) -> bytes:
    return b" " * len(found[0])


def _blank_first(found: re.Match[bytes]) -> bytes:
    start, end = found.start(1) - found.start(), found.end(1) - found.start()
    return found[0][:start] + _BYTE.sub(b" ", found[0][start:end]) + found[0][end:]
