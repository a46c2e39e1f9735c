"""Hosts of a team's remote, over the network: an SSH server, and a certificate for TLS.

Keys and certificates are made for one test and trusted by nobody else.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from tests.missing import without

_READY = b"Server listening"


class Certificate(NamedTuple):
    """A certificate that signed itself: whoever asks for it trusts this one alone."""

    certificate: Path
    key: Path


def a_certificate(root: Path, address: str) -> Certificate:
    """Make one for a host that is called by its address."""
    if shutil.which("openssl") is None:
        without("`openssl` is not installed: no remote was reached over TLS")
    made = Certificate(root / "host.pem", root / "host.key")
    _run(
        "openssl", "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=team",
        "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
        "-addext", f"subjectAltName=IP:{address}",
        "-keyout", str(made.key), "-out", str(made.certificate),
    )  # fmt: skip
    return made


@contextmanager
def ssh_host(root: Path, address: str) -> Iterator[str]:
    """Serve SSH where this thread is; return the command that reaches it as its user."""
    sshd = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
    if sshd is None or shutil.which("ssh") is None:
        without("OpenSSH's server is not installed: no remote was reached over SSH")
    for name in ("host", "user"):
        _run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(root / name))
    host = (root / "host.pub").read_text(encoding="utf-8")
    (root / "known").write_text(f"{address} {host}", encoding="utf-8")
    settings = {
        "ListenAddress": address,
        "HostKey": root / "host",
        "AuthorizedKeysFile": root / "user.pub",
        "PidFile": "none",
        "StrictModes": "no",  # the directory is a test's
        "UsePAM": "no",
        "PasswordAuthentication": "no",
        "KbdInteractiveAuthentication": "no",
        "PermitRootLogin": "prohibit-password",
        "LogLevel": "VERBOSE",
        "MaxStartups": "100",
    }
    lines = "".join(f"{name} {value}\n" for name, value in settings.items())
    (root / "sshd_config").write_text(lines, encoding="utf-8")
    Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)  # it will not start without
    call = [sshd, "-D", "-e", "-f", str(root / "sshd_config")]
    with subprocess.Popen(call, stderr=subprocess.PIPE) as server:
        _wait_until_ready(server)
        try:
            yield (
                f"ssh -F none -oBatchMode=yes -oIdentitiesOnly=yes"
                f" -oIdentityFile={root}/user -oUserKnownHostsFile={root}/known"
                " -oGlobalKnownHostsFile=none -oStrictHostKeyChecking=yes"
            )
        finally:
            server.terminate()


def _wait_until_ready(server: "subprocess.Popen[bytes]") -> None:
    assert server.stderr
    said = b""
    while _READY not in said:
        line = server.stderr.readline()
        assert line, said
        said += line
    # It would stop at a full pipe.
    Thread(target=server.stderr.read, daemon=True).start()


def _run(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True)
