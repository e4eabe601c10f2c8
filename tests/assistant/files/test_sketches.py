"""What is kept of a project's files changes no answer, and saves only time."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from distify.assistant import codemods
from distify.assistant.cli import quick
from distify.assistant.files import cache_folder, cache_keys, known_sketches, projects
from distify.codemods.project.sketch import Sketch, sketch
from distify.codemods.project.texts import Project

from ..conftest import CACHES

TRAIN = """\
import numpy as np
import tensorflow as tf

from pkg.m6 import f6

x, y = np.ones((64, 4), "float32"), np.ones((64, 1), "float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(f6(2)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y, epochs=2)
model.save("out.h5")
"""
CHECK = ["migrate", "--check", "--force-exclude", "train.py"]
KEPT = f"{cache_folder.NAME}/sketches.json"


@pytest.fixture
def project(here: Path) -> Path:
    (here / "pyproject.toml").write_text('[project]\nname = "mine"\n', "utf-8")
    (here / "train.py").write_text(TRAIN, "utf-8")
    (here / "pkg").mkdir()
    (here / "pkg" / "m0.py").write_text("def f0(a):\n    return a + 1\n", "utf-8")
    for n in range(1, 7):
        text = f"from .m{n - 1} import f{n - 1}\n\n\ndef f{n}(a):\n    return f{n - 1}(a) + a\n"
        (here / "pkg" / f"m{n}.py").write_text(text, "utf-8")
    return here


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of which sketches are made."""
    texts: list[str] = []
    monkeypatch.setattr(codemods, "sketch", lambda text: (texts.append(text), sketch(text))[1])
    return texts


def asked(*words: str) -> int | None:
    """The exit code of a run of its own, which remembers nothing but what is in the folder."""
    for each in (*CACHES, cache_keys.itself, known_sketches.made):
        each.cache_clear()  # type: ignore[attr-defined]
    return quick.answer([*CHECK, *words])


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int | None, str]:
    capsys.readouterr()
    code = asked(*words)
    return code, capsys.readouterr().out


def change(path: Path, text: str = "# another\n") -> None:
    path.write_text(path.read_text("utf-8") + text, "utf-8")


def test_one_changed_file_costs_its_own_sketch(project: Path, made: list[str]) -> None:
    asked()
    assert len(made) == 8
    change(project / "train.py")
    made.clear()
    asked()
    assert made == [(project / "train.py").read_text("utf-8")]
    change(project / "pkg" / "m3.py")
    made.clear()
    asked()
    assert [text for text in made if text != (project / "train.py").read_text("utf-8")] == [
        (project / "pkg" / "m3.py").read_text("utf-8")
    ]


@pytest.mark.parametrize(
    "what",
    ["entry", "comment", "prints", "trains", "gone", "new", "broken", "settings", "folder"],
)
def test_whatever_changes_the_answer_is_that_of_no_cache(
    what: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told(capsys)
    module, entry = project / "pkg" / "m2.py", project / "train.py"
    if what == "entry":
        change(entry, "print(model.summary())\n")
    elif what == "comment":
        change(module)
    elif what == "prints":
        change(module, "\n\nprint(f2(1))\n")
    elif what == "trains":
        module.write_text(
            "import tensorflow as tf\n\n\ndef f2(a):\n    return tf.size(a)\n", "utf-8"
        )
    elif what == "gone":
        module.unlink()
    elif what == "new":
        (project / "pkg" / "__init__.py").write_text(
            "import tensorflow as tf\ntf.abs(1)\n", "utf-8"
        )
    elif what == "broken":
        module.write_text("def f2(:\n", "utf-8")
    elif what == "settings":
        change(project / "pyproject.toml", '[tool.distify]\nignore = ["D303"]\n')
    else:
        (project / KEPT).unlink()
    change(entry)
    cached = told(capsys)
    assert cached == told(capsys, "--no-cache")
    assert cached == told(capsys)


@pytest.mark.parametrize("what", ["version", "python", "stamp", "shape", "kind", "bytes"])
def test_what_is_not_ours_is_made_anew(
    what: str, project: Path, made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked()
    kept = project / KEPT
    stamp, made_by, found = json.loads(kept.read_text("utf-8"))
    if what == "version":
        monkeypatch.setattr("distify.__version__", "0.0.9")
    elif what == "python":
        monkeypatch.setattr(sys, "version", "3.99")
    elif what == "stamp":
        kept.write_text(json.dumps([[1, 2], made_by, found]), "utf-8")
    elif what == "shape":
        kept.write_text(json.dumps([stamp, made_by, {name: [1] for name in found}]), "utf-8")
    elif what == "kind":
        kept.write_text(json.dumps([stamp, made_by, [found]]), "utf-8")
    else:
        kept.write_bytes(b"\xff[")
    change(project / "train.py")
    made.clear()
    assert asked() == 1
    assert len(made) == 8
    made.clear()
    change(project / "train.py")
    asked()
    assert len(made) == 1
    cache_keys.itself.cache_clear()


def test_two_runs_at_once_leave_a_whole_file(project: Path, made: list[str]) -> None:
    from distify.assistant.files.sketches import Sketches

    asked()
    folder = cache_folder.Folder(str(project))
    one, two = Sketches(folder), Sketches(cache_folder.Folder(str(project)))
    for sketches, text in ((one, "a = 1\n"), (two, "b = 1\n")):
        assert sketches.of(text) is None
        sketches.note(text, sketch(text))
    one.keep()
    two.keep()
    later = Sketches(folder)
    assert later.of("a = 1\n") == sketch("a = 1\n")
    assert later.of("b = 1\n") == sketch("b = 1\n")


def test_every_part_of_a_sketch_comes_back() -> None:
    from distify.assistant.files.sketches import _flat_of, _sketch_from

    text = (
        "import math, os.path\nfrom .a import b as c, d\n\nN = 2\n\n\ndef f(a):\n    return c(a)\n"
        "\n\nif __name__ == '__main__':\n    f(1)\n\n\nc\n"
    )
    for each in (sketch(text), sketch(text[:-2]), sketch("def (")):
        assert _sketch_from(json.loads(json.dumps(_flat_of(each)))) == each
    assert set(Sketch.__annotations__) == set(Sketch._fields)


def test_a_checkout_on_the_path_is_told_by_its_sources(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is put into its folder, as a measure of coverage is, changes no answer."""
    asked: list[str] = []
    checkout = str(Path(cache_keys.__file__).parents[2])
    monkeypatch.setattr(cache_keys, "_time_of_change", lambda path: (asked.append(path), 0)[1])
    monkeypatch.setattr(sys, "path", [checkout, str(here), str(here / "packages")])
    cache_keys.itself.cache_clear()
    cache_keys.itself()
    cache_keys.itself.cache_clear()
    assert asked == [str(here / "packages")]


SCRIPT = "{imports}\n\ndef main():\n    print({call})\n\n\nmain()\n"


@pytest.mark.parametrize(
    ("imports", "call", "is_asked"),
    [("import os", "1", False), ("from pkg.net import build", "build()", True)],
)
def test_a_program_beside_is_looked_at_only_if_what_changes_may_be_behind_it(
    imports: str, call: str, is_asked: bool, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    net = "import tensorflow as tf\n\n\ndef build():\n    model = tf.keras.Sequential("
    net += '[tf.keras.layers.Dense(1)])\n    model.compile("sgd", "mse")\n    return model\n'
    (project / "pkg" / "net.py").write_text(net, "utf-8")
    entry = project / "train.py"
    made = entry.read_text("utf-8").replace("from pkg.m6 import f6", "from pkg.net import build")
    lines = [line for line in made.splitlines() if "Sequential" not in line]
    lines = ["model = build()" if "compile" in line else line for line in lines]
    entry.write_text("\n".join(lines) + "\n", "utf-8")
    (project / "script.py").write_text(SCRIPT.format(imports=imports, call=call), "utf-8")
    asked_of: list[str] = []
    around = projects.around

    def noted(path: str, text: str) -> Project | None:
        asked_of.append(Path(path).name)
        return around(path, text)

    monkeypatch.setattr(projects, "around", noted)
    for each in (*CACHES, cache_keys.itself, known_sketches.made):
        each.cache_clear()  # type: ignore[attr-defined]
    assert quick.answer(["migrate", "--check", "train.py", "pkg/net.py"]) == 1
    assert ("script.py" in asked_of) is is_asked
