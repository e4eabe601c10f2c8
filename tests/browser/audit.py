"""What a browser measures of a page: geometry and colours.

Pictures are not compared: fonts that are a pixel wider on another machine would change them all.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

_LAYOUT = (Path(__file__).parent / "audit.js").read_text(encoding="utf-8")
_CONTRAST = """() => {
  const rgb = s => s.match(/[\\d.]+/g).map(Number);
  const lum = c => { const [r, g, b] = c.map(v => { v /= 255;
    return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
    return .2126 * r + .7152 * g + .0722 * b; };
  const behind = e => { for (; e; e = e.parentElement) {
    const c = rgb(getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] > 0) return c.slice(0, 3); } return [255, 255, 255]; };
  const html = [...document.querySelectorAll('body *')].filter(e =>
    e.namespaceURI.endsWith('xhtml') && e.getClientRects().length
    && getComputedStyle(e).visibility !== 'hidden');
  const says = n => n.nodeType === 3 && n.textContent.trim();
  return html.filter(e => [...e.childNodes].some(says)).map(e => {
    const a = lum(rgb(getComputedStyle(e).color).slice(0, 3)), b = lum(behind(e));
    return [(Math.max(a, b) + .05) / (Math.min(a, b) + .05), e.tagName + ': ' +
    e.textContent.slice(0, 40)]; });
}"""
READABLE = 4.5  # of WCAG 2.1, for text of ordinary size


def unfold(page: Page) -> None:
    """Opens whatever is folded."""
    page.evaluate("document.querySelectorAll('details').forEach(e => e.open = true)")


def faults(page: Page, inside: str = "body") -> dict[str, Any]:
    """Torn words, what sticks out, boxes that scroll sideways, labels on labels, tiny letters."""
    found: dict[str, Any] = page.evaluate(_LAYOUT, inside)
    assert found.pop("texts") > 5
    return {name: what for name, what in found.items() if what}


def faint(page: Page) -> list[tuple[float, str]]:
    """Texts that don't stand out from what is behind them, the worst first."""
    found = sorted(map(tuple, page.evaluate(_CONTRAST)))
    assert len(found) > 10
    return [each for each in found if each[0] < READABLE]


def is_light(page: Page) -> bool:
    """Whether the page is."""
    red = page.evaluate("parseInt(getComputedStyle(document.body).backgroundColor.slice(4))")
    return bool(red > 200)


def focused(page: Page, most: int = 500) -> list[str]:
    """What the tabulator key comes to, in order, each with a frame around it that is seen."""
    here, seen = "document.activeElement", []
    for _ in range(most):
        page.keyboard.press("Tab")
        kind, outline = page.evaluate(
            f"[{here}.tagName + '.' + {here}.className, getComputedStyle({here}).outlineStyle]"
        )
        if kind.startswith("BODY"):
            return seen
        assert outline != "none", kind
        seen.append(kind)
    raise AssertionError(f"there is no end: {seen[-5:]}")
