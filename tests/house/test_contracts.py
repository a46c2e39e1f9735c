"""Each promise of a port is kept by a contract test of its role."""

import ast
import re
from pathlib import Path
from typing import NamedTuple

import pytest

_ROOT = Path(__file__).parents[2]
_CONTRACTS = _ROOT / "tests" / "contract"
_PORTS = {
    "store": (
        "store/port.py",
        "store/hook_port.py",
        "store/outbox_port.py",
        "store/team_port.py",
    ),
    "data": ("data_directory/port.py",),
    "snapshot": (
        "snapshot/port.py",
        "snapshot/restore_port.py",
        "snapshot/remote_port.py",
    ),
    "agent": ("agents/port.py", "agents/past_port.py"),
    "project": ("project_notes/port.py",),
    "mirror": ("mirrors/port.py",),
}
_NAMED_OTHERWISE = {
    "ClientMemory": "test_agent_memory",
    "ProjectFiles": "test_project_files",
    "Store": "test_store_outbox",  # the one role that is not a part of it
    "TranscriptReading": "test_transcripts",
    "Transcripts": "test_transcripts",
}


class _Role(NamedTuple):
    contract: str  # how the names of its tests begin: `test_store_clients`
    methods: frozenset[str]


def _roles() -> list[_Role]:
    return [
        _Role(_contract(room, node.name), _methods(node))
        for room, ports in _PORTS.items()
        for port in ports
        for node in ast.parse(
            (_ROOT / "src" / "holdfast" / port).read_text(encoding="utf-8")
        ).body
        if isinstance(node, ast.ClassDef) and _methods(node)
    ]


def _methods(role: ast.ClassDef) -> frozenset[str]:
    return frozenset(
        part.name
        for part in role.body
        if isinstance(part, ast.FunctionDef) and not part.name.startswith("__")
    )


def _contract(room: str, role: str) -> str:
    return _NAMED_OTHERWISE.get(role, f"test_{room}_{_snake(role)}")


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


@pytest.mark.parametrize("role", _roles(), ids=lambda role: role.contract)
def test_a_role_has_a_contract_that_asks_for_all_of_it(role: _Role) -> None:
    """A second engine that passes the contract keeps every promise."""
    tests = _CONTRACTS.glob(f"{role.contract}*.py")

    asked = "".join(path.read_text(encoding="utf-8") for path in tests)

    assert {name for name in role.methods if not re.search(rf"\.{name}\b", asked)} == (
        set()
    )
