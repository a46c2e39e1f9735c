"""Which file names say that a file is a secret."""

import pytest

from holdfast.analysis.secret_files import SecretFiles, has_secret_name


@pytest.mark.parametrize(
    ("path", "secret"),
    [
        (".env", True),
        ("config/.env.production", True),
        ("prod.env", True),
        (".env.example", False),
        (".env.sample", False),
        ("example.env", False),
        ("environment.py", False),
        (".envrc", True),
        ("google/credentials.json", True),
        ("notes/Passwords.txt", True),
        ("config/secrets.yml", True),
        ("deploy/secrets.yaml", True),
        ("secrets/db", True),
        ("deploy/secrets/prod.json", True),
        ("secrets/loader.py", False),
        ("secrets/README.md", False),
        ("secrets.example.yaml", False),
        ("secrets/db.example", False),
        ("src/credentials.py", False),
        ("tls/server.PEM", True),
        ("tls/server.key", True),
        ("keyboard.py", False),
        ("home/id_ed25519", True),
        ("home/id_ed25519.pub", False),
        (".netrc", True),
        ("release.keystore", True),
        ("terraform.tfstate", True),
        ("src/token.py", False),
    ],
)
def test_a_name_tells(path: str, *, secret: bool) -> None:
    """The names under which keys and passwords lie about in projects."""
    assert has_secret_name(path) is secret


_TOKEN = "ghp_" + "a1B2c3D4e5" * 4


def test_the_secrets_of_a_content_can_be_compared() -> None:
    """Equal secrets in two versions of a file are equal texts."""
    token = _TOKEN

    found = SecretFiles().of(f"x = 1\ntoken = '{token}'\n".encode())

    assert found == {token}
    assert SecretFiles().of(f"# {token}".encode()) == found
    assert SecretFiles().of(b"nothing here") == frozenset()


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(_TOKEN.encode("utf-32"), id="in UTF-32"),
        pytest.param(
            f"{_TOKEN[:9]}\u200b{_TOKEN[9:]}".encode(), id="with an invisible sign"
        ),
        pytest.param(f"{_TOKEN[:9]}\xad{_TOKEN[9:]}".encode(), id="with a soft hyphen"),
        pytest.param(
            f'"{_TOKEN}"'.replace("g", "\\u0067").encode(), id="escaped in JSON"
        ),
    ],
)
def test_a_secret_is_found_however_a_file_spells_it(content: bytes) -> None:
    """Whoever opens the file, or a program that parses it, has the whole secret."""
    assert _TOKEN in SecretFiles().of(content)


def test_a_secret_in_wide_letters_is_found_without_a_rule_of_the_users_own() -> None:
    """Words and files are looked at by the same eyes."""
    wide = "".join(chr(ord(sign) + 0xFEE0) for sign in "AKIAIOSFODNN7EXAMPLQ")

    assert SecretFiles().of(f"key {wide}".encode())


def test_a_pattern_with_a_hidden_secret_is_no_rule_to_copy() -> None:
    """A list of patterns may be a link to anything."""
    hidden = f"{_TOKEN[:9]}\u200b{_TOKEN[9:]}"

    kept = SecretFiles().lines_without(f"*.log\n{hidden}\n".encode())

    assert kept == b"*.log\n"
