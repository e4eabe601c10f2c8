"""Curves on doubly logarithmic axes, as an SVG that reads well on a light and on a dark page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, GAP = 250, 220, 46, 40, 30, 12
COLOURS = {"none": "#d1495b", "sqrt": "#edae49", "halves": "#2e86ab", "binomial": "#66a182"}


class Curve(NamedTuple):
    """Points (x, y), both above zero."""

    name: str
    points: Sequence[tuple[float, float]]


class Panel(NamedTuple):
    """One pair of axes."""

    title: str
    x: str
    y: str
    curves: Sequence[Curve]


class Axis(NamedTuple):
    """Where a value lies between two powers of two."""

    low: int
    high: int

    @classmethod
    def of(cls, values: Iterable[float]) -> Axis:
        logarithms = [math.log2(value) for value in values]
        return cls(math.floor(min(logarithms)), math.ceil(max(logarithms)))

    def share(self, value: float) -> float:
        """0 at the lower end, 1 at the upper one."""
        return (math.log2(value) - self.low) / max(1, self.high - self.low)

    @property
    def ticks(self) -> list[int]:
        """Every second power of two."""
        return [2**power for power in range(self.low, self.high + 1, 2)]


def drawn(panels: Sequence[Panel]) -> str:
    """The figure."""
    width = len(panels) * (WIDTH + LEFT + GAP)
    parts = [_panel(panel, number * (WIDTH + LEFT + GAP)) for number, panel in enumerate(panels)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT + TOP + BOTTOM}" '
        'font-family="sans-serif" font-size="11" fill="#888">\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _panel(panel: Panel, left: int) -> str:
    points = [point for curve in panel.curves for point in curve.points]
    x, y = Axis.of(point[0] for point in points), Axis.of(point[1] for point in points)
    lines = [text(WIDTH / 2, -12, panel.title, size=13), *_grid(x, y)]
    lines.append(text(WIDTH / 2, HEIGHT + 32, panel.x))
    lines.append(text(4 - LEFT, -12, panel.y, anchor="start"))
    for curve in panel.curves:
        lines += _line(curve, x, y)
    return f'<g transform="translate({left + LEFT},{TOP})">\n' + "\n".join(lines) + "\n</g>"


def _grid(x: Axis, y: Axis) -> list[str]:
    lines = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#888"/>']
    for tick in x.ticks:
        lines.append(text(x.share(tick) * WIDTH, HEIGHT + 15, str(tick)))
    for tick in y.ticks:
        height = (1 - y.share(tick)) * HEIGHT
        lines.append(text(-6, height + 4, f"{tick:g}", anchor="end"))
        lines.append(f'<path d="M0 {height:.1f}H{WIDTH}" stroke="#888" stroke-opacity=".25"/>')
    return lines


def _line(curve: Curve, x: Axis, y: Axis) -> list[str]:
    at = [(x.share(a) * WIDTH, (1 - y.share(b)) * HEIGHT) for a, b in curve.points]
    path = "L".join(f"{a:.1f} {b:.1f}" for a, b in at)
    colour = COLOURS[curve.name]
    dots = [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.5" fill="{colour}"/>' for a, b in at]
    name = text(at[-1][0] - 4, at[-1][1] - 6, curve.name, "end", colour=colour)
    return [f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>', *dots, name]


def text(
    x: float, y: float, text: str, anchor: str = "middle", size: int = 11, colour: str = ""
) -> str:
    """A text at a place of the figure."""
    style = f'text-anchor="{anchor}" font-size="{size}"' + (f' fill="{colour}"' if colour else "")
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{text}</text>'
