"""Search terms, against the real FTS5 that indexes them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memd.text.tokens import TOKENS_VERSION, estimate_tokens, match_query, prepare, terms

if TYPE_CHECKING:
    from collections.abc import Iterator

ANY_TEXT = st.text(st.characters(), max_size=80)


class Index:
    """A full-text index as the store makes it."""

    def __init__(self) -> None:
        self.connection = sqlite3.connect(":memory:")
        self.connection.execute(
            "CREATE VIRTUAL TABLE texts USING fts5(body, tokenize = 'unicode61 remove_diacritics 2')"
        )

    def add(self, *texts: str) -> None:
        self.connection.executemany("INSERT INTO texts VALUES (?)", [(prepare(text),) for text in texts])

    def search(self, query: str) -> list[int]:
        """Return the positions of the texts found, best first."""
        expression = match_query(query)
        if not expression:
            return []
        sql = "SELECT rowid - 1 FROM texts WHERE texts MATCH ? ORDER BY bm25(texts)"
        return [row[0] for row in self.connection.execute(sql, (expression,))]


@pytest.fixture
def index() -> Iterator[Index]:
    index = Index()
    with closing(index.connection):
        yield index


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("we call useAuthToken() here", "useAuthToken"),
        ("we call useAuthToken() here", "auth token"),
        ("we call useAuthToken() here", '"auth token"'),
        ("we call useAuthToken() here", "useauthtoken"),
        ("use_auth_token is set", "useAuthToken"),
        ("class HTTPServer(Base)", "http server"),
        ("class HTTPServer(Base)", "HTTPServer"),
        ("HTML5Parser failed", "html5"),
        ("the OAuthClient class", '"oauth client"'),
        ("the OAuthClient class", "auth"),
        ("deploy to k8s", "k8s"),
        ("as utf8", "utf8"),
        ("see src/memd/store/writer.py", "src/memd/store/writer.py:12:"),
        ("see /home/ada/work/memd/store/writer.py", "store/writer.py"),
        ("see writer.py", "src/memd/store/writer.py"),
        ("in C:\\work\\app\\main.rs", "app\\main.rs"),
        ("snake_case_name", "snake_case_name"),
        ("read sqlite3.connect", "sqlite3.connect"),
        ("bump to v1.24.3", "v1.24.3"),
        ("a re-index job", "re-index"),
        ("a memory store", "memory-store"),
        ("written in Go with CI", "Go CI"),
        ("the R language", "R"),
        ("İstanbul ofisi", "istanbul"),
        ("ışık hızı", "isik hizi"),
        ("isik", "ışık"),
        ("naïve café", "naive cafe"),
        ("naive cafe", "naïve café"),
        ("cafe\u0301", "café"),
        ("Łódź and Straße", "lodz"),
        ("Łódź and Straße", "strasse"),
        ("ｐｙｔｅｓｔ を使う", "pytest"),
    ],
)
def test_a_text_is_found_by_its_names_and_words(index: Index, text: str, query: str) -> None:
    index.add(text, "something else altogether")

    assert index.search(query) == [0]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("我们决定把数据库连接池换成 pgbouncer", "数据"),
        ("我们决定把数据库连接池换成 pgbouncer", "连接池"),
        ("我们决定把数据库连接池换成 pgbouncer", "池"),
        ("我们决定把数据库连接池换成 pgbouncer", "为什么换连接池"),
        ("加锁", "锁"),
        ("锁超时", "锁"),
        ("使用pytest运行测试", "pytest"),
        ("使用pytest运行测试", '"用pytest运行"'),
        ("使用pytest运行测试", "测试怎么运行"),
        ("データベースを選んだ理由", "データベース"),
        ("データベースを選んだ理由", "理由は何ですか"),
        ("設定を引き継ぎます", "引き継ぎ"),
        ("ﾃﾞｰﾀを保存", "データ"),
        ("연결을 관리한다", "연결"),
        ("연결이 끊겼다", "연결을"),
        ("데이터베이스 마이그레이션", "데이터베이스를"),
        ("\u1112\u1161\u11ab\u1100\u1173\u11af 이름", "한글"),
        ("𠀀𠀁𠀂", "𠀁𠀂"),
    ],
)
def test_chinese_japanese_and_korean_are_found_without_blanks(index: Index, text: str, query: str) -> None:
    index.add(text, "全然違う文", "다른 글", "别的事情")

    assert index.search(query) == [0]


def test_a_text_with_both_terms_comes_before_a_text_that_repeats_one(index: Index) -> None:
    index.add("redis redis redis redis", "cache cache cache cache", "a long line that has the redis as a cache in it")

    assert index.search("redis cache")[0] == 2


def test_a_quoted_text_is_found_only_in_that_order(index: Index) -> None:
    index.add("the writer is one", "one writer")

    assert index.search('"one writer"') == [1]


def test_a_dakuten_is_not_a_diacritic(index: Index) -> None:
    index.add("がき", "かき")

    assert index.search("がき") == [0]
    assert index.search("か\u3099き") == [0]


def test_stop_words_are_dropped_only_while_others_remain() -> None:
    assert match_query("what is the schema") == '"schema"'
    assert match_query("what is this") == '("what" AND "is" AND "this") OR "what" OR "is" OR "this"'
    assert match_query("为什么用 redis 呢") == '"redis"'


def test_nothing_searchable_is_an_empty_expression() -> None:
    for query in ("", "   ", "?!…", "😀", '"', '""', "\x00", "\ud800"):
        assert match_query(query) == ""


def test_a_pasted_error_is_asked_by_its_most_telling_terms() -> None:
    noise = " ".join(f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(200))
    expression = match_query(f"{noise} TypeError in src/app/pool.py {noise} connectTimeout")

    assert expression.count(" OR ") <= 40
    assert '"src app pool py"' in expression
    assert "connectTimeout" in expression


@settings(max_examples=400, deadline=None)
@given(query=ANY_TEXT, text=ANY_TEXT)
@example(query='NEAR("a b", 5) AND (col:* ^x - {y})', text="")
@example(query='"unterminated * OR', text="")
@example(query="a\x00b \udc80 c", text="\x00\udfff")
def test_no_query_and_no_text_is_ever_refused(query: str, text: str) -> None:
    index = Index()
    with closing(index.connection):
        index.add(text)
        index.search(query)


@settings(max_examples=200, deadline=None)
@given(words=st.lists(st.from_regex(r"[a-zA-Z\u4e00-\u4fff][a-zA-Z0-9\u4e00-\u4fff]{1,9}", fullmatch=True), min_size=1))
def test_every_text_is_found_by_each_of_its_words(words: list[str]) -> None:
    index = Index()
    with closing(index.connection):
        index.add(" ".join(words))

        assert all(index.search(word) for word in words)


def test_plain_text_is_indexed_as_it_is() -> None:
    text = "Nothing to add: snake_case, utf8, HTML and K8S.\n"

    assert prepare(text) == text


def test_data_is_not_taken_for_a_name() -> None:
    blob = "aB1" * 100

    assert prepare(blob) == blob


def test_hostile_text_takes_no_more_than_its_share() -> None:
    for text in ("aB" * 500_000, "a\u0301\u0323" * 300_000, "e" + "\u0301\u0323" * 400_000, "数" * 1_000_000):
        assert prepare(text)
        match_query(text)


def test_terms_compare_without_case_diacritics_and_stop_words() -> None:
    assert terms("The useAuthToken of CAFÉ") == ("useauthtoken", "cafe", "auth", "token")
    assert terms("数据库") == ("数据", "据库", "库")
    assert terms("") == ()


def test_tokens_are_estimated_by_script() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("a") == 1
    assert estimate_tokens("x" * 4000) == 1000
    assert estimate_tokens("数" * 100) == 100
    assert 25 <= estimate_tokens("ж" * 80) <= 80
    assert estimate_tokens("\ud800") >= 1


def test_the_version_of_the_indexed_form_is_a_number() -> None:
    assert TOKENS_VERSION >= 1
