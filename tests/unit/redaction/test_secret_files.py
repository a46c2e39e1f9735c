"""Which file names say that a file is a secret."""

import pytest

from holdfast.redaction.files import SecretFiles, has_secret_name


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
            b"# plain first\n" * 400 + f"key {_TOKEN}\n".encode("utf-16-le"),
            id="appended in UTF-16",
        ),
        pytest.param(
            "plain first\n".encode("utf-16") + f"key {_TOKEN}\n".encode(),
            id="appended to UTF-16",
        ),
        pytest.param(
            b"\xff\xfe\0\0" + f"key {_TOKEN}\n".encode(), id="behind a mark that lies"
        ),
        pytest.param(
            b"\x89PNG\xff\xfe\x01" + f"key {_TOKEN}\n".encode("utf-16-be"),
            id="in UTF-16 inside a binary",
        ),
        pytest.param(
            ("\u5bc6" * 300 + _TOKEN + "\u7801" * 300).encode("utf-16-le"),
            id="among other scripts in UTF-16 without a mark",
        ),
        pytest.param(
            f"x{_TOKEN}"[1:].encode("utf-32-be"), id="in UTF-32 without a mark"
        ),
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


def test_noise_that_happens_to_name_a_password_is_no_secret() -> None:
    """Of a hundred pictures of a megabyte one had `pw=` in it, and was left out."""
    noise = b'\0&"R\x9c\x8fc\xb0N-pw=Gt\x9c\x8f\x0f0\xfe.O\xfe:\x92Z0u\xb3x\x7f\xff%\x9c~\xfeG\x80'

    assert not SecretFiles().of(noise)


@pytest.mark.parametrize("after", [b"", b"\0", b"\xff\xfe\x01", b"\0\xb3\x9c"])
def test_a_secret_between_noise_is_found(after: bytes) -> None:
    """A program or a database has its strings between other bytes."""
    inside = b"\x7fELF\0\xb3\x9cpw=k7Hq92mZx4Pw" + after

    assert "k7Hq92mZx4Pw" in SecretFiles().of(inside)


def test_a_pattern_with_a_hidden_secret_is_no_rule_to_copy() -> None:
    """A list of patterns may be a link to anything."""
    hidden = f"{_TOKEN[:9]}\u200b{_TOKEN[9:]}"

    kept = SecretFiles().lines_without(f"*.log\n{hidden}\n".encode())

    assert kept == b"*.log\n"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("before", [b"", b"x", b"plain\n" * 100])
def test_a_word_in_another_script_names_what_follows_in_utf_16(
    encoding: str, before: bytes
) -> None:
    """The name of a secret stands before it, wherever the text begins."""
    text = "\u6570\u636e" * 400 + "\u5bc6\u7801\uff1ahunt3r2x!\n" + "\u6570" * 50

    assert "hunt3r2x" in SecretFiles().of(before + text.encode(encoding))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("before", [b"", b"x", b"xx", b"x" * 33])
def test_a_word_in_another_script_names_what_follows_where_a_file_begins(
    encoding: str, before: bytes
) -> None:
    """There is little before it to read it with."""
    text = "\u5bc6\u7801\uff1ahunt3r2x!\n"

    assert "hunt3r2x" in SecretFiles().of(before + text.encode(encoding))


def test_plain_bytes_among_zeros_are_no_secret() -> None:
    """A binary has names side by side, each with a zero behind it."""
    assert not SecretFiles().of(b"password\0token\0" + bytes(200) + b"a\0b\0" * 40)


@pytest.mark.parametrize(
    "path",
    [
        f"keys/{_TOKEN}/notes.txt",
        "password=hunt3r2x!/notes.txt",
        "backup/DB_PASSWORD=Tr7xkQ9z/dump.json",
    ],
)
def test_a_folder_that_is_named_for_a_secret(path: str) -> None:
    """What follows a folder's name is no part of it."""
    assert SecretFiles().is_in_name(path)


@pytest.mark.parametrize(
    "path", ["src/password/token.py", "docs/secrets: how/key.md", "a/api_key=/b.txt"]
)
def test_folders_that_speak_of_secrets(path: str) -> None:
    assert not SecretFiles().is_in_name(path)
