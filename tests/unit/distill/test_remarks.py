from __future__ import annotations

import pytest

from memd.distill.passages import passages
from memd.distill.remarks import tells
from memd.distill.thread import Thread
from tests.unit.distill.talk import Talk

# What a person says without telling anything, by what it is.
SAYS_NOTHING = {
    "a question, though it holds a word that forbids": [
        "要不要换成 mkdocs 写？",
        "是不是不用缓存了？",
        "能不能不写测试？",
        "can you check which gauges are not available",
        "are the locks not released by then?",
        "is that why the tides are never shown",
    ],
    "hearsay": [
        "听说 rolldown 编译很快",
        "i heard the new parser is faster",
        "people say bun is the future",
        "噂ではビルドが速いらしいです",
        "새 컴파일러가 빠르다던데",
        "j'ai entendu que le nouveau moteur est plus rapide",
        "angeblich ist der neue Parser schneller",
        "говорят, новый парсер быстрее",
        "yeni derleyici daha hızlıymış, öyle diyorlar",
    ],
    "thanks, praise, a greeting": [
        "oh good one.",
        "nice catch, thanks!",
        "hi there",
        "wow, that's really great work",
        "太好了，谢谢",
        "ありがとうございます",
        "감사합니다",
        "super, merci beaucoup !",
        "toll, vielen Dank",
        "muchas gracias",
        "спасибо, отлично",
        "harika, teşekkürler",
        "díky, skvělé",
    ],
    "a wish for any project": [
        "please follow best practices",
        "I want clean code",
        "it should be a great user experience",
        "çok iyi bir kullanıcı deneyimi olsun",
        "高质量，遵循最佳实践",
        "ベストプラクティスに従って",
        "una buena experiencia de usuario",
        "sauberer Code bitte",
    ],
    "a link": ["https://tides.example/piers/4", "https://a.example/x\nhttps://b.example/y"],
    "a complaint that names nothing": [
        "the ci is red",
        "hmm the build is broken again",
        "ugh, the printer still hangs",
    ],
    "what a block of code in its middle left of a sentence": [
        "when building on the new laptop",
        "I'm getting",
        "after merging the branch",
    ],
    "what would be if": [
        "if we had a second gauge in front we could drop this whole table",
        "we could drop the table if we had a second gauge",
        "si tuviéramos otro sensor, podríamos quitar la tabla",
        "wenn wir einen zweiten Pegel hätten, bräuchten wir die Tabelle nicht",
        "если бы у нас был второй датчик, таблица не нужна",
        "gdybyśmy mieli drugi czujnik, tabela byłaby zbędna",
    ],
}
TELLS = [
    "should the berths not be cached? no, never cache them",
    "i don't want rotating ids, i want to count the ships, that will be a problem, isn't it?",
    "the ci is red because `httpx` is only in the dev extras",
    "when building the image, use the slim base",
    "the printer hangs for 10 s when it sleeps",
    "never on Fridays, ok?",
    "that must not be committed, right?",
    "不要用 npm，好吗？",
    "good find. no hooks for anything that writes",
    "the harbour heard about the change from the port office",
    "best practices say 80 columns, here it is `line-length = 120`",
    "if the tide is above 4 m the gate has to stay closed",
    "thanks to the index it takes 3 ms",
    "great circle distances are in `geo.py`",
    "好的包名是 harbor-core",
]


@pytest.mark.parametrize(("why", "text"), [(why, text) for why, texts in SAYS_NOTHING.items() for text in texts])
def test_a_person_tells_nothing_by(why: str, text: str) -> None:
    assert not tells(text, "user"), why


@pytest.mark.parametrize("text", TELLS)
def test_a_person_tells_something_by(text: str) -> None:
    assert tells(text, "user")


@pytest.mark.parametrize(
    "text",
    [
        "`app/tides.tsx` - if this file exists, it has to be changed as well",
        "`app/tides.tsx` - pokud tento soubor existuje, pro úpravu zobrazení",
        "`app/tides.tsx`, falls die Datei existiert",
        "次にローカルの適用状態を照合して、原因を確定します。",
        "If you want, I can add a lamp to the pier as well.",
        "Let me know if the keeper shall see the levels, too.",
        "Si tu veux, je peux ajouter une lampe à la jetée.",
        "Si quieres, agrego también una lámpara al muelle.",
        "Wenn du möchtest, ergänze ich noch eine Lampe am Steg.",
        "如果你想，我可以再加一盏灯。",
        "必要であれば、桟橋に灯りも追加できます。",
        "Если хотите, добавлю ещё и лампу на причал.",
        "결과를 정리한 뒤 다음 단계로 진행합니다.",
        "먼저 조석표를 읽겠습니다.",
        "Готово, все правки внесены.",
        "Compris, je m'en occupe.",
        "Hotovo.",
        "わかりました。",
        "But wait — there are two loops over the piers.",
        "等等，这里有两个循环。",
        "Mais attends, il y a deux boucles ici.",
        "Стоп, здесь два цикла по причалам.",
        "The environment is read-only, so I have not run the tide tests.",
        "I couldn't run the tide tests in this sandbox.",
        "当前环境为只读，没有运行潮汐测试。",
        "Thank you for providing the tide tables.",
        "I understand that you want the tide table in its own file.",
        "Rozumím, že chcete tabulku přílivů.",
        "Je comprends que vous voulez la table des marées.",
        "根据你的要求，潮汐表要单独放。",
        "Install `tidekit` if it is not already installed.",
        "Installer `tidekit` si ce n'est pas déjà fait.",
        "如果还没有安装，先装 `tidekit`。",
        "Example: `tide set --pier 4 --level 3`",
        "Exemple : `tide set --pier 4 --level 3`",
        "Next steps could include a page for each pier.",
        "I’m searching the tide parser for where gauges are created.",
        "Now I'm re-running `tide check` on the pier.",
        "Další kroky by mohly zahrnovat stránku mola.",
    ],
)
def test_the_model_tells_nothing_by_what_it_is_about_to_do_or_only_supposes(text: str) -> None:
    assert not tells(text, "assistant")


@pytest.mark.parametrize(
    "text",
    [
        "The gauge waits 4 s before it reads `tides.db` again.",
        "If the keeper wants it, the lamp stays on until `TIDE_DAWN`.",
        "如果设置了 `TIDE_DAWN`，灯会亮到天亮。",
        "The staging sandbox has a read-only copy of `tides.db`, so migrations run on the pier.",
        "Because of the index the tide query takes 3 ms.",
        "The tests of the pier cannot run here without `TIDE_URL`, it is not in `.env`.",
        "The next steps of the tide job are in `jobs/tide.py`.",
        "I'm keeping the tide table in `tides.db`, the piers go into a file of their own.",
        "I’m going with one gauge a pier: `poll.py` reads it every 20 minutes.",
    ],
)
def test_the_model_tells_something_by(text: str) -> None:
    assert tells(text, "assistant")


def test_thanks_are_left_out_of_what_is_said_with_them(talk: Talk) -> None:
    talk.user("Oh good one. The gauge is read every 20 minutes, `poll.py` does it.")
    assert [one.text for one in passages(Thread(talk.transcript()))] == [
        "The gauge is read every 20 minutes, `poll.py` does it."
    ]
