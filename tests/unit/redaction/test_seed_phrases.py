"""Words that restore a wallet are a secret, and prose about them is none."""

import pytest

from holdfast.redaction.files import SecretFiles
from holdfast.redaction.redactor import Redactor

TWELVE = "legal winner thank year wave sausage worth useful legal winner thank yellow"
TWENTY_FOUR = (
    f"{TWELVE} ozone drill grab fiber curtain grace pudding thank cruise elder eight"
    " picnic"
)
NUMBERED = "\n".join(f"{n}. {word}" for n, word in enumerate(TWELVE.split(), start=1))


@pytest.mark.parametrize(
    "text",
    [
        f"seed phrase: {TWELVE}",
        f"Seed phrase:\n{TWELVE}\nthen restart",
        f"Secret Recovery Phrase: {TWELVE.replace(' ', ', ')}",
        f"wallet backup phrase: {TWELVE.title()}",
        f'mnemonic = "{TWELVE}"',
        f"MNEMONIC={TWENTY_FOUR}",
        f"SEED_PHRASE='{TWENTY_FOUR}'",
        f'"mnemonic": "{TWELVE}",',
        f"seedPhrase: {TWELVE}",
        f"SEED='{TWELVE}'",
        f"seed phrase:\n{NUMBERED}\n",
        f"recovery phrase:\n{NUMBERED.replace('. ', ') ')}",
        f"mnemonic: {NUMBERED.replace(chr(10), ' ')}",
        f"mnemonic = [{', '.join(map(repr, TWELVE.split()))}]",
    ],
)
def test_the_words_of_a_wallet_go(text: str) -> None:
    """From text, and from snapshots: who has them has the money."""
    redactor = Redactor(b"key")
    clean = redactor.text(text)

    told = clean.lower()
    assert [word for word in TWELVE.split() if word in told] == []
    assert redactor.text(clean) == clean
    assert SecretFiles().of(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "seed phrase: twelve words that restore a wallet, kept offline by its owner",
        "The mnemonic is easy to remember for most of us here.",
        "mnemonic: a memory aid such as a rhyme that helps people remember things",
        "mnemonic: ADD SUB MUL DIV AND XOR NOT SHL SHR ROL ROR NOP",
        "seed phrase: <your twelve words here>",
        "mnemonic: move load store push pull jump",
        "the phrase legal winner thank year wave sausage worth useful and nothing else",
        "recovery phrase: see the entry of the team for all of the twelve words in it",
        "random.seed(42); SEED = 42; seed: 7",
        "passphrase: none is needed here today because keys were never locked anywhere",
    ],
)
def test_prose_about_them_stays(text: str) -> None:
    """A small word, another count or another case: no list of words has that."""
    assert Redactor(b"key").text(text) is text


def test_a_value_of_json_is_known_by_its_name() -> None:
    """There the name is no part of the text that is looked at."""
    clean = Redactor(b"key").tree({"wallet": {"mnemonic": TWELVE}, "seed": 42})

    assert "sausage" not in clean["wallet"]["mnemonic"]
    assert clean["seed"] == 42
