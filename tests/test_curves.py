"""What `bench/memory.py` makes of its measurements: cells of tables, promises, a figure."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from bench.curves import Axis, Curve, Panel, drawn
from bench.memory import Figure, broken, cell, table
from bench.over_step import PICTURE, courses
from bench.over_step import drawn as drawn_over_step

DEPTHS = [16, 32, 64]


def figures(*halves: float) -> dict[tuple[str, str, int], Figure]:
    """Steps of three depths; as written they keep one output a layer."""
    found = {("function", "none", d): Figure(d, 1.0, 1.0, d) for d in DEPTHS}
    return found | {
        ("function", "halves", d): Figure(m, 1.5, 1.0, d) for d, m in zip(DEPTHS, halves)
    }


def test_time_stands_beside_memory() -> None:
    found = figures(8, 9, 10)
    assert cell(found, "function", "halves", 32) == "9.0 (1.5 ×)"
    assert cell(found, "function", "none", 32) == "32.0"
    assert cell(found, "function", "binomial", 32) == "–"
    assert table(found, "function", DEPTHS)[2] == "| none | 16.0 | 32.0 | 64.0 |"


@pytest.mark.parametrize(
    ("halves", "wrong"),
    [
        ((8, 9, 10), []),
        ((11, 12, 13), ["64 layers: more than 0.2 of the memory as written"]),
        ((6, 9, 11), ["1.50 times the memory from 16 to 32 layers"]),
        ((6, 7, 12), ["1.71 times the memory from 32 to 64 layers"]),
    ],
)
def test_a_promise_that_does_not_hold_is_told(halves: tuple[int, ...], wrong: list[str]) -> None:
    assert broken(figures(*halves), DEPTHS) == wrong


def test_an_axis_goes_from_one_power_of_two_to_another() -> None:
    axis = Axis.of([3.0, 60.0])
    assert (axis.low, axis.high) == (1, 6)
    assert axis.share(2.0) == 0
    assert axis.share(64.0) == 1
    assert axis.ticks == [2, 8, 32]


def test_a_figure_has_every_curve_within_its_panel() -> None:
    curves = [Curve("none", [(16, 16), (64, 64)]), Curve("halves", [(16, 5), (64, 7)])]
    tree = ElementTree.fromstring(drawn([Panel("layers", "t", "outputs", curves)] * 2))
    dots = [node for node in tree.iter() if node.tag.endswith("circle")]
    assert len(dots) == 8
    assert all(0 <= float(dot.attrib["cx"]) <= 250 for dot in dots)
    assert all(0 <= float(dot.attrib["cy"]) <= 220 for dot in dots)
    heights = [float(dot.attrib["cy"]) for dot in dots[:4]]
    assert heights[2] > heights[0]  # fewer outputs stand lower


def test_the_picture_of_a_step_is_what_the_schedules_do() -> None:
    found = courses()
    assert max(found["none"]) == 64
    assert max(found["binomial"]) < max(found["halves"]) < max(found["sqrt"]) < 16
    assert all(course[-1] == 0 for course in found.values())
    assert PICTURE.read_text(encoding="utf-8") == drawn_over_step(found)
