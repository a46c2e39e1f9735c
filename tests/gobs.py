"""What Go's `encoding/gob` writes, for a document of contextd's vector store."""

import struct

_DOCUMENT, _MAP, _FLOATS = 65, 66, 67
# The example of the package's own documentation: Point{22, 33}.
POINT = bytes.fromhex(
    "1fff8103010105506f696e7401ff82000102010158010400010159010400000007ff82012c014200"
)


def document(identity: str, metadata: dict[str, str], content: str = "") -> bytes:
    """Return a document as the store's file has it."""
    name = _text("Document")
    fields = (("ID", 6), ("Metadata", _MAP), ("Embedding", _FLOATS), ("Content", 6))
    told = b"".join(
        b"\x01" + _text(n) + b"\x01" + _signed(i) + b"\x00" for n, i in fields
    )
    common = b"\x01" + b"\x01" + name + b"\x01" + _signed(_DOCUMENT) + b"\x00"
    structure = b"\x03" + common + b"\x01" + _unsigned(len(fields)) + told + b"\x00\x00"
    held = (
        b"\x04\x01\x02"
        + _signed(_MAP)
        + b"\x00\x01"
        + _signed(6)
        + b"\x01"
        + _signed(6)
    )
    floats = b"\x02\x01\x02" + _signed(_FLOATS) + b"\x00\x01" + _signed(4)
    pairs = b"".join(_text(key) + _text(value) for key, value in metadata.items())
    value = b"\x01" + _text(identity) + b"\x01" + _unsigned(len(metadata)) + pairs
    value += b"\x01\x02" + _float(0.5) + _float(-1.25)
    value += (b"\x01" + _text(content) if content else b"") + b"\x00"
    return b"".join(
        _unsigned(len(message)) + message
        for message in (
            _signed(-_DOCUMENT) + structure,
            _signed(-_MAP) + held + b"\x00\x00",
            _signed(-_FLOATS) + floats + b"\x00\x00",
            _signed(_DOCUMENT) + value,
        )
    )


def _unsigned(value: int) -> bytes:
    if value < 0x80:
        return bytes([value])
    octets = value.to_bytes((value.bit_length() + 7) // 8, "big")
    return bytes([256 - len(octets)]) + octets


def _signed(value: int) -> bytes:
    return _unsigned(~value << 1 | 1 if value < 0 else value << 1)


def _float(value: float) -> bytes:
    return _unsigned(int.from_bytes(struct.pack(">d", value), "little"))


def _text(value: str) -> bytes:
    data = value.encode()
    return _unsigned(len(data)) + data
