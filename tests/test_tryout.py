"""What the page that tries distify out loads is all that a bare Python needs, and little else."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from bench import tryout

pytestmark = pytest.mark.skipif(
    sys.version_info < (3, 11), reason="the site is built by a later Python"
)
ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = [
    ROOT / "examples" / "keras_callbacks.py",
    ROOT / "examples" / "refused" / "batches.py",
    pytest.param(ROOT / "examples" / "tape_gan.py", marks=pytest.mark.slow),
]
ASK = """\
import json, sys
sys.path.insert(0, sys.argv[1])
from tried import tried
print(json.dumps(tried(sys.stdin.read())))
"""


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive, laid out as in a browser."""
    folder = tmp_path_factory.mktemp("bare")
    tryout.bundle(folder / "distify.zip")
    with zipfile.ZipFile(folder / "distify.zip") as archive:
        archive.extractall(folder)
    (folder / "tried.py").write_bytes((tryout.SOURCES / "tried.py").read_bytes())
    return folder


def ask(bare: Path, script: str, home: Path) -> Any:
    """What a Python without any package says of a script."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", ASK, str(bare)],
        input=script, cwd=home, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_it_says_what_the_command_says(bare: Path, path: Path, tmp_path: Path) -> None:
    script = path.read_text(encoding="utf-8")
    said = ask(bare, script, tmp_path)
    (tmp_path / "train.py").write_text(script, encoding="utf-8")
    for name, command in (("check", ["check"]), ("diff", ["migrate", "--diff"])):
        words = [sys.executable, "-m", "distify", *command, "--no-cache", "--color", "never"]
        done = subprocess.run(
            [*words, "train.py"], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert said[name] == (done.stdout or done.stderr)
    assert (said["script"] != script) == said["diff"].startswith("--- ")


@pytest.mark.parametrize(
    ("script", "word"),
    [("x = (\n", "can't be parsed"), ("print(1)\n", "no training loop"), ("", "left")],
)
def test_what_is_nothing_to_train_is_said(
    bare: Path, script: str, word: str, tmp_path: Path
) -> None:
    said = ask(bare, script, tmp_path)
    assert word in said["check"]
    assert said["script"] == script


def test_it_holds_what_it_needs_and_little_else(bare: Path) -> None:
    with zipfile.ZipFile(bare / "distify.zip") as archive:
        names = archive.namelist()
    assert {name.split("/")[0].removesuffix(".py") for name in names} == {
        "appdirs", "attr", "attrs", "bowler", "click", "distify", "fissix", "moreorless",
    }  # fmt: skip
    assert not [name for name in names if name.startswith(tryout.LEFT_OUT)]
    assert not [name for name in names if name.endswith((".so", ".pyc"))]
    first = (bare / "distify.zip").read_bytes()
    tryout.bundle(bare / "again.zip")
    assert (bare / "again.zip").read_bytes() == first


def test_python_is_pinned_with_its_hash() -> None:
    asked = json.loads((tryout.SOURCES / "package.json").read_text(encoding="utf-8"))
    lock = json.loads((tryout.SOURCES / "package-lock.json").read_text(encoding="utf-8"))
    pinned = lock["packages"]["node_modules/pyodide"]
    assert pinned["version"] == asked["dependencies"]["pyodide"]
    assert all(
        each["integrity"].startswith("sha512-") for name, each in lock["packages"].items() if name
    )
