"""The redaction chokepoint: what goes, what stays, and what it costs."""

import json
import re
import string
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from holdfast.redaction.redactor import Redactor

PLACEHOLDER = re.compile(r"\[redacted:([a-z0-9-]+):([0-9a-f]{4})\]")


def mixed(length: int) -> str:
    """Return characters as issuers mix them; no secret, and not written anywhere."""
    return ("A1b2C3d4E5f6G7h8J9k0" * (length // 20 + 1))[:length]


def hexadecimal(length: int) -> str:
    return ("0a1b2c3d4e5f6789" * (length // 16 + 1))[:length]


def upper(length: int) -> str:
    return ("Q2W3E4R5T6Y7" * (length // 12 + 1))[:length]


def armoured(kind: str, lines: int = 3) -> str:
    body = "\n".join("MIIE" + mixed(60) for _ in range(lines))
    return f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----"


JWT = ".".join(
    ["eyJ" + mixed(33), "eyJ" + mixed(60), mixed(20) + "-_" + mixed(20)]
)  # never one literal
AN_ID = "3f2a9c11-7b44-4c55-9d66-0a1b2c3d4e5f"
WORDY = "hunt" + "er" + "2!x"

# kind, what stands before, the secret, what stands after
VECTORS: list[tuple[str, str, str, str]] = [
    ("aws-key-id", "key ", "AKIA" + upper(16), " was rotated"),
    ("aws-key-id", "id=", "ASIA" + upper(16), "\n"),
    ("aws-secret", "aws_secret_access_key = ", mixed(20) + "/" + mixed(19), "\n"),
    ("aws-secret", '{"SecretAccessKey": "', mixed(19) + "+/" + mixed(19), '"}'),
    ("github", "git clone with ", "ghp_" + mixed(36), " please"),
    ("github", "GITHUB_TOKEN=", "gho_" + mixed(36), "\n"),
    ("github", "(", "ghu_" + mixed(36), ")"),
    ("github", "'", "ghs_" + mixed(36), "'"),
    ("github", "\\n", "ghr_" + mixed(36), "\\n"),
    ("github", "use ", "github_pat_" + mixed(22) + "_" + mixed(59), "."),
    ("gitlab", "PRIVATE-TOKEN: ", "glpat-" + mixed(10) + "-_" + mixed(8), "\n"),
    ("gitlab", "runner ", "glrt-" + mixed(20), " registered"),
    ("slack", "bot ", "xoxb-" + "123456789012-" + mixed(24), " joined"),
    ("slack", "user ", "xoxp-" + "1234-5678-" + mixed(32), ";"),
    ("slack", "https://hooks.slack.com/services/", "T0AB/B0CD/" + mixed(24), " posts"),
    ("stripe", "stripe.api_key = '", "sk_live_" + mixed(24), "'"),
    ("stripe", "", "rk_live_" + mixed(30), ""),
    ("stripe", "test mode ", "sk_test_" + mixed(24), ", fine"),
    ("stripe", "endpoint secret ", "whsec_" + mixed(16) + "+/" + mixed(14), " set"),
    ("openai", "OPENAI_API_KEY=", "sk-" + mixed(48), "\n"),
    ("openai", "with ", "sk-proj-" + mixed(30) + "-_" + mixed(30), " it works"),
    ("anthropic", "export ANTHROPIC_API_KEY=", "sk-ant-api03-" + mixed(80), "\n"),
    ("anthropic", "key ", "sk-ant-" + "admin01-" + mixed(60), "?"),
    ("google", "key=", "AIza" + mixed(20) + "-_" + mixed(13), "&x=1"),
    ("google", "access ", "ya29." + mixed(60), " expires"),
    ("google", "client ", "GOCSPX-" + mixed(28), "."),
    ("npm", "//registry/:_authToken=", "npm_" + mixed(36), "\n"),
    ("npm", "", "npm_" + mixed(36), " is mine"),
    ("pypi", "password = ", "pypi-AgEIcHlwaS5vcmc" + mixed(60), "\n"),
    ("pypi", "upload with ", "pypi-" + mixed(80), " now"),
    ("huggingface", "HF_TOKEN=", "hf_" + mixed(34), "\n"),
    ("huggingface", "login ", "hf_" + mixed(37), ""),
    ("sendgrid", "", "SG." + mixed(22) + "." + mixed(43), " mails"),
    ("sendgrid", "Bearer is ", "SG." + mixed(20) + "-_." + mixed(43), "\n"),
    ("twilio", "account ", "AC" + hexadecimal(32), " calls"),
    ("twilio", 'TWILIO_API_KEY="', "SK" + hexadecimal(32), '"'),
    ("trello", "with ", "ATTA" + hexadecimal(72), " it lists boards"),
    ("twitter", "with ", "A" * 22 + mixed(24) + "%3D" + mixed(50), " it reads"),
    ("token", "LAUNCHDARKLY_ACCESS_TOKEN=", f"api-{AN_ID}", "\n"),
    ("api-key", 'launchdarkly_sdk_key="', f"sdk-{AN_ID}", '"'),
    ("telegram", "bot ", "123456789:AA" + mixed(33), " answers"),
    ("telegram", "https://api.telegram.org/bot", "98765432:AA" + mixed(33), "/getMe"),
    (
        "discord",
        "client.run('",
        "M" + mixed(23) + "." + mixed(6) + "." + mixed(27),
        "')",
    ),
    ("discord", "https://discord.com/api/webhooks/", "12345678/" + mixed(68), "\n"),
    ("digitalocean", "doctl -t ", "dop_v1_" + hexadecimal(64), "\n"),
    ("digitalocean", "oauth ", "doo_v1_" + hexadecimal(64), "\n"),
    ("shopify", "app ", "shpat_" + hexadecimal(32), " installed"),
    ("shopify", "shared ", "shpss_" + hexadecimal(32), " set"),
    ("square", "", "sq0atp-" + mixed(22), " pays"),
    ("square", "token is ", "EAAA" + mixed(60), "\n"),
    ("mailgun", "mailgun ", "key-" + hexadecimal(32), " sends"),
    ("mailgun", "api:", "key-" + hexadecimal(32), "\n"),
    ("databricks", "profile ", "dapi" + hexadecimal(32), " works"),
    ("databricks", "--token ", "dapi" + hexadecimal(32) + "-2", "\n"),
    ("linear", "linear ", "lin_api_" + mixed(40), " works"),
    ("linear", "", "lin_oauth_" + hexadecimal(64), ""),
    ("notion", "notion ", "ntn_" + mixed(46), " reads"),
    ("notion", "old ", "secret_" + mixed(43), " works"),
    ("vault", "vault login ", "hvs." + mixed(60), "\n"),
    ("vault", "batch ", "hvb." + mixed(90), "\n"),
    ("doppler", "doppler ", "dp.pt." + mixed(43), " run"),
    ("doppler", "service ", "dp.st.prd." + mixed(43), " run"),
    ("groq", "", "gsk_" + mixed(52), ""),
    ("groq", "GROQ=", "gsk_" + mixed(52), "\n"),
    ("supabase", "", "sbp_" + hexadecimal(40), ""),
    ("supabase", "with ", "sbp_" + hexadecimal(40), "."),
    ("grafana", "", "glsa_" + mixed(32) + "_" + hexadecimal(8), ""),
    ("grafana", "and ", "glsa_" + mixed(32) + "_" + hexadecimal(8), " read"),
    ("holdfast", "", "hft_" + hexadecimal(72), ""),
    ("holdfast", "Bearer ", "hft_" + hexadecimal(72), "\n"),
    ("rubygems", "", "rubygems_" + hexadecimal(48), ""),
    ("rubygems", "gem push ", "rubygems_" + hexadecimal(48), "\n"),
    ("xai", "", "xai-" + mixed(80), ""),
    ("xai", "key ", "xai-" + mixed(80), " ok"),
    ("perplexity", "", "pplx-" + mixed(48), ""),
    ("perplexity", "key ", "pplx-" + mixed(48), " ok"),
    ("nvidia", "", "nvapi-" + mixed(64), ""),
    ("nvidia", "key ", "nvapi-" + mixed(30) + "-_" + mixed(30), " ok"),
    ("azure", "AccountName=x;AccountKey=", mixed(86) + "==", ";Endpoint=y"),
    ("azure", "Endpoint=sb://x/;SharedAccessKey=", mixed(43) + "=", ""),
    (
        "azure",
        "https://x.blob.core.windows.net/c?sv=1&sig=",
        mixed(43) + "%3D",
        "&se=2",
    ),
    ("age", "", "AGE-SECRET-KEY-1" + upper(58), "\n"),
    ("age", "# key\n", "AGE-SECRET-KEY-1" + upper(58), ""),
    ("private-key", "before\n", armoured("RSA PRIVATE KEY"), "\nafter"),
    ("private-key", "", armoured("OPENSSH PRIVATE KEY"), ""),
    ("private-key", "x", armoured("PGP PRIVATE KEY BLOCK", 20), "y"),
    ("private-key", 'key = "', armoured("EC PRIVATE KEY").replace("\n", "\\n"), '"'),
    ("jwt", "id ", JWT, " end"),
    ("jwt", "token=", JWT, "\n"),
    ("jwt", "{\\n", JWT, "\\n}"),
    ("jwt", "session_", JWT, " end"),
    ("jwt", "cut off ", JWT.rpartition(".")[0], " end"),
    ("url-password", "postgres://app:", WORDY, "@db:5432/app"),
    ("url-password", "redis://:", mixed(12), "@cache"),
    ("url-password", "git clone https://me:", "p@ss" + "w0rd", "@host/x.git"),
    ("authorization", "Authorization: Bearer ", mixed(24), "\n"),
    ("authorization", "-H 'Authorization: Basic ", mixed(15) + "=", "' https://x"),
    ("authorization", '"authorization": "token ', mixed(20), '"'),
    ("cookie", "Set-Cookie: sid=", mixed(30), "; Path=/; HttpOnly"),
    ("cookie", "Cookie: ", "a=" + mixed(9) + "; csrftoken=" + mixed(12), "\n"),
    ("cookie", "curl -b sessionid=", mixed(32), " https://x"),
    ("password", "Server=db;User Id=sa;Password=", WORDY, ";Encrypt=yes"),
    ("password", "password = '", WORDY, "'"),
    ("password", 'DB_PASSWORD="', WORDY, '"'),
    ("password", "export PGPASSWORD=", WORDY, "\n"),
    ("password", "password: ", WORDY, "\n"),
    ("password", '{"user": "a", "password": "', WORDY, '"}'),
    ("password", '{\\"password\\": \\"', WORDY, '\\"}'),
    ("password", "mysql --user root --password ", WORDY, " db"),
    ("password", "config['password'] = \"", WORDY, '"'),
    ("password", "'passwd' => '", WORDY, "',"),
    ("password", 'password    = "', WORDY, '"'),
    ("password", 'password: str = "', WORDY, '"'),
    ("password", 'if password == "', WORDY, '":'),
    ("password", "SMTP_PASS=", WORDY, "\n"),
    ("password", 'dbPass: "', WORDY, '",'),
    ("password", "curl -u admin:", WORDY, " https://x"),
    ("password", "https://x/login?user=a&password=", WORDY, "&y=1"),
    ("password", "**Password:** ", WORDY, "\n"),
    ("password", "(password: ", WORDY, ")"),
    ("password", "pwd=", "letmein", "\n"),
    ("password", "password: ", "12345" + "678", "\n"),
    ("password", 'password = "', "correct-" + "horse-battery", '"'),
    ("password", 'password = "', 'ab\\"cd' + "9", '"'),
    ("secret", "client_secret: '", mixed(24), "'"),
    ("secret", "JWT_SECRET=", "super" + "secret" + "9", "\n"),
    ("secret", "SECRET_KEY_BASE=", hexadecimal(64), "\n"),
    ("token", 'auth_token = "', mixed(20), '"'),
    ("token", "  token: ", mixed(32), "\n"),
    ("token", "gh auth --token ", hexadecimal(40), "\n"),
    ("api-key", "X-API-Key: ", mixed(32), "\n"),
    ("api-key", 'apiKey: "', mixed(20), '"'),
    ("api-key", "?api_key=", mixed(16), "&q=1"),
    ("api-key", "https://api.example/v1/now.json?key=", hexadecimal(32), "&q=Oslo"),
    ("api-key", "curl $BASE/v1?q=Oslo&key=", hexadecimal(40), " -s"),
    ("aws-secret", "AWS_SECRET_ACCESS_KEY=", "/" + mixed(39), "\n"),
    ("password", 'password = "', "$tr0ng-" + "p@ss", '"'),
    ("token", 'token = "Bearer ', mixed(20), '"'),
    ("credential", '"auth": "', mixed(24), '"'),
    ("credential", "credentials = '", mixed(24), "'"),
    *(
        ("password", before, "Xk29" + "dkw0sPq1", after)
        for before in ("so password=", "(password=", "my password: ", "f(password=")
        for after in (*",;)]}>\"'.", ", ok", "。好", "、", "，好", "）")
    ),
    ("password", "(user bob, password=", "hunter" + "2", ", port 1)"),
    ("password", "User{name=bob, password=", "hunter" + "2", ", age=3}"),
    ("password", 'f(password="', "Xk29" + "dkw0sPq1", '", ok)'),
    ("token", "token=", "Xk29" + "dkw0sPq1", ", ok"),
]


@pytest.mark.parametrize(
    ("kind", "before", "secret", "after"),
    [
        pytest.param(*vector, id=f"{vector[0]} {number}")
        for number, vector in enumerate(VECTORS)
    ],
)
def test_a_secret_of_every_kind_is_replaced_and_its_surroundings_stay(
    kind: str, before: str, secret: str, after: str
) -> None:
    """A secret never reaches the store; the sentence around it must stay readable."""
    redactor = Redactor(b"key")

    clean = redactor.text(before + secret + after)

    found = PLACEHOLDER.search(clean)
    assert found is not None
    assert found[1] == kind
    assert clean == before + found[0] + after
    assert redactor.count() == {kind: 1}


CLEAN = [
    "",
    f"request api-{AN_ID} took 12 ms",
    f"device sdk-{AN_ID} was seen",
    "GET /items?key=some-long-name-of-an-item-2&page=3",
    "https://shop.example/a?q=1&key=user_profile_settings_page_2",
    f"https://shop.example/a?sort_key={'3b18e512' * 4}",
    f'"bdata": "{"A" * 22}{mixed(90)}"',
    "The quick brown fox jumps over the lazy dog.",
    "def connect(password: str, token: str | None = None) -> None: ...",
    "function login(password: string, token?: string): Promise<void> {}",
    "type Config struct { Password string; Token string }",
    "max_tokens = 1000",
    "token_count: 5",
    '{"input_tokens": 12345, "output_tokens": 678, "max_tokens": 4096}',
    "tokens: 15000 total, token: 5",
    "password = os.environ['DB_PASSWORD']",
    "const key = process.env.API_KEY",
    "apiKey: process.env.OPENAI_API_KEY,",
    "password: ${DB_PASSWORD}",
    "export TOKEN=$GITHUB_TOKEN",
    "PASSWORD=$(pass show db)",
    "token: ${{ secrets.GITHUB_TOKEN }}",
    'password = "changeme"',
    'api_key = "your-api-key"',
    'api_key = "YOUR_API_KEY_HERE"',
    "token = <token>",
    "password: <your password here>",
    'secret = "xxxxxxxxxxxxxxxx"',
    "password=********",
    "token: None",
    "secret = null",
    "auth: true",
    "password = get_password(user)",
    "token = tokens[12]",
    "token := scanner.Token()",
    "self.password = password",
    "login(user=user, password=password2)",
    "login(user=user, password=password2, retry=retry1)",
    "login(\n    user=user,\n    password=password2,\n)",
    "connect(host[0], password=s3Secret2)",
    "const form = { user: user1, password: pass1, }",
    "sign in (password=None) or with (token=token)",
    "password: this.form2.password,",
    '<input type="password" name="password">',
    '"password": "Please enter your password"',
    'RESET_PASSWORD = "reset_password"',
    'secretName: "tls-certificates"',
    "secret: my-app-tls",
    "password_file = /etc/app/password.txt",
    "token: ~/.config/app/token.json",
    "PWD=/home/user/project",
    "commit 3b18e512dba79e4c8300dd08aeb37f8e728b8dad",
    "git show 3b18e51 && git diff HEAD~1",
    "key: 3b18e512dba79e4c8300dd08aeb37f8e728b8dad",
    "session 7670db3a-2057-406a-a109-afcedef1cb97",
    "sessionId=7670db3a-2057-406a-a109-afcedef1cb97",
    "ccp-7670db3a-2057-406a-a109-afcedef1cb97-01-1737196625000",
    "token: 7670db3a-2057-406a-a109-afcedef1cb97",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "https://github.com/user/repo/blob/main/src/token_store.py#L10",
    "http://localhost:8080/@scope/package",
    "git@github.com:user/repo.git and ssh://git@host:22/x",
    "postgres://user:password@localhost/db is the documented default",
    "see postgres://$USER:$PASS@host and https://user:<token>@host",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    'headers = {"Authorization": f"Bearer {token}"}',
    "Authorization: requires authentication by the gateway",
    "Basic auth and Bearer tokens are both supported",
    "Cookie: name=value",
    "cookie: document.cookie",
    "the --password flag is required, --token is not",
    "run with --token $TOKEN --password-file secret.txt",
    "docker run -u 1000:1000 image",
    'if "-----BEGIN RSA PRIVATE KEY-----" in text:',
    "-----BEGIN CERTIFICATE-----\nMIIE" + "A1b2" * 20 + "\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMIIE" + "A1b2" * 20 + "\n-----END PUBLIC KEY-----",
    "|------|--------|--------------------|\n| a | b | c |",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "the prefix is ghp_ and sk-ant- and AKIA",
    "class sk-chasing-dot-before-animation-name { }",
    "npm_config_registry=x npm_lifecycle_event=y",
    "risk-assessment-2024-final-version-of-document",
    "task-1234567890-abcdefghijklmnop",
    "eyJ is how base64 of a JSON object begins: eyJhbGciOiJIUzI1NiJ9",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4",
    "AccountKey=<account key>;EndpointSuffix=core.windows.net",
    "timeout: 30\nretries: 3\nport: 5432",
    "2026-01-18T15:23:45.000Z INFO token refreshed in 35 ms",
    "12:30:45 and 123456789:short",
    "--- PASS: TestToken (0.00s)\n--- FAIL: TestSecret (0.01s)\npass: 12",
    "author: Jane <jane@example.org>",
    "passwords are hashed; the password is never logged",
    "What is a token? A token: the smallest unit of text.",
    "保存しました: パスワードは不要です。password: 不要",
    "[redacted:github:12ab] and password=[redacted:password:12ab]",
    "use private tags to hide text, and </private> to end them",
    '"AWS::IAM::AccessKey": "72c2d9dd90025459"',
    "arn:aws:secretsmanager:eu-west-1:123456789012:secret:app-db-a1b2c3",
    "user_password = '%s:%s' % (user, given)",
    'password = f"{registry_id}-auth-token"',
    "authorization = base64.decodebytes(header)",
    "AccessToken::new(token2)",
    "http://localhost:8080?email=me@example.org",
    "[a](http://localhost:8080), me@example.org",
    "token = hash_sha256",
    'token = "7670db3a"',
    'password = "auth.reset.password"',
    "password = '%(password)s'",
    "PASSWORD=$HOME-x",
]


@pytest.mark.parametrize("text", CLEAN)
def test_a_clean_text_is_returned_itself(text: str) -> None:
    """Types, variables, placeholders, ids and paths are what a checkpoint is made of."""
    redactor = Redactor(b"key")

    assert redactor.text(text) is text
    assert redactor.count() == {}


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        pytest.param("a <private>b</private> c", "a [private] c", id="span"),
        pytest.param("<private>a\nb</private>", "[private]", id="lines"),
        pytest.param(
            "<private>a<private>b</private>c</private>d", "[private]d", id="nested"
        ),
        pytest.param(
            "x <private>password=" + WORDY + "</private>", "x [private]", id="secret"
        ),
        pytest.param(
            "</private> a <private>", "</private> a [private]", id="wrong order"
        ),
        pytest.param("<Private > b\nc", "[private]", id="not closed"),
        pytest.param("a <private> b\nc", "a [private]\nc", id="in place of a value"),
    ],
)
def test_what_a_user_marked_private_goes(text: str, clean: str | None) -> None:
    """The user is in charge: marked text is not kept, whatever it is."""
    assert Redactor().text(text) == (text if clean is None else clean)


@pytest.mark.parametrize("lines", ["", "\n", "\nAb1c2=="])
def test_a_private_key_whose_end_was_cut_off_goes_with_its_whole_body(
    lines: str,
) -> None:
    """Output is clipped before it reaches us, and half a key is still a key."""
    cut = armoured("RSA PRIVATE KEY", 12).partition("\n-----END")[0] + lines

    clean = Redactor().text(f"cat id_rsa\n{cut}").rstrip()

    assert re.fullmatch(r"cat id_rsa\n\[redacted:private-key:[0-9a-f]{4}\]", clean)


def test_a_numbered_listing_of_a_private_key_goes_as_one() -> None:
    """Agents show files with line numbers, which break every line of a key."""
    lines = armoured("PRIVATE KEY").split("\n")[:-1]
    listing = "\n".join(f"{number:6}→{line}" for number, line in enumerate(lines, 1))

    clean = Redactor().text(listing)

    assert re.fullmatch(r" +1→\[redacted:private-key:[0-9a-f]{4}\]", clean)


def test_equal_secrets_have_equal_tags_and_other_keys_other_tags() -> None:
    """A reader may see that two places share a secret; nobody may test guesses."""
    first, second = "ghp_" + mixed(36), "ghp_" + mixed(40)
    redactor = Redactor(b"one store")

    tags = PLACEHOLDER.findall(redactor.text(f"{first} {second} {first}"))

    assert tags[0] == tags[2] != tags[1]
    assert PLACEHOLDER.findall(Redactor(b"another").text(first)) != [tags[0]]
    assert PLACEHOLDER.findall(Redactor(b"k" * 500).text(first)) != [tags[0]]


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param({"password": WORDY}, id="object"),
        pytest.param({"db": [{"nested": {"apiKey": mixed(20)}}]}, id="nested"),
        pytest.param([{"name": "DB_PASSWORD", "value": WORDY}], id="name and value"),
        pytest.param(["mysql", "--password", WORDY], id="arguments"),
        pytest.param(
            {"headers": {"Authorization": "Bearer " + mixed(20)}}, id="header"
        ),
        pytest.param({"headers": {"Set-Cookie": "sid=" + mixed(20)}}, id="cookie"),
        pytest.param({"token": [mixed(20), mixed(24)]}, id="list of a name"),
        pytest.param({"api_token": "Bearer " + mixed(20)}, id="scheme and token"),
        pytest.param({"ghp_" + mixed(36): 1}, id="key"),
        pytest.param({"log": f"password={WORDY}"}, id="text"),
    ],
)
def test_a_json_value_keeps_its_form_and_loses_its_secrets(tree: Any) -> None:
    """Tool input is JSON: there the name and the secret are not in one string."""
    redactor = Redactor(b"key")

    clean = redactor.tree(tree)

    text = json.dumps(clean)
    assert not any(secret in text for secret in (WORDY, mixed(20), mixed(36)))
    assert sum(redactor.count().values()) == len(PLACEHOLDER.findall(text)) > 0
    assert redactor.tree(clean) == clean


def test_a_json_value_without_secrets_comes_back_equal_however_deep() -> None:
    """Someone else's JSON may be nested deeper than Python's stack."""
    deep: Any = "end"
    for _ in range(5_000):
        deep = {"a": [deep, 1, None, True, 2.5]}

    clean = Redactor().tree(deep)

    depth = 0
    while isinstance(clean, dict):
        assert clean["a"][1:] == [1, None, True, 2.5]
        clean, depth = clean["a"][0], depth + 1
    assert (clean, depth) == ("end", 5_000)


SNIPPETS = st.sampled_from(
    [before + secret + after for _, before, secret, after in VECTORS]
    + [secret for _, _, secret, _ in VECTORS]
    + CLEAN
    + ["<private>", "</private>", "[redacted:", "password=", ": ", "=", '"', "\n", "-"]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(SNIPPETS, st.text(max_size=20)), max_size=8).map("".join))
def test_redacting_twice_is_redacting_once(text: str) -> None:
    """A text passes the chokepoint again at every export, import and mirror."""
    redactor = Redactor(b"key")

    once = redactor.text(text)

    assert redactor.text(once) == once


_VALUES = st.recursive(
    SNIPPETS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["text", "password", "name", "value", "--token"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(st.lists(_VALUES, max_size=4))
def test_what_was_seen_before_changes_nothing(values: list[Any]) -> None:
    """One redactor sees a whole backfill; what it knows to be clean is not looked at."""
    one = Redactor(b"key")
    fresh = [Redactor(b"key") for _ in values]

    cleaned = [one.tree(value) for value in values]

    assert cleaned == [
        alone.tree(value) for alone, value in zip(fresh, values, strict=True)
    ]
    counts = [alone.count() for alone in fresh]
    assert one.count() == {
        kind: sum(count.get(kind, 0) for count in counts)
        for kind in {kind for count in counts for kind in count}
    }


@settings(max_examples=200, deadline=None)
@given(
    before=st.text(alphabet=string.printable, max_size=60),
    after=st.text(alphabet=string.printable, max_size=60),
    vector=st.sampled_from([v for v in VECTORS if v[0] in ("github", "jwt", "vault")]),
)
def test_no_neighbourhood_hides_a_token(
    before: str, after: str, vector: tuple[str, str, str, str]
) -> None:
    """A token is as secret between odd neighbours as in a tidy line."""
    _, _, secret, _ = vector

    clean = Redactor().text(f"{before} {secret} {after}")

    assert secret not in clean


HOSTILE: dict[str, Callable[[int], str]] = {
    "equals signs": lambda n: "=" * n,
    "names": lambda n: "password=" * (n // 9),
    "names with values": lambda n: "token: a1b2c3d4e5 " * (n // 18),
    "one letter": lambda n: "a" * n,
    "one word": lambda n: "A1b2" * (n // 4),
    "key headers": lambda n: "-----BEGIN PRIVATE KEY-----" * (n // 27),
    "key headers with text": lambda n: "-----BEGIN PRIVATE KEY-----\nabc\n" * (n // 32),
    "endless key": lambda n: "-----BEGIN PRIVATE KEY-----\n" + "A1b2" * (n // 4),
    "jwt beginnings": lambda n: "eyJ" * (n // 3),
    "jwt parts": lambda n: ".eyJ" * (n // 4),
    "jwt halves": lambda n: "eyJaaaaaaaaaa." * (n // 14),
    "schemes": lambda n: "://" * (n // 3),
    "schemes with users": lambda n: "://a:b" * (n // 6),
    "dashes": lambda n: "-" * n,
    "flags": lambda n: "--token " * (n // 8),
    "long flags": lambda n: "--" + "a-" * (n // 2),
    "prefixes": lambda n: "sk-" * (n // 3),
    "github prefixes": lambda n: "ghp_" * (n // 4),
    "dots": lambda n: "." * n,
    "quotes": lambda n: "password='" * (n // 10),
    "spaces": lambda n: "password" + " " * n + "=",
    "private tags": lambda n: "<private>" * (n // 9),
    "cookies": lambda n: "Cookie: " + "a=b1c2; " * (n // 8),
    "replacements": lambda n: "[redacted:secret:12ab]" * (n // 22),
    "names in prose": lambda n: "the password is " * (n // 16),
    "names in calls": lambda n: 'password("' * (n // 10),
    "keys": lambda n: "api key " * (n // 8),
    "long quotes": lambda n: "key '" + "A1b2" * (n // 4),
    "options": lambda n: "mysql -p " * (n // 9),
    "one command": lambda n: "mysql" + " -p" * (n // 3),
    "attributes": lambda n: 'name="password" value=' * (n // 22),
    "schemes of headers": lambda n: "Bearer " * (n // 7),
    "hosts": lambda n: "a@" * (n // 2),
    "addresses": lambda n: "a:b@tcp(" * (n // 8),
    "passwords in addresses": lambda n: "://a:" + "b@" * (n // 2),
    "ports": lambda n: ":5432:a:b:" * (n // 10),
    "encoded keys": lambda n: "LS0tLS1CRUdJTi" * (n // 14),
    "one encoded key": lambda n: "LS0tLS1CRUdJTi" + "A1b2" * (n // 4),
    "lines of keys": lambda n: "Private-Lines: 1\nA" * (n // 18),
    "underscores": lambda n: "_" * n,
    "unlisted prefixes": lambda n: "a_" * (n // 2) + "A1b2" * 8,
    "other languages": lambda n: "пароль " * (n // 7),
    "logins": lambda n: 'login("' * (n // 7),
    "literals": lambda n: "cio1//0EZGR1348941" * (n // 18),
    "quoted keys": lambda n: f'"{mixed(32)}" ' * (n // 35),
    "quoted keys and names": lambda n: f'"{mixed(32)}" token ' * (n // 41),
    "what is said of names": lambda n: "is the new api " * (n // 15),
    "a long name that is said": lambda n: f"is the {'a' * 90} " * (n // 98),
    "encoded operators": lambda n: "token%3D" * (n // 8),
    "encoded quotes": lambda n: "token&quot;:&quot;" * (n // 17),
    "names on lines": lambda n: "password\n" * (n // 9),
    "names and dashes": lambda n: "password — " * (n // 11),
    "names before tags": lambda n: "password</b> " * (n // 13),
    "wide colons": lambda n: "password：" * (n // 9),
    "blanks of another width": lambda n: "password\u00a0" * (n // 9),
    "options without values": lambda n: "useradd -p " * (n // 11),
    "ends of other issuers": lambda n: "0a1b2c3d-us1 " * (n // 13),
    "secrets": lambda n: ("ghp_" + mixed(36) + " ") * (n // 41),
}


_LINEAR = 8  # times as long for four times the text; a quadratic one takes 16
_MOST_TRIES = 4  # a busy machine slows one of the two, not always


def cpu_seconds(action: Callable[[str], object], text: str) -> float:
    """Return the shortest of a few runs: other work on the machine only ever adds."""
    runs: list[float] = []
    while len(runs) < 2 or (len(runs) < 4 and sum(runs) < 0.1):
        start = time.thread_time()
        action(text)
        runs.append(time.thread_time() - start)
    return min(runs)


@pytest.mark.parametrize("size", [50_000, 200_000])
@pytest.mark.parametrize("hostile", [pytest.param(f, id=n) for n, f in HOSTILE.items()])
def test_four_times_the_text_takes_about_four_times_as_long(
    hostile: Callable[[int], str], size: int
) -> None:
    """A hostile text must not be able to hold up a hook."""
    action = Redactor(b"key").text
    action(hostile(100))  # compiles what it needs

    ratios: list[float] = []
    while not ratios or (min(ratios) > _LINEAR and len(ratios) < _MOST_TRIES):
        quarter = cpu_seconds(action, hostile(size // 4))
        ratios.append(cpu_seconds(action, hostile(size)) / max(quarter, 0.001))

    assert min(ratios) <= _LINEAR


@pytest.mark.parametrize(
    "hidden",
    [
        pytest.param("\u200b", id="a zero-width space"),
        pytest.param("\u200d", id="a joiner"),
        pytest.param("\x1b[31m", id="a colour"),
        pytest.param("\x08", id="a backspace"),
        pytest.param("\x01", id="a control character"),
        pytest.param("\x0b", id="a vertical tab"),
        pytest.param("\u2066", id="a direction"),
    ],
)
def test_a_secret_with_something_invisible_in_it_is_a_secret(hidden: str) -> None:
    """Whatever strips what cannot be seen would make it whole again, on disk."""
    token = "ghp_" + "a8KxZr7QpL2mVt9WcYb4NdEf6HgJs1UoXi3T"

    for text in (f"use {token[:9]}{hidden}{token[9:]} now", f"use {hidden}{token} now"):
        clean = Redactor(b"key").text(text)

        assert token[9:] not in clean
        assert "[redacted:" in clean
        assert Redactor(b"key").text(clean) == clean


@pytest.mark.parametrize(
    "text",
    [
        "\x1b[32m5 passed\x1b[0m",
        "क्\u200dष and می\u200cخواهم",
        "emoji \u2764\ufe0f stays",
    ],
)
def test_what_hides_no_secret_keeps_every_byte(text: str) -> None:
    """Scripts need joiners, and a log its colours."""
    assert Redactor(b"key").text(text) is text


def test_what_was_clean_stays_so_and_a_secret_is_counted_each_time() -> None:
    """A text that was looked at once is not looked at again; one with a secret is."""
    redactor = Redactor(b"key")
    clean, secret = "nothing to hide", "password = hunter2hunter2"
    first = redactor.text(secret)
    again = (redactor.text(clean), redactor.text(clean), redactor.text(secret))
    assert again == (clean, clean, first)
    assert "hunter2" not in first
    assert redactor.tree({"said": clean, "ran": secret})["ran"] == first
    assert sum(redactor.count().values()) == 3
