"""Folders that a file adds to Python's search path: those that are written out, and no others."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.project.import_paths import Paths, bases
from distify.codemods.project.search_path import Added, added, added_words

HEAD = (
    "import os\nimport sys\nimport os.path as osp\nfrom os import path\nfrom pathlib import Path\n"
)


def found(text: str, file: str = "tools/train.py", entry: str = "tools/train.py") -> Added:
    return added(entry, file, added_words(ast.parse(HEAD + text), HEAD + text))


@pytest.mark.parametrize(
    ("value", "folders"),
    [
        ("'lib'", ("lib/", "tools/lib/")),
        ("'./lib/'", ("lib/", "tools/lib/")),
        ("'.'", ("", "tools/")),
        ("'../lib'", ("lib/",)),
        ("os.getcwd()", ("", "tools/")),
        ("os.path.join(os.getcwd(), 'lib')", ("lib/", "tools/lib/")),
        ("os.path.dirname(__file__)", ("tools/",)),
        ("os.path.join(os.path.dirname(__file__), 'lib')", ("tools/lib/",)),
        ("osp.join(osp.dirname(osp.abspath(__file__)), '..', 'lib')", ("lib/",)),
        ("path.abspath(path.join(path.dirname(__file__), os.pardir, 'lib'))", ("lib/",)),
        ("os.path.dirname(os.path.dirname(os.path.realpath(__file__)))", ("",)),
        ("os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + '/lib'", ("lib/",)),
        ("str(Path(__file__).parent / 'lib')", ("tools/lib/",)),
        ("str(Path(__file__).resolve().parents[1] / 'lib')", ("lib/",)),
        ("Path(__file__).absolute().parent.parent.joinpath('lib').as_posix()", ("lib/",)),
        ("ROOT + '/lib'", ("tools/lib/",)),
        ("os.path.join(ROOT, '..', '..')", ()),
        ("'/opt/lib'", ()),
        ("os.environ['LIB']", ()),
        ("sys.argv[1]", ()),
        ("os.path.join(unknown, 'lib')", ()),
        ("TWICE", ()),
        ("os.path.expanduser('~/lib')", ()),
        ("f'{ROOT}/{sys.argv[1]}'", ()),
    ],
)
def test_what_is_written_out_is_known(value: str, folders: tuple[str, ...]) -> None:
    names = "ROOT = os.path.dirname(__file__)\nTWICE = 'a'\nTWICE = 'b'\n"
    assert found(f"{names}sys.path.append({value})\n") == Added((), folders)
    assert found(f"{names}if {value!r} not in sys.path:\n    sys.path.insert(0, {value})\n") == (
        Added(folders)
    )
    assert found(f"{names}def f():\n    sys.path += [{value}]\n") == Added((), folders)
    assert found(f"{names}sys.path.insert(1, {value})\nother.path.append('x')\n") == Added(
        (), folders
    )


def test_a_module_adds_beside_itself_and_beside_its_program() -> None:
    text = "sys.path.extend(['lib', osp.join(osp.dirname(__file__), 'more')])\n"
    assert found(text, "pkg/_init_paths.py").last == ("lib/", "tools/lib/", "pkg/more/")
    assert found("sys.path = ['lib'] + sys.path\n") == Added()
    assert added_words(ast.parse("sys.path.append('lib')"), "sys.path.append('lib')") == ()


def test_the_first_folder_that_has_a_module_hides_the_others() -> None:
    files = ("train.py", "lib/net.py", "lib/data.py", "other/net.py", "net/x.py", "data.py")
    last, first = Added((), ("lib/",)), Added(("lib/",))
    assert Paths("train.py", files).absolute("net") == "net/"
    assert Paths("train.py", files, last).absolute("net") == "lib/net.py"
    assert Paths("train.py", files, last).absolute("data") == "data.py"
    assert Paths("train.py", files, first).absolute("data") == "lib/data.py"
    assert Paths("train.py", files, Added(("lib/", "other/"))).absolute("net") is None
    assert bases("train.py") == ("", "src/")
