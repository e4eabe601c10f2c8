"""Pictures of a run as SVG: the curves of its loss, and what its workers did when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ...verify.show.curves import Curve, Frame, frame
from .elements import Html, el, joined

WIDTH, LEFT, RIGHT = 860, 130, 40  # at the sides is room for the large letters of a narrow window
HEIGHT, TOP, BOTTOM = 320, 36, 76
LANE = 46  # pixels a worker
STYLES = 4  # of curves
DASHES = ("none", "8 4", "2 3", "10 3 2 3")  # told apart without colours, too
KINDS = {
    "step": "a step",
    "collective": "a collective",
    "wait": "waiting in a collective",
    "broadcast": "a broadcast",
    "traced": "a collective built into a graph",
    "init": "hvd.init()",
    "error": "an error",
    "end": "left",
}
ACROSS = WIDTH - LEFT - RIGHT


def losses(curves: Sequence[Curve], title: str) -> Html:
    """The curves, each with its name; a sentence where no losses were seen."""
    shown = frame(curves)
    if shown is None:
        return el("p", "No losses were seen.", class_="dim")
    body = [*_scale(shown), *(_curve(number, each, shown) for number, each in enumerate(curves))]
    names = ((each.name, _sample(**_style(number))) for number, each in enumerate(curves))
    drawn = picture(title, "; ".join(map(_in_words, curves)), HEIGHT, body)
    return joined((drawn, _legend(names)))


def picture(title: str, described: str, height: int, body: Iterable[Html]) -> Html:
    """The elements as one picture, with its name and what it shows in words."""
    return el(
        "svg",
        el("title", title),
        el("desc", described),
        *body,
        class_="chart",
        viewBox=f"0 0 {WIDTH} {height}",
        role="img",
        aria_label=f"{title}: {described}",
    )


def _in_words(curve: Curve) -> str:
    if not curve.points:
        return f"{curve.name}: no losses"
    (first, high), (last, low) = curve.points[0], curve.points[-1]
    return f"{curve.name}: {high:.4g} at step {first}, {low:.4g} at step {last}"


def _scale(shown: Frame) -> Iterator[Html]:
    down, span = HEIGHT - TOP - BOTTOM, shown.last - shown.first
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = TOP + down * (1 - share)
        yield el("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="grid")
        yield _label(LEFT - 8, y + 4, f"{shown.at(share):.4g}", "end")
    for step in sorted({round(shown.first + part * span / 4) for part in range(5)}):
        x = LEFT + ACROSS * ((step - shown.first) / (span or 1))
        yield _label(x, HEIGHT - BOTTOM + 26, str(step), "middle")
    yield _label(LEFT, TOP - 12, "loss (logarithmic)" if shown.log else "loss", "start")
    yield _label(WIDTH - RIGHT, HEIGHT - BOTTOM + 58, "step", "end")


def _label(x: float, y: float, said: str, anchor: str) -> Html:
    return el("text", said, x=float(x), y=float(y), text_anchor=anchor)


def _curve(number: int, curve: Curve, shown: Frame) -> Html:
    down = HEIGHT - TOP - BOTTOM
    points = " ".join(
        f"{LEFT + ACROSS * shown.across(step):.1f},{TOP + down * (1 - shown.up(loss)):.1f}"
        for step, loss in curve.points
    )
    return el("polyline", points=points, **_style(number))


def _style(number: int) -> dict[str, Any]:
    """How a curve is told from the others."""
    dash = DASHES[number % STYLES]
    return {
        "class_": f"c{number % STYLES}",
        "fill": "none",
        "stroke_width": 2,
        "stroke_dasharray": dash,
    }


def _sample(**style: Any) -> Html:
    return el("line", x1=0, x2=36, y1=7, y2=7, **style)


def _legend(entries: Iterable[tuple[str, Html]]) -> Html:
    """What the strokes of a picture mean: a list, which a narrow window breaks into lines."""
    items = (
        el("li", el("svg", stroke, viewBox="0 0 36 14", aria_hidden="true"), name)
        for name, stroke in entries
    )
    return el("ul", *items, class_="legend")


def timeline(workers: Sequence[tuple[str, Sequence[Any]]], title: str) -> Html:
    """A lane for each worker with what it did; a sentence where nothing was seen.

    A moment has `at`, `kind`, `what` and `seconds`, as the report for programs has them.
    """
    # How long Python took to load TensorFlow says nothing, and would leave the rest no room.
    workers = [(name, [m for m in told if m["kind"] != "start"]) for name, told in workers]
    every = [each for _, told in workers for each in told]
    if not every:
        return el("p", "Nothing was seen of the workers.", class_="dim")
    span = _Span(
        min(float(each["at"]) for each in every),
        max(float(each["at"]) + float(each["seconds"] or 0) for each in every),
    )
    body = [*_seconds(span, TOP + LANE * len(workers))]
    for number, (name, told) in enumerate(workers):
        body += _lane(TOP + LANE * number, name, told, span)
    kinds = [kind for kind in KINDS if any(each["kind"] == kind for each in every)]
    described = "; ".join(_counts(name, told) for name, told in workers)
    drawn = picture(title, described, TOP + LANE * len(workers) + 36, body)
    return joined((drawn, _legend((KINDS[kind], _mark(kind)) for kind in kinds)))


class _Span(NamedTuple):
    """The seconds that a picture shows."""

    first: float
    last: float

    def wide(self, seconds: float) -> float:
        """So many seconds as a width."""
        return ACROSS * seconds / ((self.last - self.first) or 1.0)


def _seconds(span: _Span, bottom: int) -> Iterator[Html]:
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        x = LEFT + ACROSS * share
        yield el("line", x1=x, x2=x, y1=TOP - 4, y2=bottom, class_="grid")
        yield _label(x, bottom + 26, f"{(span.last - span.first) * share:.3g} s", "middle")


def _lane(top: int, name: str, told: Sequence[Any], span: _Span) -> Iterator[Html]:
    yield el("rect", x=LEFT, y=top + 4, width=ACROSS, height=LANE - 12, class_="lane")
    yield _label(LEFT - 8, top + LANE // 2 + 2, name, "end")
    for each in told:
        yield _moment(top, each, span)


def _moment(top: int, each: Any, span: _Span) -> Html:
    """A stroke; a wait is as wide as it lasted. What it is comes up where a mouse rests on it."""
    at, kind = float(each["at"]), each["kind"] if each["kind"] in KINDS else "end"
    x, wide = LEFT + span.wide(at - span.first), span.wide(float(each["seconds"] or 0))
    said = el("title", f"{at:.3f} s: {each['what']}")
    if kind == "wait":
        return el("rect", said, x=x, y=top + 26, width=max(wide, 1.0), height=8, class_="k-wait")
    y1, y2 = (top + 6, top + 22) if kind in ("step", "error", "end") else (top + 24, top + 36)
    return el("line", said, x1=x, x2=x, y1=y1, y2=y2, stroke_width=2, class_=f"k-{kind}")


def _mark(kind: str) -> Html:
    return el("line", x1=28, x2=28, y1=0, y2=14, stroke_width=5, class_=f"k-{kind}")


def _counts(name: str, told: Sequence[Any]) -> str:
    counts = {kind: sum(each["kind"] == kind for each in told) for kind in KINDS}
    return f"{name}: " + ", ".join(f"{count} × {KINDS[k]}" for k, count in counts.items() if count)
