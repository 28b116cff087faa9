"""Long base64 goes wherever it stands; pictures, digests, public keys and files in lines stay."""

from __future__ import annotations

import base64

import pytest

from memd.text.redaction import redact
from tests.unit.text.secret_corpus import DASHES, Maker

MAKER = Maker(13)
BLOB = MAKER.base64(60)
LONG = MAKER.base64(1500)
WORDS = "services/harbor/src/main/java/com/Example2/tides/TideTableRepository2Impl/HarbourMaster"


@pytest.mark.parametrize("blob", [BLOB, LONG, MAKER.base64(49), MAKER.base64(100).rstrip("=")])
@pytest.mark.parametrize(
    "text", ["{}", "it printed {} just now", "data = '{}'", '{{"state": "{}"}}', "ENC={}\n", "见 {}。"]
)
def test_long_base64_goes_and_what_is_around_it_stays(blob: str, text: str) -> None:
    redacted = redact(text.format(blob)).text
    before, after = text.replace("{{", "{").replace("}}", "}").split("{}", 1)
    assert redacted.startswith(f"{before}[redacted:")
    assert redacted.endswith(f"]{after}")
    assert not [at for at in range(0, len(blob) - 12, 4) if blob[at : at + 12] in redacted]


@pytest.mark.parametrize(
    "text",
    [
        f"data:image/png;base64,{LONG}",
        f"url(data:font/woff2;base64,{LONG})",
        '"integrity": "sha512-' + MAKER.base64(64) + '"',
        "iVBORw0KGgo" + LONG,
        f"{DASHES}BEGIN CERTIFICATE{DASHES}\n" + "\n".join(MAKER.base64(48) for _ in range(6)),
        "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ" + LONG[:300] + " ada",
        "\n".join(MAKER.base64(57) for _ in range(5)),
        "P = 0x" + "1FFFFFFFFFFFFFFFE3D0" * 6,
        "9fceb02d0ae598e95dc970b74767f19372d61af8" * 2,
        "a" * 400,
        WORDS,
        "GET /" + WORDS,
        "ThisIsAVeryLongNameOfATestThatSaysWhatIsTestedAndWhyItMatters2ToUsAll",
        base64.b64encode(b"short").decode(),
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact(text).text == text


def test_a_text_of_blobs_is_read_once() -> None:
    text = (BLOB.rstrip("=") + " ") * 3000 + "+".join(["a1B" * 6] * 20_000)
    assert redact(redact(text).text).hits == ()
