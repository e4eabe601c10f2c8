"""The page for a browser: valid, whole, still, and harmless whatever stands in a source."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import html5lib
import pytest

from distify.assistant.report.page.elements import Html, el, identifier, joined, text
from distify.assistant.report.page.proof import NoProof
from distify.assistant.report.page.sides import sides
from distify.assistant.report.page.style import CSS, policy
from distify.assistant.report.page.whole_page import of_proof
from distify.assistant.report.verdict_json import document
from distify.assistant.report.verify_report import Told
from distify.assistant.verify.judges import verdicts
from distify.assistant.verify.record.beginnings import Init
from distify.assistant.verify.record.endings import Done, Error, Waiting
from distify.assistant.verify.record.events import Loss
from distify.assistant.verify.record.records import Worker

from ..conftest import BLOCKED, BROKEN, TRAIN, Call
from ..verify.build import evidence, sound, states

ROOT = Path(__file__).resolve().parents[3]
EVIL = "</code></td><script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;\u202e\x1b[2J"
# What a page that runs and loads nothing is made of.
ELEMENTS = set(re.findall(r"\w+", """
    html head meta title style body a header h1 h2 h3 h4 p nav ul li main section div table thead
    tbody tr th td code pre b span details summary del ins svg desc line text polyline rect
    colgroup col ol wbr
"""))  # fmt: skip


def parsed(page: str) -> Element:
    """The page as a browser reads it. Raises ParseError where it is no valid HTML."""
    reader = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    found: Element = reader.parse(page)
    return found


def name(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def judged(page: str) -> Element:
    """The page, after what holds of every one."""
    whole = parsed(page)
    elements = [each for each in whole.iter() if isinstance(each.tag, str)]
    assert {name(each) for each in elements} <= ELEMENTS
    for each in elements:
        assert not any(key.startswith("on") or key in ("src", "style") for key in each.attrib)
        assert each.get("href", "#").startswith("#")
    ids = [each.get("id") for each in elements if each.get("id")]
    assert len(ids) == len(set(ids))
    assert {each.get("href", "#")[1:] for each in elements if name(each) == "a"} <= set(ids)
    (rules,) = (each for each in elements if each.get("http-equiv"))
    assert rules.get("content") == policy()
    assert policy().startswith("default-src 'none'; style-src 'sha256-")
    (style,) = (each for each in elements if name(each) == "style")
    assert style.text == CSS
    assert "url(" not in CSS
    assert "@import" not in CSS
    for each in elements:
        if each.get("class") == "wide":
            assert (each.get("tabindex"), each.get("role")) == ("0", "region")
            assert each.get("aria-label")
    return whole


def said(whole: Element) -> str:
    return "".join(whole.itertext())


def run() -> Told:
    """Two workers that drift apart, one of which waits for the other for ever."""
    waits = [
        Waiting(2.0, "allreduce", "grad_0", "train.py:11"),
        Done(2.5),
        Waiting(3.0, "allgather"),
    ]
    first = Worker(
        0, (*sound(0), *waits, Loss(1.5, 1, 0.5), Loss(2.5, 2, 0.25), Loss(3.0, 3, 1e99))
    )
    second = Worker(1, (*sound(1)[:-8], *states(differ="x"), Loss(1.5, 1, 0.7), Loss(2.5, 2, 0.3)))
    seen = evidence(first, second, seconds=12.0)
    return Told(seen, verdicts(seen))


@pytest.fixture
def files(here: Path) -> Path:
    for each, content in (("train", TRAIN), ("blocked", BLOCKED), ("broken", BROKEN)):
        (here / f"{each}.py").write_text(content)
    return here


def test_a_page_tells_all_of_a_run(call: Call, files: Path) -> None:
    (files / "proof.json").write_text(document(run()))
    words = ("check", "--report", "out.html", "--verified", "proof.json", ".", "none.py")
    result = call(*words)
    assert result.exit_code == 2
    assert "2 files" not in result.stderr
    whole = judged((files / "out.html").read_text(encoding="utf-8"))
    told = said(whole)
    for expected in (
        "1 file would be rewritten, 1 blocked, 2 errors",
        "model.fit(...) at line 3",
        "opt = Adam(0.1 * hvd.size())",
        "D101 import-horovod, D104 scale-learning-rate",
        "runs under tf.distribute",
        "remove the strategy",
        "Apply it: distify migrate . none.py",
        "Train: horovodrun -np 2 python train.py",
        "can't be parsed: invalid syntax",
        "no such file or folder",
        "NOT IN STEP",
        "D202",
        "× a step, ",
    ):
        assert expected in told, expected
    assert call("check", "--format", "html", *words[3:]).stdout == (files / "out.html").read_text()


def test_what_the_real_engine_finds_is_shown_with_its_repairs(
    call: Call, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.chdir(here)
    for path in (ROOT / "examples" / "refused").glob("*.py"):
        (here / path.name).write_bytes(path.read_bytes())
    gan = ROOT / "examples" / "projects" / "gan"
    for path in gan.rglob("*.py"):
        copy = here / "gan" / path.relative_to(gan)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    whole = judged(call("check", "--format", "html").stdout)
    repairs = [each for each in whole.iter("details") if said(each).startswith("repair ")]
    assert repairs
    assert all(
        each.find(".//ins") is not None or "del" in map(name, each.iter()) for each in repairs
    )
    entries = [said(each) for each in whole.iter("h3") if ", with " in said(each)]
    assert len(entries) == 1
    rules = [each for each in whole.iter("summary") if said(each).startswith("D104 ")]
    assert rules


def test_nothing_of_a_source_becomes_a_part_of_the_page(call: Call, here: Path) -> None:
    source = f"import tensorflow as tf  # {EVIL}\nopt = Adam(0.1)  # {EVIL}\nmodel.fit(x)\n"
    (here / "a.py").write_text(source, encoding="utf-8")
    (here / "<img src=x>&\"'.py").write_text(BLOCKED.replace("fit(x)", f"fit(x)  # {EVIL}"))
    page = call("check", "--format", "html").stdout
    whole = judged(page)
    assert "<script" not in page
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", page)
    assert "</code></td><script>alert(1)</script>" in said(whole)


def test_nothing_of_a_job_becomes_a_part_of_the_page() -> None:
    broken = Worker(0, (*sound(0), Error(3.0, EVIL, EVIL, where=f"{EVIL}.py:3"), Init(1.0, EVIL)))
    seen = evidence(broken, ending="failed")
    found = json.loads(document(Told(seen, verdicts(seen))))
    found["script"] = found["versions"]["tensorflow"] = found["verdicts"][0]["fix"] = EVIL
    page = of_proof(found)
    assert "<script>alert(1)</script>" in said(judged(page))
    assert "<script" not in page


SPOILT: list[Any] = [
    None,
    [],
    {},
    {"command": "verify", "schema": 1},
    {"workers": 3},
    {"workers": [{"rank": "<b>"}]},
    {"verdicts": [1]},
    {"verdicts": [{"code": "D1"}]},
    {"size": "many"},
    {"schema": 2},
    {"seconds": "long"},
    {"versions": []},
    {"command": "check"},
]


@pytest.mark.parametrize("spoilt", SPOILT)
def test_what_is_no_report_of_verify_is_refused(call: Call, files: Path, spoilt: Any) -> None:
    whole = {**json.loads(document(run())), **spoilt} if spoilt and len(spoilt) == 1 else spoilt
    with pytest.raises(NoProof):
        of_proof(whole)
    (files / "proof.json").write_text(json.dumps(whole))
    result = call("check", "--report", "o.html", "--verified", "proof.json")
    assert result.exit_code == 2
    assert "no report of `distify verify" in result.stderr
    assert not (files / "o.html").exists()


def test_a_run_is_drawn() -> None:
    whole = judged(of_proof(json.loads(document(run()))))
    drawn = whole.iter("{http://www.w3.org/2000/svg}svg")
    curves, times = (each for each in drawn if each.get("class") == "chart")
    assert len(list(curves.iter("{http://www.w3.org/2000/svg}polyline"))) == 1
    assert "0.6 at step 1" in str(curves.get("aria-label"))
    assert times.get("aria-label", "").startswith("Steps and collectives of /nowhere/train.py: ")
    waits = [each for each in times.iter() if each.get("class") == "k-wait" and len(each)]
    assert [float(str(each.get("width"))) > 1 for each in waits] == [True, False]
    assert "2.000 s: allreduce grad_0" in said(waits[0])
    for each in (*curves.iter(), *times.iter()):
        for key in ("x", "x1", "x2"):
            assert 0 <= float(each.get(key, "0")) <= 860


def test_a_run_of_which_nothing_is_known_is_drawn_too() -> None:
    seen = evidence(Worker(0), Worker(1))
    assert "No losses were seen." in said(judged(of_proof(json.loads(document(Told(seen, ()))))))


def test_a_hunk_says_above_it_why_it_is_there(
    call: Call, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the very words of a diff, hunk by hunk; what stays says nothing."""
    monkeypatch.undo()
    monkeypatch.chdir(here)
    text = (ROOT / "examples" / "keras_callbacks.py").read_text(encoding="utf-8")
    (here / "train.py").write_text(text)
    diff = call("migrate", "--diff", "train.py").stdout.splitlines()
    heads = [each.split(" @@ ")[1] for each in diff if each.startswith("@@")]
    assert len(heads) > 2
    assert any(each.startswith("D102: Start Horovod") for each in heads)
    whole = judged(call("check", "--format", "html", "train.py").stdout)
    first = next(each for each in whole.iter("table") if each.get("class") == "sides")
    told = [said(each) for each in first.iter("tr") if each.get("class") == "why"]
    assert told == heads
    assert len(list(first.iter("tbody"))) == len(heads)
    assert "@@ -" in call("migrate", "--diff", "--quiet", "train.py").stdout
    assert "D102" not in call("migrate", "--diff", "--quiet", "train.py").stdout


def test_what_is_long_breaks_between_its_names_alone() -> None:
    assert el("p", "tf.keras.Sequential([x])") == ("<p>tf.<wbr>keras.<wbr>Sequential([<wbr>x])</p>")
    assert el("code", "a/b/c.py") == "<code>a/b/c.py</code>"
    assert el("text", "tf.keras.Sequential([x])") == "<text>tf.keras.Sequential([x])</text>"
    assert el("p", "an ordinary sentence, with (words).") == (
        "<p>an ordinary sentence, with (words).</p>"
    )


def test_sides_show_what_goes_and_what_comes() -> None:
    before = "".join(f"{n}\n" for n in range(30))
    after = before.replace("3\n4\n", "three\n").replace("25\n", "25\n25.5\n")
    shown = sides(before, after, "x")
    whole = parsed(f"<!DOCTYPE html><title>x</title>{shown}")
    assert [each.text for each in whole.iter("del")][:2] == ["3", "4"]
    assert [each.text for each in whole.iter("ins")] == ["three", "25.5"] or "25.5" in shown
    assert len(list(whole.iter("tbody"))) >= 2
    assert "15" not in [each.text for each in whole.iter("span")]
    assert "Nothing changes" in sides("a\n", "a\n", "x")


def test_text_is_text() -> None:
    assert el("p", "<b>", class_='a"b', hidden=True, id=None) == (
        '<p class="a&quot;b" hidden>&lt;b&gt;</p>'
    )
    assert joined([el("b", "x"), "<", None]) == "<b>x</b>&lt;"
    assert text("a\u202eb\x1b") == r"a\u202eb\x1b"
    assert isinstance(text("x"), Html)
    assert identifier("file", "<a b>/ü.py") == "file-a-b-py"
    with pytest.raises(ValueError, match="<p"):
        el("<p")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--report", "train.py"], "ends with none of .html, .json, .sarif, .xml, .md"),
        (["--verified", "none.json", "--report", "x.html"], "No such file"),
        (["--verified", "train.py"], "--verified is for a page"),
    ],
)
def test_files_of_no_use_are_refused(
    call: Call, files: Path, words: list[str], message: str
) -> None:
    result = call("check", *words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert (files / "train.py").read_text() == TRAIN


def test_a_report_that_cannot_be_written_is_told(call: Call, files: Path) -> None:
    result = call("check", "--report", "none/out.html", "train.py")
    assert result.exit_code == 2
    assert "none/out.html was not written: No such file" in result.stderr


def test_reports_are_what_the_formats_give(call: Call, files: Path) -> None:
    names = {"a.json": "json", "a.sarif": "sarif", "a.xml": "junit", "a.MD": "markdown"}
    words = [word for each in names for word in ("--report", each)]
    assert call("check", *words, "train.py").exit_code == 1
    for each, form in names.items():
        assert (files / each).read_text() == call("check", "--format", form, "train.py").stdout
    assert call("migrate", "--check", "--report", "b.html", "train.py").exit_code == 1
    assert "hvd.size()" in (files / "b.html").read_text()
    assert call("migrate", "--report", "c.html", "train.py").exit_code == 0
    assert "1 file rewritten" in (files / "c.html").read_text()
