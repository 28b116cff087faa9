"""Code-like: lines of code that stand in a text without the fence that should be around them.

Told by what no prose has: calls and assignments as whole lines, the words that open a statement together with its
punctuation, a shebang. A sentence that only names code in its midst is prose.
"""

from __future__ import annotations

import re
from typing import Final

_STATEMENT: Final = re.compile(
    r"^\s*(?:"
    r"#!/\S+"
    r"|#include\s*[<\"]|#define\s+\w"
    r"|(?:from\s+[\w.]+\s+)?import\s+[\w.*{][\w.,*{}\s]*(?:\s+from\s+['\"].*|\s+as\s+\w+)?;?\s*$"
    r"|(?:export\s+)?(?:default\s+)?(?:public\s+|private\s+|protected\s+|static\s+|async\s+)*"
    r"(?:def|function|fn|func|class|interface|struct|enum|trait|impl)\s+\w+\s*(?:\(|<|\{|:\s*$|extends\b|implements\b)"
    r"|(?:export\s+)?(?:const|let|var|val)\s+[\w{\[][\w\s,{}\[\]:<>|?.]*=\s*\S"
    r"|(?:if|elif|while|for|switch|catch|with)\s*\(.*\)\s*[:{]?\s*$"
    r"|(?:if|elif|for|while|with|try|except|else|finally)\b[^.!?]*[)\]\w'\"]:\s*$(?<=[)\]]:)"
    r"|(?:else|try|finally|do)\s*[:{]\s*$|\}?\s*(?:else|catch|finally)\b.*\{\s*$"
    r"|(?:return|raise|throw|yield|await|assert|print|echo)\b\s*[({\['\"$].*[)}\]'\";]\s*;?\s*$"
    r"|return\s+[\w.]+(?:\(.*\))?;?\s*$"
    r"|@[\w.]+(?:\(.*\))?\s*$"
    r"|[\w.$\[\]\"'*]+(?:\s*:\s*[\w.\[\], |]+)?\s*(?:[-+*/|&]|\?\?|\|\|)?=(?!=|>)\s*"
    r"(?:[\w.]+\(|[\[{('\"]|await\b|new\s+\w).*$"
    r"|[\w.$]+(?:\?\.)?\([^()]*(?:\([^()]*\)[^()]*)*\)\s*[;{:]?\s*$"
    r"|\)\s*(?:->\s*\S+)?\s*[:{]?\s*(?:#|//).*"
    r"|<(?:/?[A-Za-z][\w.-]*)(?:\s+[\w:@.-]+(?:=(?:\"[^\"]*\"|'[^']*'|\{[^}]*\}))?)*\s*/?>\s*$"
    r")"
)
_MANY_MARKS: Final = 0.16  # share of brackets, braces, semicolons and equal signs that no prose has
_MARKS: Final = re.compile(r"[(){}\[\];=<>$|\\]")
_LEAST: Final = 30
_QUOTED: Final = re.compile(r"`[^`\n]*`|\[[^\]\n]*\]\([^)\n]*\)|https?://\S+|\*\*")


def is_codelike(text: str) -> bool:
    """Return whether a sentence that stands outside of a block of code is code."""
    if _STATEMENT.match(text):
        return True
    told = _QUOTED.sub("", text)
    return len(told) >= _LEAST and len(_MARKS.findall(told)) > _MANY_MARKS * len(told)
