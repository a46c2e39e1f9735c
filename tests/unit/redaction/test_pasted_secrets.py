"""Secrets as people paste them: from consoles, prompts, manifests, tables, terminals.

Every value is made up here, and put together only when a test runs.
"""

import base64
import json

import pytest

from holdfast.redaction.files import SecretFiles
from holdfast.redaction.redactor import Redactor

PASSWORD = "Walrus" + "77!tide"
WORDS = "Copper" + "4821"  # what a person makes up
HEX = "9f3b1c" + "7d" * 4 + "02e8a6415bf0c39d" + "77"
KEY = "q8Zt3Kx9" + "LmN4vB7cR2wE6yU1" + "pS5dF0gH"
AWS_ID = "AKI" + "AQ3EXAMPLE7ZT2M" + "4K"
AWS_SECRET = "kM7+tQ2/" + "zXc9VbN4LpR8sWd1" + "FgH5jK3yUeA6oI0w"
PAT = "k3v7q2xw5bn4mzt6" + "hj2yu5ra7pc3sd4fg6l2" + "we5xq7rt2yn3kzab"
ENCODED = base64.b64encode(b"postgres://ada:Sesam9@db/app").decode()
PAIR = base64.b64encode(b"ada:" + b"sesame").decode()  # no digit in it
FACEBOOK = "EAA" + "Bs7" + "Zk4QxT9vLm2WcR8d" * 7 + "ZD"


def _part(length: int) -> str:
    return ("A1b2-C3d4_E5f6G7h8J9" * (length // 20 + 1))[:length]


def _header(**fields: str) -> str:
    said = json.dumps(fields).encode()
    return base64.urlsafe_b64encode(said).decode().rstrip("=")


JWE = ".".join(
    (_header(alg="RSA-OAEP", enc="A256GCM"), *map(_part, (342, 16, 300, 22)))
)
JWE_DIRECT = ".".join(
    (_header(alg="dir", enc="A128CBC-HS256"), *map(_part, (0, 22, 120, 22)))
)

PASTED = [
    # names with blanks
    ("API Key: ", HEX, ""),
    ("API key = ", HEX, "\n"),
    ("**API Key:** `", HEX, "`"),
    ("Api Key\n", HEX, "\n"),
    ("Signing Key: ", HEX, "\n"),
    ("Encryption Key: ", KEY + "+a/Q=", "\n"),
    ("AWS Secret Access Key: ", AWS_SECRET, "\n"),
    ("Secret access key: ", AWS_SECRET, "\n"),
    ("my secret key: ", HEX, "\n"),
    ("Unseal Key: ", KEY, "\n"),
    # what a prompt shows before the answer
    ("AWS Secret Access Key [None]: ", AWS_SECRET, "\nDefault region name [None]: "),
    ("AWS Secret Access Key [****************wxyz]: ", AWS_SECRET, "\n"),
    # documents that say what they are
    ("kind: Secret\ndata:\n  DATABASE_URL: ", ENCODED, "\n"),
    ("apiVersion: v1\ndata:\n  app.conf: ", ENCODED, "\nkind: Secret\nmetadata:\n"),
    ("     1→kind: Secret\n     2→data:\n     3→  conf: ", ENCODED, "\n"),
    ('{"kind":"Secret","data":{"app.conf":"', ENCODED, '"}}'),
    ('{"data": {"app.conf": "', ENCODED, '"},\n "kind": "Secret"}'),
    (r'"{\"data\":{\"app.conf\":\"', ENCODED, r'\"},\"kind\":\"Secret\"}"'),
    ("kind: Secret\nstringData:\n  conn: ", "Copper-lantern", "\n"),
    ("kind: Secret\nstringData:\n  conf: |\n    ", "Copper lantern", "\n"),
    ('{"auths": {"r.test": {"auth": "', PAIR, '"}}}'),
    ("_auth=", PAIR, "\n"),
    ('{"kty": "EC", "crv": "P-256", "x": "a", "d": "', KEY + "-x_y", '"}'),
    # tokens
    ("AZURE_DEVOPS_EXT_PAT=", PAT, "\n"),
    ("my PAT: ", PAT, "\n"),
    ("git clone https://", PAT, "@dev.azure.com/acme/app"),
    ("git clone https://", HEX, "@git.test/acme/app"),
    ("the page's token ", FACEBOOK, " expired"),
    ("got ", JWE, " back"),
    ("got ", JWE_DIRECT, " back"),
    ("session: ", f"{_header(user='1')}.Zx1y2Q.{_part(27)}", "\n"),
    ("ada:", "$apr1$" + "a1b2c3d4$" + _part(22).replace("-", ".").replace("_", "/"), "\n"),
    ("hash: ", "$2b$12$" + "a1B2c3D4e5F6g7H8i9J0k" * 2 + "lmNOp6qRs7t", "\n"),
    # commands over several lines
    ("curl https://x.test \\\n  -u ada:", PASSWORD, " \\\n  -d @body"),
    ("curl \\\r\n -H 'A: b' \\\r\n --user ada:", PASSWORD, " https://x.test"),
    ("curl `\n  -u ada:", PASSWORD, "\n"),
    # to commands, and beside a login
    ("mosquitto_pub -u ada -P ", WORDS, " -t x"),
    ("smbclient //host/share -U ada%", WORDS, " -c ls"),
    ("credentials: ada / ", PASSWORD, "\n"),
    ("-H 'DD-APPLICATION-KEY: ", HEX, "'"),
    # below a heading
    ("user,password\nada,", WORDS, "\n"),
    ("name,url,username,password,note\nx.test,https://x.test,ada,", WORDS, ",\n"),
    ("     1→user,password\n     2→ada,", WORDS, "\n"),
    ("service\tapi_key\nmaps\t", KEY, "\n"),
    ("| user | password |\n|---|---|\n| ada | ", WORDS, " |\n"),
    (" user | password \n------+----------\n ada  | ", WORDS, "\n"),
    ('"user","password"\n"Love, Ada","', WORDS, '"\n'),
    ("<key>apiKey</key>\n<string>", KEY, "</string>"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "secret", "after"),
    [pytest.param(*case, id=f"{n} {case[0][-24:]}") for n, case in enumerate(PASTED)],
)
def test_a_pasted_secret_goes_and_its_surroundings_stay(
    before: str, secret: str, after: str
) -> None:
    clean = Redactor(b"key").text(before + secret + after)

    assert secret not in clean
    assert clean.startswith(before + "[redacted:")
    assert clean.endswith("]" + after)


@pytest.mark.parametrize(
    ("before", "secret", "after"),
    [pytest.param(*case, id=f"{n} {case[0][-24:]}") for n, case in enumerate(PASTED)],
)
def test_a_file_with_it_leaves_snapshots(before: str, secret: str, after: str) -> None:
    """Words and files are looked at by the same eyes."""
    found = SecretFiles().of((before + secret + after).encode())

    assert any(secret in each or each in secret for each in found)


@pytest.mark.parametrize(
    "text",
    [
        f"{AWS_ID} {AWS_SECRET}",
        f"{AWS_ID}:{AWS_SECRET}",
        f"use these:\n{AWS_ID}\n{AWS_SECRET}\n",
        f"{AWS_SECRET} is the secret of {AWS_ID}",
        f"Access key ID,Secret access key\r\n{AWS_ID},{AWS_SECRET}\r\n",
        (
            "User name,Password,Access key ID,Secret access key,Console login link\n"
            f"ci,,{AWS_ID},{AWS_SECRET},https://x.test\n"
        ),
        f"ACCESSKEY\t{AWS_ID}\t2026-01-01T10:00:00Z\t{AWS_SECRET}\tActive\tci\n",
        f"[redacted:aws-key-id:12ab] / {AWS_SECRET}",
    ],
)
def test_the_secret_beside_a_key_id_goes(text: str) -> None:
    """The id says what the forty characters near it are, whatever stands between."""
    clean = Redactor(b"key").text(text)

    assert AWS_SECRET[:12] not in clean
    assert AWS_SECRET[-12:] not in clean
    assert "[redacted:aws-secret:" in clean
    assert SecretFiles().of(text.encode()) >= {AWS_SECRET}


def test_a_commit_beside_a_key_id_stays() -> None:
    """Forty characters, too; and so has many a path."""
    commit, path = "9f3b1c7d0a" * 4, "src/components/forms/LoginForm2/indexjsx"
    text = f"commit {commit}\n+key = '{AWS_ID}'\n+++ {path} "

    clean = Redactor(b"key").text(text)

    assert commit in clean
    assert path in clean


def test_a_secret_as_an_object_loses_its_data_alone() -> None:
    """As a tool that answers in JSON gives it to us."""
    secret = {
        "kind": "Secret",
        "data": {"app.conf": ENCODED},
        "metadata": {"name": "app-1", "labels": {"data": "blue-green"}},
    }

    clean = Redactor(b"key").tree({"items": [secret, {**secret, "kind": "ConfigMap"}]})

    assert ENCODED not in str(clean["items"][0])
    assert clean["items"][0]["metadata"] == secret["metadata"]
    assert clean["items"][1]["data"] == secret["data"]


def test_a_private_key_as_an_object_loses_its_private_part() -> None:
    key = {"kty": "EC", "crv": "P-256", "x": KEY, "d": KEY + "-x_y"}

    clean = Redactor(b"key").tree(key)

    assert clean["x"] == KEY
    assert clean["d"].startswith("[redacted:")


@pytest.mark.parametrize(
    "text",
    [
        "the API key: see the docs",
        "API Key: required",
        "Encryption key: AES-256-GCM",
        f"Public key: {KEY}",
        f"cache key: {HEX}",
        "AWS Secret Access Key [None]: ",
        "AWS Access Key ID [****************ABCD]: ",
        "kind: ConfigMap\ndata:\n  app.conf: " + ENCODED,
        "kind: Secret\nmetadata:\n  name: app-1\ntype: kubernetes.io/tls\n",
        "kind: Secret\ndata:\n  conf: {{ .Values.conf | b64enc }}\n",
        "kind: Secret\nmetadata:\n  name: a\n---\nkind: ConfigMap\ndata:\n  a: blue2\n",
        '[{"kind":"Secret"},{"kind":"ConfigMap","data":{"a":"blue-green"}}]',
        '"auth": "required", "auth": "oauth2"',
        "| password | string | yes |\n| s3_bucket | string | yes |\n",
        "id,name,password\nfrom users u2\n",
        "(user, password,\n token2, key3)",
        '<input v-model="form.password" :key="row.id">',
        f"cache key: monkey-linux-{HEX}{HEX}",
        "mkdir build \\\n  -u ada:2000",
        "curl https://x.test\ndocker run -u ada:staff2",
    ],
)
def test_what_looks_like_one_stays(text: str) -> None:
    assert Redactor(b"key").text(text) is text


@pytest.mark.parametrize(
    "text",
    [
        "パスワードは10文字以上です",
        "パスワードは8〜16文字です",
        "密码必须至少10位",
        "비밀번호는 10자 이상이어야 합니다",
        "cache key token:label:144",
        "http://token:7299/user@1",
        '{"type":"token","cursor":"IAwwpRa0+8UgNNUKWosWTqUb"}',
        '"node_modules/token": {"integrity": "sha1-aGlmH1KUlAC++rmE+8B0wSS79is="}',
        "PublicKey = IAwwpRa0+8UgNNUKWosWTqUbIAwwpRa0+8UgNNUKWos=",
        "net use X: //host/share -U ada",
    ],
)
def test_what_only_speaks_of_one_stays(text: str) -> None:
    """A rule for passwords, a name among names, a digest beside a word."""
    assert Redactor(b"key").text(text) == text
