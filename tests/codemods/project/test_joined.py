"""An entry and the modules that it imports, as one program."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.project.joined import join
from distify.codemods.project.renaming import CannotJoin
from distify.codemods.project.texts import Project

ENTRY = "train.py"


def joined(entry: str, others: dict[str, str]) -> str:
    """The program of an entry and others, by their paths without `.py`. Empty where it is alone."""
    texts = {f"{name}.py": text for name, text in others.items()}
    try:
        found = join(Project(ENTRY, {ENTRY: entry, **texts}))
    except CannotJoin:
        return ""
    if found is None:
        return ""
    for node in ast.walk(found.source.module):
        for block in (value for _, value in ast.iter_fields(node) if isinstance(value, list)):
            block[:] = [ast.Pass() if is_empty(each) else each for each in block]
    return ast.unparse(ast.fix_missing_locations(found.source.module))


def is_empty(node: object) -> bool:
    """Whether it is the rest of an import of a module that was joined."""
    return isinstance(node, ast.ImportFrom) and not node.names


def result(program: str) -> object:
    """What a program of these tests leaves in `found`."""
    space: dict[str, object] = {"__name__": "__main__"}
    exec(program, space)
    return space["found"]


@pytest.mark.parametrize(
    ("entry", "others"),
    [
        ("from m import f\nfound = f()\n", {"m": "def f():\n    return 7\n"}),
        ("from m import f as g\nfound = g()\n", {"m": "def f():\n    return 7\n"}),
        ("import m\nfound = m.f()\n", {"m": "def f():\n    return 7\n"}),
        ("import m as n\nfound = n.f()\n", {"m": "def f():\n    return 7\n"}),
        ("import a.m\nfound = a.m.f()\n", {"a/m": "def f():\n    return 7\n"}),
        ("from a import m\nfound = m.f()\n", {"a/m": "def f():\n    return 7\n"}),
        ("from m import *\nfound = f()\n", {"m": "def f():\n    return 7\n"}),
        ("def f():\n    return 1\nimport m\nfound = m.f()\n", {"m": "def f():\n    return 7\n"}),
        (
            "from a import f\nfound = f()\n",
            {"a/__init__": "from .b import f\n", "a/b": "def f():\n    return 7\n"},
        ),
        (
            "from a import f\nfound = f()\n",
            {"a/__init__": "from .b import *\n", "a/b": "from .c import f\n",
             "a/c": "def f():\n    return x\nx = 7\n"},
        ),
        (  # each module has a variable of this name
            "from m import f\nx = 1\nfound = f()\n",
            {"m": "from n import g\nx = 3\ndef f():\n    return x + g()\n",
             "n": "x = 4\ndef g():\n    return x\n"},
        ),
        (  # a global of the other module
            "from m import f, get\nx = 1\nf()\nfound = get()\n",
            {"m": "x = 3\ndef f():\n    global x\n    x = 7\ndef get():\n    return x\n"},
        ),
        (  # a circle
            "from m import f\nfound = f()\n",
            {"m": "import n\nx = 7\ndef f():\n    return n.g()\n",
             "n": "import m\ndef g():\n    return m.x\n"},
        ),
        ("def run():\n    from m import f\n    return f()\nfound = run()\n",
         {"m": "def f():\n    return 7\n"}),
        ("try:\n    from m import f\nexcept ImportError:\n    from .m import f\nfound = f()\n",
         {"m": "def f():\n    return 7\n"}),
        ("from m import A\nclass B(A):\n    pass\nfound = B().x\n",
         {"m": "class A:\n    x = 7\n"}),
        ("def run():\n    import m\n    f = 1\n    return m.f()\nfound = run()\n",
         {"m": "def f():\n    return 7\n"}),
        ("from m import f; x = 1\nfound = f()\n", {"m": "def f():\n    return 7\n"}),
        ("import m\nprint = 3\nfound = m.f()\n", {"m": "def f():\n    return len('1234567')\n"}),
        ("import m\nlen = 3\nfound = m.f()\n", {"m": "def f():\n    return len('1234567')\n"}),
        (
            "import m\ndef len(x):\n    return 3\nfound = m.f() + len('')\n",
            {"m": "def f():\n    return len('1234')\n"},
        ),
        ("import m\nm = m.f()\nfound = m\n", {"m": "def f():\n    return 7\n"}),
        (
            "def run():\n    import m\n    m = m.f()\n    return m\nfound = run()\n",
            {"m": "def f():\n    return 7\n"},
        ),
        (
            "import m\nif m.f():\n    m = m.f()\nelse:\n    m = 3\nfound = m\n",
            {"m": "def f():\n    return 7\n"},
        ),
        (
            "from m import *\ndef f():\n    return 5\nfound = f() + g()\n",
            {"m": "def f():\n    return 1\ndef g():\n    return 1 + f()\n"},
        ),
    ],
)  # fmt: skip
def test_the_program_does_what_the_project_does(entry: str, others: dict[str, str]) -> None:
    assert result(joined(entry, others)) == 7


MODULE = "def f():\n    return 7\n"


@pytest.mark.parametrize(
    ("entry", "others"),
    [
        ("from numpy import f\n", {"m": MODULE}),  # another module
        ("import m\nm.f = len\n", {"m": MODULE}),  # somebody changes the module
        ("import m\nsetattr(m, 'f', len)\n", {"m": MODULE}),
        ("import importlib\nfrom m import f\nimportlib.reload(f)\n", {"m": MODULE}),
        (
            "from m import f\n",
            {"m": "import importlib\n" + MODULE + "importlib.import_module(f())\n"},
        ),
        ("from m import f\n", {"m": MODULE + "# distify: skip-file\n"}),
        ("from m import f\n", {"m": "def (\n"}),
        ("try:\n    import m\nexcept ImportError:\n    m = None\nm.f()\n", {"m": MODULE}),
        ("f = len\nfrom m import *\n", {"m": MODULE}),  # which one counts?
        ("from m import *\nf()\nf = len\n", {"m": MODULE}),
        ("from m import *\nf = id(f)\n", {"m": MODULE}),
        ("from m import *\nif f:\n    f = len\n", {"m": MODULE}),
        ("from m import *\nclass f(f):\n    pass\n", {"m": MODULE}),
        (  # which m?
            "import m\ndef g():\n    return m.f()\nfound = g()\nm = m.f()\n",
            {"m": MODULE},
        ),
        ("import m\nfor i in range(2):\n    m = m.f()\n", {"m": MODULE}),
        ("import m\nif m.f():\n    m = 3\nm\n", {"m": MODULE}),
        ("import m\nm.f()\ndel m\n", {"m": MODULE}),
        ("import m\nm = m.f()\ndef g():\n    global m\n    m = 3\n", {"m": MODULE}),
        ("class A:\n    import m\n    m = m.f()\n", {"m": MODULE}),
        ("import numpy as np\nfrom m import *\nnp\n", {"m": "import jax as np\n"}),
        ("import m\nos = 3\nm.f()\n", {"m": "import os.path\ndef f():\n    return os\n"}),
        (
            "from m import f\nimport n\n\nf()\n",
            {"m": MODULE, "n": "import importlib\nimport m\nimportlib.reload(m)\n"},
        ),
    ],
)
def test_what_nobody_can_follow_is_left_outside(entry: str, others: dict[str, str]) -> None:
    assert joined(entry, others) == ""


def test_a_module_that_another_one_changes_is_left_outside() -> None:
    program = joined("from m import f\nimport n\n", {"m": MODULE, "n": "import m\nm.f = len\n"})
    assert "def f" not in program
    assert "from m import f" in program


@pytest.mark.parametrize(
    ("entry", "kept"),
    [
        ("class A:\n    from m import f\nA.f()\n", "from m import f"),  # an attribute
        ("from m import *\nf()\n", "from m import *"),  # which names it gives is computed
    ],
)
def test_what_an_import_binds_may_stay_unknown(entry: str, kept: str) -> None:
    program = joined(entry, {"m": "__all__ = []\n__all__.append('f')\n" + MODULE})
    assert kept in program
    assert "def f" not in program


def test_names_that_go_round_end() -> None:
    others = {"a": "from b import f\n", "b": "from a import f\n"}
    assert "f()" in joined("from a import f\nf()\n", others)


def test_what_shares_a_line_with_an_import_keeps_it() -> None:
    found = join(Project(ENTRY, {ENTRY: "from m import f; x = 1\nf()\n", "m.py": MODULE}))
    assert found is not None
    (line,) = [s.lineno for s in found.source.module.body if isinstance(s, ast.Assign)]
    assert line == 1


def test_what_nobody_needs_is_left_out() -> None:
    text = "import os\ndef f():\n    return g()\ndef g():\n    return 7\ndef h():\n    return 8\n"
    program = joined("from m import f\nf()\n", {"m": text})
    assert "def g" in program
    assert "def h" not in program


@pytest.mark.parametrize(
    ("statement", "is_kept"),
    [
        ("A = {}\n", True),
        ("def register(f):\n    return f\n@register\ndef h():\n    pass\n", True),
        ("import functools\n@functools.cache\ndef h():\n    pass\n", False),
        ("if __name__ == '__main__':\n    h = 1\n", False),
        ("class Base:\n    def __init_subclass__(cls): ...\nclass h(Base): ...\n", True),
    ],
)
def test_what_a_module_does_when_it_is_imported_stays(statement: str, is_kept: bool) -> None:
    program = joined("from m import f\nf()\n", {"m": MODULE + statement})
    assert any(word in program for word in ("A = {}", "def h", "class h", "h = 1")) is is_kept


def test_an_import_of_a_library_is_one_for_all() -> None:
    program = joined(
        "import numpy as np\nfrom m import f\n", {"m": "import numpy as np\nf = np.ones\n"}
    )
    assert "np__" not in program


def test_one_name_for_two_libraries_is_two_names() -> None:
    program = joined(
        "import numpy as np\nfrom m import f\nf\n", {"m": "import jax as np\nf = np.ones\n"}
    )
    assert "import jax as np__m" in program
    assert "f = np__m.ones" in program


def test_lines_lead_back_to_their_files() -> None:
    texts = {ENTRY: "import os\nfrom m import f\nf()\n", "m.py": "# a\ndef f():\n    return 7"}
    found = join(Project(ENTRY, texts))
    assert found is not None
    assert found.source.text == "import os\nfrom m import f\n# a\ndef f():\n    return 7\nf()\n"
    pieces = [found.piece(line) for line in range(1, 7)]
    assert [(p.path, n - p.shift) for n, p in enumerate(pieces, 1)] == [
        (ENTRY, 1), (ENTRY, 2), ("m.py", 1), ("m.py", 2), ("m.py", 3), (ENTRY, 3),
    ]  # fmt: skip
    for number, piece in enumerate(pieces, 1):
        assert found.line(piece.path, number - piece.shift) == number
    for node in ast.walk(found.source.module):
        if isinstance(node, ast.FunctionDef):
            assert node.lineno == 4
    assert found.line_of_import("m.py") == 2


REGISTRY = """\
NETS = {}


def register(function):
    NETS[function.__name__] = function
    return function


"""
NETS = {
    "nets/a": "from nets import register\n\n\n@register\ndef a():\n    return 1\n",
    "nets/b": "from . import register\n\n\n@register\ndef b():\n    return c()\n\n\nfrom .c import c\n",
    "nets/c": "import nets.b\n\n\ndef c():\n    return 2\n",
}


@pytest.mark.parametrize(
    "imports",
    [
        "from nets import a, b\n",
        "import nets.a\nimport nets.b\n",
        "import importlib\n\nfor each in 'ab':\n    importlib.import_module('nets.' + each)\n",
    ],
)
def test_what_stands_above_an_import_runs_before_what_leads_back_to_it(imports: str) -> None:
    others = {**NETS, "nets/__init__": REGISTRY + imports}
    entry = "from nets import NETS\nfound = {name: net() for name, net in NETS.items()}\n"
    assert result(joined(entry, others)) == {"a": 1, "b": 2}


def test_lines_of_a_module_in_two_parts_are_its_own() -> None:
    texts = {f"{path}.py": text for path, text in NETS.items()}
    own = REGISTRY + "from nets import a, b\nLAST = 1\n"
    texts |= {"nets/__init__.py": own, ENTRY: "import os\nfrom nets import NETS\nprint(NETS)\n"}
    found = join(Project(ENTRY, texts))
    assert found is not None
    lines = found.source.text.splitlines()
    for path, text in texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            there = found.line(path, number)
            assert lines[there - 1] == line
            piece = found.piece(there)
            assert (piece.path, there - piece.shift) == (path, number)
    assert len(lines) == sum(len(text.splitlines()) for text in texts.values())
