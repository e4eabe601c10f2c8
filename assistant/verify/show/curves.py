"""Curves of the loss, drawn in the terminal and as an SVG that a screen reader can read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from ..record.events import Loss

if TYPE_CHECKING:
    from ..record.records import Worker

HEIGHT, WIDTH = 10, 56  # characters
LOG_FROM = 50  # a loss that falls by more than that is drawn on a logarithmic scale
MARKS = "●○◆◇▲△"
PLAIN_MARKS = "*o#x+="
BOTH, PLAIN_BOTH = "◉", "@"  # where curves meet
# Told apart by dashes, too: by people who see no colours, and in print.
STROKES = (("#0b5394", ""), ("#b45f06", "8 4"), ("#38761d", "2 3"), ("#741b47", "10 3 2 3"))


@dataclass(frozen=True)
class Curve:
    """A name and points: step, loss; only finite ones."""

    name: str
    points: tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class Frame:
    """What a picture shows of steps and losses, and on which scale."""

    first: int
    last: int
    low: float
    high: float
    log: bool

    def across(self, step: float) -> float:
        """0 at the left, 1 at the right."""
        return (step - self.first) / ((self.last - self.first) or 1)

    def up(self, loss: float) -> float:
        """0 at the bottom, 1 at the top."""
        low, high, here = self.low, self.high, loss
        if self.log:
            low, high, here = math.log(low), math.log(high), math.log(loss)
        return (here - low) / ((high - low) or 1.0)

    def at(self, share: float) -> float:
        """The loss at a height: the inverse of `up`."""
        if self.log:
            return math.exp(math.log(self.low) + share * (math.log(self.high) - math.log(self.low)))
        return self.low + share * (self.high - self.low)


def means(name: str, workers: Sequence[Worker]) -> list[Curve]:
    """A curve for each optimizer: two of them (a GAN's) have losses that mean different things."""
    ids = sorted({each.optimizer for worker in workers for each in worker.all(Loss)})
    names = [f"{name}, optimizer {id}" if len(ids) > 1 else name for id in ids]
    return [_mean(name, id, workers) for name, id in zip(names, ids)]


def _mean(name: str, optimizer: int, workers: Sequence[Worker]) -> Curve:
    """The mean over workers of every step of which all of them told the loss."""
    tables = [
        {each.steps: each.value for each in worker.all(Loss) if each.optimizer == optimizer}
        for worker in workers
    ]
    steps = sorted(set.intersection(*map(set, tables)))
    losses = [(step, math.fsum(table[step] for table in tables) / len(tables)) for step in steps]
    return Curve(name, tuple(point for point in losses if math.isfinite(point[1])))


def frame(curves: Sequence[Curve]) -> Frame | None:
    """What holds all points; None where there are none."""
    points = [point for curve in curves for point in curve.points]
    if not points:
        return None
    steps, losses = zip(*points)
    low, high = min(losses), max(losses)
    return Frame(min(steps), max(steps), low, high, low > 0 and high / low > LOG_FROM)


def drawn(curves: Sequence[Curve], unicode: bool = True, width: int = WIDTH) -> list[str]:
    """The curves as lines of text; one line says so where there is nothing to draw."""
    shown = frame(curves)
    if shown is None:
        return ["no losses were seen"]
    marks, both = (MARKS, BOTH) if unicode else (PLAIN_MARKS, PLAIN_BOTH)
    cells = [[" "] * width for _ in range(HEIGHT)]
    for curve, mark in zip(curves, marks):
        for step, loss in curve.points:
            column = round(shown.across(step) * (width - 1))
            row = HEIGHT - 1 - round(shown.up(loss) * (HEIGHT - 1))
            cells[row][column] = mark if cells[row][column] in (" ", mark) else both
    scale = [f"{shown.at(1 - row / (HEIGHT - 1)):.4g}" for row in range(HEIGHT)]
    meet = any(both in row for row in cells)
    names = [f"{mark} {curve.name}" for curve, mark in zip(curves, marks)]
    names += [f"{both} together"] * meet + ["(logarithmic)"] * shown.log
    return [*_in_frame(cells, scale, shown, unicode), "   ".join(names)]


def _in_frame(cells: list[list[str]], scale: list[str], shown: Frame, unicode: bool) -> list[str]:
    bar, corner, dash = "│└─" if unicode else "|+-"
    labelled = {0, HEIGHT // 2, HEIGHT - 1}
    margin = max(len(scale[row]) for row in labelled)
    lines = []
    for row, text in enumerate(cells):
        label = scale[row] if row in labelled else ""
        lines.append(f"{label:>{margin}} {bar}{''.join(text)}".rstrip())
    width = len(cells[0])
    first, last = f"step {shown.first}", f"step {shown.last}"
    lines.append(f"{'':{margin}} {corner}{dash * width}")
    lines.append(f"{'':{margin}}  {first}{last:>{max(width - len(first), len(last) + 1)}}")
    return lines


# ---------------------------------------------------------------- SVG

_LEFT, _TOP, _ACROSS, _DOWN = 70, 50, 620, 300
_LEGEND, _ROW = 2, 22  # names in a row of the legend, and its height


def svg(curves: Sequence[Curve], title: str) -> str:
    """A picture that stands alone: title and description in words, every curve with its name."""
    shown = frame(curves)
    body = [] if shown is None else [*_axes(shown), *_lines(curves, shown)]
    described = "; ".join(map(_in_words, curves)) or "no losses were seen"
    height = 440 + _ROW * (max(0, len(curves) - 1) // _LEGEND)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {height}" role="img" '
            'aria-labelledby="title desc" font-family="sans-serif" font-size="14">',
            f'<title id="title">{escape(title)}</title>',
            f'<desc id="desc">{escape(described)}</desc>',
            f'<rect width="760" height="{height}" fill="#ffffff"/>',
            f'<text x="{_LEFT}" y="28" font-size="17" fill="#111111">{escape(title)}</text>',
            *(body or [f'<text x="{_LEFT}" y="80" fill="#111111">{escape(described)}</text>']),
            "</svg>\n",
        ]
    )


def _in_words(curve: Curve) -> str:
    if not curve.points:
        return f"{curve.name}: no losses"
    (first, high), (last, low) = curve.points[0], curve.points[-1]
    return f"{curve.name}: {high:.4g} at step {first}, {low:.4g} at step {last}"


def _axes(shown: Frame) -> list[str]:
    found = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = _TOP + _DOWN * (1 - share)
        found.append(
            f'<line x1="{_LEFT}" y1="{y:g}" x2="{_LEFT + _ACROSS}" y2="{y:g}" stroke="#d0d0d0"/>'
        )
        label = f"{shown.at(share):.4g}"
        found.append(_text(_LEFT - 8, y + 5, label, "end"))
        step = round(shown.first + share * (shown.last - shown.first))
        found.append(_text(_LEFT + _ACROSS * share, _TOP + _DOWN + 22, str(step), "middle"))
    scale = "loss (logarithmic)" if shown.log else "loss"
    return [*found, _text(_LEFT, _TOP - 6, scale, "start"),
            _text(_LEFT + _ACROSS, _TOP + _DOWN + 44, "step", "end")]  # fmt: skip


def _text(x: float, y: float, text: str, anchor: str) -> str:
    place = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}"'
    return f'<text {place} fill="#333333">{escape(text)}</text>'


def _lines(curves: Sequence[Curve], shown: Frame) -> list[str]:
    found = []
    for number, curve in enumerate(curves):
        color, dash = STROKES[number % len(STROKES)]
        style = f'stroke="{color}" stroke-width="2" stroke-dasharray="{dash or "none"}"'
        points = " ".join(
            f"{_LEFT + _ACROSS * shown.across(step):.1f},{_TOP + _DOWN * (1 - shown.up(loss)):.1f}"
            for step, loss in curve.points
        )
        row, column = divmod(number, _LEGEND)
        x, y = _LEFT + 310 * column, _TOP + _DOWN + 68 + _ROW * row
        found.append(f'<polyline points="{points}" fill="none" {style}/>')
        found.append(f'<line x1="{x}" y1="{y - 5}" x2="{x + 36}" y2="{y - 5}" {style}/>')
        found.append(_text(x + 44, y, curve.name, "start"))
    return found
