"""The pages of the site in a browser: nothing sticks out, and what is pressed does something."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from audit import faults

ROOT = Path(__file__).resolve().parents[3]
PAGES = ["", "try/", "overview/", "codes/", "codes/messages/", "codes/T07/", "verify/"]
LONG = 24
CODES = sorted(path.stem for path in (ROOT / "codemods" / "pages").glob("*.md"))


@pytest.mark.parametrize("width", [390, 768, 1440])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_torn_and_nothing_sticks_out(visit: Any, name: str, width: int) -> None:
    page = visit(name, viewport={"width": width, "height": 900}).page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    inside = ".md-content"
    assert page.locator(inside).is_visible()
    torn = faults(page, inside).get("torn", ())
    # Markdown has no seams: addresses, and code without spaces, break where a window ends.
    assert [word for word, *_, whole in torn if len(whole) < LONG] == []


def test_the_landing_page_switches_between_before_and_after(visit: Any) -> None:
    page = visit().page
    before, after = (page.locator(".tabbed-block").nth(n) for n in (0, 1))
    assert before.is_visible()
    assert not after.is_visible()
    page.get_by_text("After distify migrate train.py").click()
    assert after.is_visible()
    assert not before.is_visible()
    assert "hvd.DistributedOptimizer(optimizer)" in after.inner_text()
    page.locator("input[name^=__tabbed]").first.focus()
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.type") == "radio"


def test_codes_are_found_by_what_their_entries_say(visit: Any) -> None:
    page = visit("codes/").page
    entries, field = page.locator(".code-entry"), page.locator("#find-code")
    assert entries.count() == len(CODES)
    field.fill("learning rate")
    shown = [each.inner_text() for each in entries.all() if each.is_visible()]
    assert 2 < len(shown) < 40
    assert any(each.startswith("D104 ") for each in shown)
    assert page.locator("#found-codes").inner_text() == f"{len(shown)} of {len(CODES)}"
    field.fill("d104 scale")
    assert [e.inner_text()[:4] for e in entries.all() if e.is_visible()] == ["D104"]
    assert sum(each.is_visible() for each in page.locator(".code-group").all()) == 1
    field.fill("xyzzy")
    assert not any(each.is_visible() for each in entries.all())
    field.fill("")
    assert all(each.is_visible() for each in entries.all())


def test_the_landing_page_leads_to_pages_of_real_runs(visit: Any) -> None:
    page = visit().page
    for name, word in (("a job in step", "IN STEP"), ("one that is not", "NOT IN STEP")):
        page.get_by_role("link", name=name).click()
        assert page.locator("h3 span").first.inner_text() == word
        page.go_back()


def test_a_search_has_an_address(visit: Any) -> None:
    page = visit("codes/?find=T07").page
    assert page.locator("#find-code").input_value() == "T07"
    assert not page.get_by_text("D104", exact=True).first.is_visible()


def test_without_scripts_all_codes_are_there(visit: Any) -> None:
    page = visit("codes/", java_script_enabled=False).page
    assert page.locator(".code-entry").count() == len(CODES)
    assert not page.locator("#find-code").is_visible()


def test_the_gallery_has_every_code_once(visit: Any) -> None:
    page = visit("codes/messages/").page
    heads = page.locator("h3").all_inner_texts()
    assert sorted(re.findall(r"\w+", head)[0] for head in heads) == CODES
