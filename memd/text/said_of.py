"""Said of passwords: words that stand behind "the password is" or "password" in prose and are none."""

from __future__ import annotations

import re
from typing import Final

from memd.text.everyday import EVERYDAY, PROGRAMMING
from memd.text.stopwords import STOP_WORDS

SAID_OF: Final = (
    STOP_WORDS
    | EVERYDAY
    | PROGRAMMING
    | frozenset(
        """
    wrong correct incorrect right required optional mandatory missing present absent empty blank valid invalid expired
    stored hashed encrypted salted rotated generated exposed leaked compromised committed logged shared hidden masked
    visible weak strong short long simple secure insecure safe unsafe unique random known unknown same different old
    new public private static dynamic global local internal external plain plaintext cleartext text base64 hex ascii
    null none undefined nil void true false string str int integer bool bytes number char array list dict object
    there here where somewhere elsewhere everywhere out gone fine good bad ok okay still already also always never
    correctly properly currently actually really probably perhaps maybe only just being not too very quite
    great broken mutable immutable readable nullable unset default constant fixed refreshed revoked opaque
    authentication authorization manager reset resets rotation hash hashes policy field prompt login auth vault
    keychain keyring bcrypt scrypt argon pbkdf sha md hmac rsa aes jwt oauth uuid json yaml toml env http https
    placeholder sensitive case insecurely securely obvious trivial guessable alphanumeric numeric lowercase uppercase
    mine yours ours theirs his hers admin root user guest secret password token key passphrase credential credentials
    useless useful unused due nowhere nothing something anything enough ready important critical irrelevant redundant
    server client database db cache config configuration session cookie header production staging development
    """.split()
    )
)
"""What a password, token or key is said to be."""

GOES_WITH: Final = frozenset(
    """
    fields forms hints inputs lists lockers managers masks pages pairs params policies prompts props protocol
    providers recovery requirements resets reuse rules safes schema scheme scripts search setters settings setup
    sharing size sizes source spray spraying stores strategy strength strengths string strings stuff sync table
    tables tests texts toggle toggles tools types update updates upgrade usage utils values variables variants
    vaults views widget widgets wizard change changes check checker checkers checks column columns combo complexity
    cracker cracks dialog dialogs dumps encoder encoders entry entries expire expires expiry files flags flow flows
    format formats generator generators grant grants guesses guessing handler handlers hasher hashers helper helpers
    history input keys leaks length lengths libraries library limit limits links lookup match matches method methods
    mode modes module modules names option options output parameter parameters phase phrases plugin plugins popup
    something anything expand comply begin start stop work works fail fails login logins screen screens section
    sections step steps storage submit system systems verifier verify worked matched failed twice below above first
    second third later today tomorrow tonight together alone inline online offline anyway instead wins ended begins
    changed comes came goes went gets makes leads
    """.split()
)
"""What makes a compound or a clause with the word before it: `password fields`, `password expires`."""

_SAID_ENDING: Final = re.compile(r".*(?:ed|ing|able|ible|ive|ful|less|ous|ory|ly|ary|tion|ment|ness|ent|ant|ic|al)\Z")


def is_said_of(word: str) -> bool:
    """Return whether a word in lower case is one that is said of secrets, by the word or by how it ends."""
    return word in SAID_OF or _SAID_ENDING.fullmatch(word) is not None
