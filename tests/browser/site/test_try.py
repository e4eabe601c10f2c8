"""A script is pasted, and distify says in the browser what it says in a terminal."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples"
SCRIPTS = {
    "changes": EXAMPLES / "tape_gan.py",
    "blocked": next(iter(sorted((EXAMPLES / "refused").glob("*.py")))),
}
FETCH = "url => fetch(url).then(() => 'went through', () => 'refused')"
WORKER = """url => new Promise(done => {
  const code = `const say = said => () => postMessage(said);
    fetch("${url}").then(say("went through"), say("refused"))`;
  const worker = new Worker(URL.createObjectURL(new Blob([code], {type: "text/javascript"})));
  worker.onmessage = event => done(event.data);
})"""
SLOW = 300_000  # milliseconds: a busy machine takes its time, and nothing is measured


def in_a_terminal(folder: Path, script: str, *command: str) -> subprocess.CompletedProcess[str]:
    (folder / "train.py").write_text(script, encoding="utf-8")
    whole = [str(ROOT / ".venv" / "bin" / "distify"), *command, "--no-cache", "--color", "never"]
    return subprocess.run(
        [*whole, "train.py"], cwd=folder, capture_output=True, text=True, check=False
    )


def test_it_says_what_a_terminal_says_and_sends_nothing(visit: Any, tmp_path: Path) -> None:
    page, asked = visit("try/")
    assert not [each.url for each in asked if "pyodide" in each.url]  # not before it is wanted
    before = 0
    for name, path in SCRIPTS.items():
        script = path.read_text(encoding="utf-8")
        page.locator("#try-text").fill(script)
        page.get_by_role("button", name="Check it").click()
        page.get_by_role("button", name="Check it", disabled=False).wait_for(timeout=SLOW)
        assert page.locator("#try-state").inner_text() == "Done.", name
        check = in_a_terminal(tmp_path, script, "check")
        assert page.locator("#try-check").inner_text().strip() == check.stdout.strip()
        page.locator("#try-to-diff").check()
        diff = in_a_terminal(tmp_path, script, "migrate", "--diff")
        said = page.locator("#try-diff").inner_text()
        assert said.strip() == (diff.stdout or diff.stderr).strip()
        assert (page.locator("#try-diff .new").count() > 0) == (name == "changes")
        page.locator("#try-to-script").check()
        in_a_terminal(tmp_path, script, "migrate")
        after = (tmp_path / "train.py").read_text(encoding="utf-8")
        assert page.locator("#try-script").text_content().strip() == after.strip()
        page.locator("#try-to-check").check()
        assert before in (0, len(asked))  # the second script asked for nothing at all
        before = len(asked)
    assert [each.url for each in asked if each.post_data] == []


@pytest.mark.parametrize("way", [FETCH, WORKER])
def test_the_policy_lets_nothing_reach_another_server(browser: Any, address: str, way: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}try/")
    other = address.replace("127.0.0.1", "localhost")
    assert page.evaluate(way, other) == "refused"
    assert page.evaluate(FETCH, address) == "went through"
    page.close()


def test_what_is_no_python_is_said(visit: Any) -> None:
    page = visit("try/").page
    page.locator("#try-text").fill("model.fit(\nimport tensorflow\n")
    page.get_by_role("button", name="Check it").click()
    page.get_by_role("button", name="Check it", disabled=False).wait_for(timeout=SLOW)
    assert "can't be parsed" in page.locator("#try-check").inner_text()
