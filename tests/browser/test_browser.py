"""The page in headless Chromium: `make test-browser`, which brings playwright along.

`make picture` keeps what it draws in docs/.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
EVIL = "</code></td><script>document.title = 'owned'</script><img src=x onerror=alert(2)>"


@pytest.fixture(scope="session")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with all that a page shows: changes, entries, what is blocked, a proof, evil."""
    folder = tmp_path_factory.mktemp("project")
    for path in sorted((ROOT / "examples" / "refused").glob("*.py"))[:3]:
        shutil.copy(path, folder)
    shutil.copy(ROOT / "examples" / "keras_callbacks.py", folder / "train.py")
    (folder / "evil.py").write_text(f"import tensorflow as tf  # {EVIL}\n" + LOOP, encoding="utf-8")
    shutil.copy(ROOT / "tests" / "browser" / "proof.json", folder)
    return write_page(folder)


def write_page(folder: Path) -> Path:
    command = [str(ROOT / ".venv" / "bin" / "distify"), "check", "--report", "page.html"]
    done = subprocess.run([*command, "--verified", "proof.json"], cwd=folder, check=False)
    assert done.returncode == 1
    return folder / "page.html"


LOOP = "m = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nm.compile('sgd', 'mse')\nm.fit(x, y)\n"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    assert CHROMIUM, "no Chromium here: apt-get install chromium"
    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def opened(browser: Browser, page_file: Path) -> Iterator[Any]:
    """Opens the page, offline; whatever it complains of fails the test."""
    contexts, complaints, asked = [], [], []

    def open_page(**options: Any) -> Page:
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: complaints.append(said.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(page_file.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
    assert set(asked) == {page_file.as_uri()}


def contrast(page: Page) -> list[tuple[float, str]]:
    """How well each text stands out from what is behind it, the worst first."""
    found = page.evaluate(
        """() => {
      const rgb = s => s.match(/[\\d.]+/g).map(Number);
      const lum = c => { const [r, g, b] = c.map(v => { v /= 255;
        return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
        return .2126 * r + .7152 * g + .0722 * b; };
      const behind = e => { for (; e; e = e.parentElement) {
        const c = rgb(getComputedStyle(e).backgroundColor);
        if (c.length < 4 || c[3] > 0) return c.slice(0, 3); } return [255, 255, 255]; };
      const html = [...document.querySelectorAll('body *')].filter(e =>
        e.namespaceURI.endsWith('xhtml'));
      const says = n => n.nodeType === 3 && n.textContent.trim();
      return html.filter(e => [...e.childNodes].some(says)).map(e => {
        const a = lum(rgb(getComputedStyle(e).color).slice(0, 3)), b = lum(behind(e));
        return [(Math.max(a, b) + .05) / (Math.min(a, b) + .05), e.tagName + ': ' +
        e.textContent.slice(0, 40)]; });
    }"""
    )
    return sorted(map(tuple, found))


def test_nothing_of_a_source_runs(opened: Any) -> None:
    page = opened()
    assert page.title() == "distify check"
    assert page.locator("img, script, iframe").count() == 0
    assert page.locator("text=document.title = 'owned'").count() > 0


def test_a_script_would_not_run(browser: Browser, page_file: Path, tmp_path: Path) -> None:
    """The policy holds by itself, should anything ever come through."""
    text = page_file.read_text(encoding="utf-8")
    evil = tmp_path / "evil.html"
    script = "<script>document.title = 'owned'</script><p id='p' style='color: rgb(1, 2, 3)'>x</p>"
    evil.write_text(text.replace("<main", f"{script}<main"), encoding="utf-8")
    page = browser.new_page()
    page.goto(evil.as_uri())
    assert page.title() == "distify check"
    assert page.evaluate("getComputedStyle(document.getElementById('p')).color") != "rgb(1, 2, 3)"
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_read_by_light_and_by_dark(opened: Any, scheme: str) -> None:
    page = opened(color_scheme=scheme)
    red = page.evaluate("parseInt(getComputedStyle(document.body).backgroundColor.slice(4))")
    assert (red > 200) == (scheme == "light")
    page.evaluate("document.querySelectorAll('details').forEach(e => e.open = true)")
    worst = contrast(page)
    assert len(worst) > 100
    assert worst[0][0] >= 4.5, worst[:5]


@pytest.mark.parametrize("width", [320, 375, 768, 1280])
def test_no_window_is_too_narrow(opened: Any, width: int) -> None:
    page = opened(viewport={"width": width, "height": 700})
    page.evaluate("document.querySelectorAll('details').forEach(e => e.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    side = page.locator(".sides tr.changed").first.bounding_box()
    assert side["width"] <= width


def test_the_keyboard_reaches_everything(opened: Any) -> None:
    page = opened()
    here = "document.activeElement"
    page.keyboard.press("Tab")
    assert page.evaluate(f"{here}.className") == "skip"
    assert page.locator(".skip").bounding_box()["x"] >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#report"
    seen = set()
    for _ in range(400):
        page.keyboard.press("Tab")
        kind = page.evaluate(f"{here}.tagName + '.' + {here}.className")
        outline = page.evaluate(f"getComputedStyle({here}).outlineStyle")
        if kind.startswith("BODY"):
            break
        assert outline != "none", kind
        if kind == "SUMMARY." and "SUMMARY." not in seen:
            before = page.evaluate(f"{here}.parentElement.open")
            page.keyboard.press("Enter")
            assert page.evaluate(f"{here}.parentElement.open") != before
        seen.add(kind)
    assert {"SUMMARY.", "DIV.wide", "A."} <= seen


def test_paper_shows_what_is_folded_and_no_ways(opened: Any, tmp_path: Path) -> None:
    page = opened()
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    assert page.locator("details:not(.pages) .sides").first.is_visible()
    page.pdf(path=str(tmp_path / "page.pdf"))
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")


def test_pictures_say_what_they_show(opened: Any) -> None:
    page = opened()
    charts = page.locator("svg.chart")
    assert charts.count() == 3  # losses, what the workers did, how it scales
    for number in range(3):
        box = charts.nth(number).bounding_box()
        assert box["width"] > 300
        assert box["height"] > 80
    tree = page.locator("#proof + div").aria_snapshot()
    assert "Loss of small.py" in tree
    assert "Steps and collectives of small.py" in tree


def test_the_picture(browser: Browser, tmp_path: Path) -> None:
    """What docs/report.png and docs/proof.png show: what changes in a script, and its proof."""
    small = "import tensorflow as tf\nfrom data import x, y\n\n" + LOOP
    (tmp_path / "small.py").write_text(small, encoding="utf-8")
    shutil.copy(ROOT / "tests" / "browser" / "proof.json", tmp_path)
    write_page(tmp_path)
    page = browser.new_page(viewport={"width": 1000, "height": 720})
    page.goto((tmp_path / "page.html").as_uri())
    path = Path(os.environ.get("DISTIFY_PICTURE", tmp_path / "report.png"))
    page.screenshot(path=path, full_page=True, clip={"x": 0, "y": 0, "width": 1000, "height": 1480})
    page.set_viewport_size({"width": 900, "height": 720})
    page.locator("section", has=page.locator("#proof")).screenshot(path=path.with_name("proof.png"))
    page.close()
    for each in (path, path.with_name("proof.png")):
        assert each.read_bytes().startswith(b"\x89PNG")


def test_how_it_scales_is_drawn(opened: Any) -> None:
    page = opened()
    chart = page.get_by_role("img", name="Speed of small.py: 1 worker: 1.00 times")
    assert chart.is_visible()
    ideal, done = (chart.locator(f".{name}").nth(1).bounding_box() for name in ("ideal", "done"))
    assert 0.85 < done["width"] / ideal["width"] < 0.9
    assert page.get_by_role("cell", name="it hung").is_visible()
