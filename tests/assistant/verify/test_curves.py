"""Curves of the loss: every point has its place, also where there is little or nothing to draw."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import pytest

from distify.assistant.verify.record.events import Loss
from distify.assistant.verify.record.records import Worker
from distify.assistant.verify.show.curves import HEIGHT, WIDTH, Curve, drawn, frame, means, svg

FALLING = Curve("2 workers", tuple((step, 1 / step) for step in range(1, 21)))
FLAT = Curve("one process", ((1, 0.5), (20, 0.5)))


def test_curves_fall_from_the_upper_left_to_the_lower_right() -> None:
    lines = drawn([FALLING])
    assert lines[0].startswith("     1 │●")
    assert lines[HEIGHT - 1].startswith("  0.05 │")
    assert lines[HEIGHT - 1].endswith("●")
    assert lines[HEIGHT + 1].split() == ["step", "1", "step", "20"]
    assert lines[-1] == "● 2 workers"


def test_two_curves_have_marks_of_their_own() -> None:
    lines = drawn([FALLING, FLAT])
    assert lines[-1] == "● 2 workers   ○ one process"
    assert sum(line.count("○") for line in lines) == 3  # one is the legend's


def test_where_curves_meet_both_are_seen() -> None:
    lines = drawn([FALLING, Curve("one process", FALLING.points[::2])])
    assert sum(line.count("◉") for line in lines[:HEIGHT]) == 10
    assert lines[-1] == "● 2 workers   ○ one process   ◉ together"


def test_a_terminal_without_unicode_gets_ascii() -> None:
    lines = drawn([FALLING, FLAT], unicode=False)
    assert all(line.isascii() for line in lines)
    assert lines[-1] == "* 2 workers   o one process"


def test_a_loss_that_falls_far_is_drawn_on_a_logarithmic_scale() -> None:
    deep = Curve("deep", tuple((n, 10.0**-n) for n in range(6)))
    assert "(logarithmic)" in drawn([deep])[-1]
    rows = [row for row in range(HEIGHT) if "●" in drawn([deep])[row]]
    assert len(rows) == 6  # linearly all but one of them would lie on the floor
    below_zero = Curve("below", ((1, -1.0), (2, 100.0)))
    assert "(logarithmic)" not in drawn([below_zero])[-1]


@pytest.mark.parametrize("points", [((1, 0.0),), ((3, 2.0), (3, 2.0)), ((1, 1.0), (2, 1.0))])
def test_little_is_drawn_as_it_is(points: tuple[tuple[int, float], ...]) -> None:
    lines = drawn([Curve("one", points)])
    assert any("●" in line for line in lines[:HEIGHT])
    assert max(map(len, lines)) <= WIDTH + 20
    assert "polyline" in svg([Curve("one", points)], "Loss")


def test_nothing_is_said_to_be_nothing() -> None:
    assert drawn([]) == drawn([Curve("none", ())]) == ["no losses were seen"]
    assert "no losses were seen" in svg([], "Loss")
    assert frame([]) is None


def test_the_mean_takes_steps_that_all_workers_told() -> None:
    def losses(rank: int, *values: float) -> Worker:
        return Worker(rank, tuple(Loss(0.0, n + 1, value) for n, value in enumerate(values)))

    (both,) = means("x", [losses(0, 1.0, 2.0, 9.0), losses(1, 3.0, 4.0)])
    assert both.points == ((1, 2.0), (2, 3.0))
    assert means("x", [losses(0, 1.0, math.nan, 3.0)])[0].points == ((1, 1.0), (3, 3.0))
    assert means("x", [losses(0, 1.0), losses(1)])[0].points == ()
    assert means("x", []) == []


def test_every_optimizer_has_a_curve_of_its_own() -> None:
    def losses(rank: int) -> Worker:
        return Worker(rank, tuple(Loss(0.0, n + 1, float(n % 2), n % 2) for n in range(4)))

    generator, critic = means("2 workers", [losses(0), losses(1)])
    assert generator == Curve("2 workers, optimizer 0", ((1, 0.0), (3, 0.0)))
    assert critic == Curve("2 workers, optimizer 1", ((2, 1.0), (4, 1.0)))


def test_a_long_legend_has_several_rows() -> None:
    tree = ElementTree.fromstring(svg([FALLING, FLAT, FALLING], "Loss"))
    names = [e for e in tree.iter("{http://www.w3.org/2000/svg}text") if e.text == FALLING.name]
    assert len({e.attrib["y"] for e in names}) == 2  # one below the other, not beyond the edge
    assert len({e.attrib["x"] for e in names}) == 1
    assert tree.attrib["viewBox"] == "0 0 760 462"


def test_the_picture_can_be_read_without_seeing_it() -> None:
    text = svg([FALLING, FLAT], "Loss of <train> & co")
    tree = ElementTree.fromstring(text)
    name = "{http://www.w3.org/2000/svg}"
    assert tree.attrib["role"] == "img"
    assert tree.attrib["aria-labelledby"] == "title desc"
    assert tree.findtext(f"{name}title") == "Loss of <train> & co"
    described = tree.findtext(f"{name}desc") or ""
    assert "2 workers: 1 at step 1, 0.05 at step 20; one process: 0.5" in described
    curves = tree.findall(f"{name}polyline")
    assert len(curves) == 2
    assert curves[0].attrib["stroke-dasharray"] != curves[1].attrib["stroke-dasharray"]
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")  # stands alone


def test_all_points_lie_inside_of_the_picture() -> None:
    tree = ElementTree.fromstring(svg([FALLING, FLAT], "Loss"))
    for curve in tree.findall("{http://www.w3.org/2000/svg}polyline"):
        for pair in curve.attrib["points"].split():
            x, y = map(float, pair.split(","))
            assert 70 <= x <= 690
            assert 50 <= y <= 350
