"""What the user agreed to have told of others: added, known to everybody, taken back."""

from pathlib import Path

from holdfast.data_directory.approvals import ApprovalFile
from holdfast.data_directory.port import Approvals

_ONE, _OTHER = "a1" * 32, "b2" * 32


def approvals(home: Path) -> Approvals:
    return ApprovalFile(str(home))


def test_what_was_added_is_known_to_every_process(tmp_path: Path) -> None:
    """And nothing else is: not a part of it, not nothing, not another one."""
    approvals(tmp_path).add(_ONE)

    kept = approvals(tmp_path)
    assert kept.has(_ONE)
    assert not kept.has(_OTHER)
    assert not kept.has(_ONE[:-1])
    assert not kept.has("")


def test_adding_twice_is_adding_once(tmp_path: Path) -> None:
    kept = approvals(tmp_path)
    kept.add(_ONE)
    kept.add(_OTHER)
    kept.add(_ONE)

    assert kept.remove(_ONE)
    assert not kept.has(_ONE)
    assert kept.has(_OTHER)
    assert not kept.remove(_ONE)


def test_a_damaged_file_agrees_to_nothing(tmp_path: Path) -> None:
    """What cannot be read is asked about again."""
    (tmp_path / "approved").write_bytes(b"\xff\x00 yes to all\n*\n" + _OTHER.encode())

    kept = approvals(tmp_path)

    assert not kept.has(_ONE)
    assert not kept.has("*")
    assert kept.has(_OTHER)
