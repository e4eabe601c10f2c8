"""The pages of `check`, `verify` and `race` in headless Chromium, as wide as three screens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from audit import faint, faults, focused, is_light, unfold

# The gate sees one page of each kind; the others are more of the same.
MORE = [pytest.param(name, marks=pytest.mark.slow) for name in ("small", "proof")]
PAGES = ["project", "convicted", "race", *MORE]
LONG = 24
NARROWEST = pytest.param(320, marks=pytest.mark.slow)
PAPER = {"width": 680, "height": 1000}  # A4 without its margins, in pixels of CSS


@pytest.mark.parametrize("width", [NARROWEST, 390, 768, 1440])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_torn_and_nothing_sticks_out(opened: Any, name: str, width: int) -> None:
    page = opened(name, viewport={"width": width, "height": 800})
    unfold(page)
    found = faults(page)
    if width == 320:  # Horovod has names that are wider than such a window
        assert [word for word, *_, whole in found.pop("torn", ()) if len(whole) < LONG] == []
    assert found == {}


@pytest.mark.parametrize(
    ("spoilt", "fault"),
    [
        (".list td { width: 3rem; overflow-wrap: anywhere } .list { width: auto }", "torn"),
        ("h1 { width: 200vw; text-align: right }", "out"),
        (".wide table { min-width: 200vw }", "scrolled"),
        (".chart text { font-size: 80px !important }", "over"),
        (".chart text { font-size: 7px }", "small"),
    ],
)
def test_what_is_measured_would_be_seen(opened: Any, spoilt: str, fault: str) -> None:
    page = opened("proof", viewport={"width": 800, "height": 800}, bypass_csp=True)
    assert fault not in faults(page)
    page.add_style_tag(content=spoilt)
    assert fault in faults(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_it_can_be_read_by_light_and_by_dark(opened: Any, name: str, scheme: str) -> None:
    page = opened(name, color_scheme=scheme)
    assert is_light(page) == (scheme == "light")
    unfold(page)
    assert faint(page) == []


def test_faint_letters_would_be_seen(opened: Any) -> None:
    page = opened("proof", bypass_csp=True)
    page.add_style_tag(content=".dim { color: #aaa }")
    assert faint(page)


@pytest.mark.parametrize("name", PAGES)
def test_the_keyboard_reaches_everything(opened: Any, name: str) -> None:
    page = opened(name)
    here = "document.activeElement"
    page.keyboard.press("Tab")
    assert page.evaluate(f"{here}.className") == "skip"
    assert page.locator(".skip").bounding_box()["x"] >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#report"
    for summary in page.locator("summary").all()[:3]:
        before = summary.evaluate("e => e.parentElement.open")
        summary.focus()
        page.keyboard.press("Enter")
        assert summary.evaluate("e => e.parentElement.open") != before
    page = opened(name)  # at its beginning
    visible = "[...document.querySelectorAll('a, summary, .wide')].filter(e => e.checkVisibility())"
    assert len(focused(page)) == page.evaluate(f"{visible}.length") > 3


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.slow), "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_paper_shows_what_is_folded_and_no_ways(
    opened: Any, name: str, scheme: str, tmp_path: Path
) -> None:
    page = opened(name, color_scheme=scheme, viewport=PAPER)
    page.emulate_media(media="print", color_scheme=scheme)
    assert is_light(page)
    assert not page.locator("nav").is_visible()
    assert not page.locator("details.pages").first.is_visible()
    assert all(each.is_visible() for each in page.locator("details:not(.pages) > div").all())
    assert faint(page) == []
    assert faults(page) == {}
    page.pdf(path=str(tmp_path / "page.pdf"), format="A4")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")


def test_pictures_say_what_they_show(opened: Any) -> None:
    page = opened("project")
    charts = page.locator("svg.chart")
    assert charts.count() == 3  # losses, what the workers did, how it scales
    for number in range(3):
        box = charts.nth(number).bounding_box()
        assert box["width"] > 300
        assert box["height"] > 70
    tree = page.locator("#proof + div").aria_snapshot()
    assert "Loss of small.py" in tree
    assert "Steps and collectives of small.py" in tree
    assert "mean of 2 workers" in tree  # the legend is text


def test_how_it_scales_is_drawn(opened: Any) -> None:
    page = opened("project")
    chart = page.get_by_role("img", name="Speed of small.py: 1 worker: 1.00 times")
    assert chart.is_visible()
    ideal, done = (chart.locator(f".{name}").nth(1).bounding_box() for name in ("ideal", "done"))
    assert 0.85 < done["width"] / ideal["width"] < 0.9
    assert page.get_by_role("cell", name="it hung").is_visible()


def test_each_hunk_says_why_it_is_there(opened: Any) -> None:
    page = opened("project")
    said = page.locator(".sides .why").all_inner_texts()
    assert "D102: Start Horovod and give each process one GPU." in said
    assert len(said) == page.locator("section:has(> h2#changes) h4 + .wide tbody").count()
