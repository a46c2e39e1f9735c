"""The rooms as a picture: layers from top to bottom, who imports whom between them.

A room is as wide as it has lines, a line as thick as there are imports, both in
coarse steps, so that an ordinary change draws the same picture.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from docs.house import imports, layers, lines, pure_rooms

_WIDTH = 1040
_MARGIN = 20
_TOP = 20
_ROW = 92
_CLOSER = 26  # no lines are drawn above the lowest rooms
_ASIDE = 150
_HEIGHT = 40
_GAP = 18
_LETTER = 7.6  # the advance of one letter of the label, monospace at 12.5 px
_PER_LINE = 0.021
_LEAST = 86
_STEP = 250  # lines
# Nearly every room names these two: their lines would hide all others.
_EVERYWHERE = ("domain", "kernel")

_STYLE = """
  text { font: 12.5px ui-monospace, Menlo, Consolas, monospace; fill: #1f2933; text-anchor: middle; }
  .size { font-size: 10.5px; fill: #5b6b79; }
  .room { fill: #f4f6f8; stroke: #8496a6; stroke-width: 1.2; }
  .pure { fill: #e6f1ea; stroke: #6f9c80; }
  .edge { fill: none; stroke: #3f78a8; stroke-linecap: round; opacity: 0.34; }
  .paper { fill: #ffffff; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e4e9ee; }
    .size { fill: #9fb0bf; }
    .room { fill: #26303a; stroke: #6c7f90; }
    .pure { fill: #223529; stroke: #5f8f70; }
    .edge { stroke: #7db4e0; opacity: 0.38; }
    .paper { fill: #151b21; }
  }
"""


@dataclass(frozen=True, slots=True)
class _Box:
    room: str
    left: float
    top: float
    width: float
    size: str

    @property
    def middle(self) -> float:
        return self.left + self.width / 2


def picture() -> Iterator[str]:
    """Yield the lines of the picture, as SVG."""
    boxes = {box.room: box for box in _boxes()}
    pure = pure_rooms()
    height = max(box.top for box in boxes.values()) + _HEIGHT + _TOP
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}"'
        ' role="img" aria-label="The rooms of holdfast and who imports whom">'
    )
    yield f"<style>{_STYLE}</style>"
    yield f'<rect class="paper" width="{_WIDTH}" height="{height}" rx="8"/>'
    yield from _edges(boxes)
    for box in boxes.values():
        yield from _room(box, is_pure=box.room in pure)
    yield "</svg>"


def _boxes() -> Iterator[_Box]:
    top = _TOP
    for row, rooms in enumerate(layers()):
        if rooms[0] in _EVERYWHERE:
            top -= _CLOSER
        widths = [_width(room) for room in rooms]
        free = _WIDTH - 2 * _MARGIN - sum(widths)
        between = min(free / (len(rooms) + 1), _GAP * 8)
        left = (_WIDTH - sum(widths) - between * (len(rooms) - 1)) / 2
        # One above the other, rooms would stand in the way of their own lines.
        left += min(left - _MARGIN, _ASIDE) * (-1 if row % 2 else 1)
        for room, width in zip(rooms, widths, strict=True):
            yield _Box(room, left, top, width, _size(room))
            left += width + between
        top += _ROW


def _width(room: str) -> float:
    if room in _EVERYWHERE:
        return _WIDTH - 2 * _MARGIN
    return max(len(room) * _LETTER + _GAP, _rounded(room) * _PER_LINE, _LEAST)


def _rounded(room: str) -> int:
    return max(_STEP, round(lines(room) / _STEP) * _STEP)


def _size(room: str) -> str:
    told = f"{_rounded(room):,} lines"
    return f"{told}, imported by nearly every room" if room in _EVERYWHERE else told


def _room(box: _Box, *, is_pure: bool) -> Iterator[str]:
    kind = "room pure" if is_pure else "room"
    yield (
        f'<rect class="{kind}" x="{box.left:.1f}" y="{box.top}"'
        f' width="{box.width:.1f}" height="{_HEIGHT}" rx="6"/>'
    )
    yield f'<text x="{box.middle:.1f}" y="{box.top + 17}">{box.room}</text>'
    yield f'<text class="size" x="{box.middle:.1f}" y="{box.top + 32}">{box.size}</text>'


def _edges(boxes: dict[str, _Box]) -> Iterator[str]:
    counts = {
        pair: count
        for pair, count in sorted(imports().items())
        if pair[1] not in _EVERYWHERE
    }
    for (above, below), count in counts.items():
        left = _port(boxes, above, [b for a, b in counts if a == above], below)
        right = _port(boxes, below, [a for a, b in counts if b == below], above)
        start, end = boxes[above].top + _HEIGHT, boxes[below].top
        bend = (end - start) / 2
        yield (
            f'<path class="edge" stroke-width="{_thickness(count):.1f}"'
            f' d="M{left:.1f} {start} C{left:.1f} {start + bend:.1f}'
            f' {right:.1f} {end - bend:.1f} {right:.1f} {end}"/>'
        )


def _port(boxes: dict[str, _Box], room: str, others: list[str], other: str) -> float:
    """Return where on the side of `room` its line to `other` begins."""
    ordered = sorted(others, key=lambda name: boxes[name].middle)
    box = boxes[room]
    return box.left + box.width * (ordered.index(other) + 1) / (len(ordered) + 1)


def _thickness(count: int) -> float:
    """Return a width that grows by a step each time the imports double."""
    return 0.4 + count.bit_length() * 0.8
