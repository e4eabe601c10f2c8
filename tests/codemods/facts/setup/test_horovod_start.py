"""Where a program starts Horovod itself, what runs before that, and where it asks for Keras 2."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.setup.horovod_start import is_before_start, started_in, way_to_start
from distify.codemods.facts.setup.import_places import legacy_keras, sorted_place
from distify.codemods.model import Options

HEAD = "import tensorflow as tf\nimport horovod.tensorflow as hvd\nfrom other import use\n"


@pytest.mark.parametrize(
    ("text", "line", "calls"),
    [
        ("hvd.init()\n", 1, 1),
        ("use(hvd.init())\n", 1, 1),
        ("if __name__ == '__main__':\n    hvd.init()\n", 1, 1),
        ("def main():\n    hvd.init()\n\n\nmain()\n", 5, 2),
        ("def main():\n    hvd.init()\n\n\nif __name__ == '__main__':\n    main()\n", 5, 2),
        ("def a():\n    hvd.init()\n\n\ndef b():\n    a()\n\n\nb()\n", 9, 3),
        ("with use:\n    hvd.init()\n", 1, 1),
        ("hvd.init()\nhvd.init()\n", 1, 1),
        ("", None, 0),
        ("if use:\n    hvd.init()\n", None, 0),
        ("use and (hvd.init() if use else 0)\n", None, 0),
        ("for n in use:\n    hvd.init()\n", None, 0),
        ("while use:\n    hvd.init()\n", None, 0),
        ("try:\n    hvd.init()\nexcept ValueError:\n    pass\n", None, 0),
        ("use(lambda: hvd.init())\n", None, 0),
        ("def main():\n    if use:\n        hvd.init()\n\n\nmain()\n", None, 0),
        ("def main():\n    hvd.init()\n\n\nmain()\nmain()\n", None, 0),
        ("def main():\n    hvd.init()\n\n\nuse(main)\n", None, 0),
        ("def main():\n    hvd.init()\n    main()\n", None, 0),
        ("def main():\n    hvd.init()\n", None, 0),
    ],
)
def test_where_a_program_starts_horovod(text: str, line: int | None, calls: int) -> None:
    facts = Facts.of(HEAD + text)
    found = started_in(facts)
    assert (None if found is None else found.lineno - HEAD.count("\n")) == line
    assert len(way_to_start(facts)) == calls


MAIN = """\
def load():
    return use(1)


def more():
    return use(2)


def main():
    use(3)
    a = load()
    hvd.init()
    b = more()
    use(4)


{}
main()
"""


@pytest.mark.parametrize(
    ("number", "is_before", "above"),
    [
        (1, True, ""),
        (2, False, ""),
        (3, True, ""),
        (4, False, ""),
        (5, False, "use(5)"),
        (1, True, "load()"),
        (2, False, "use(more)"),
    ],
)
def test_what_runs_before_horovod_is_started(number: int, is_before: bool, above: str) -> None:
    facts = Facts.of(HEAD + MAIN.format(above))
    (call,) = (c for c in facts.index.calls if ast.unparse(c) == f"use({number})")
    assert is_before_start(facts, call) is is_before
    plain = Facts.of(HEAD + MAIN.format(above).replace("    hvd.init()\n", ""))
    assert not any(is_before_start(plain, each) for each in plain.index.calls)


FIT = "model = tf.keras.Sequential([])\nmodel.compile('sgd')\nmodel.fit(x)\n"


@pytest.mark.parametrize(
    ("text", "line", "name", "is_taken", "later"),
    [
        ("import tensorflow as tf\n", 1, "", False, []),
        ("import os\nimport tensorflow as tf\n", 2, "os", False, []),
        ("import os as o\nimport tensorflow as tf\n", 2, "o", False, []),
        ("import sys, os\nimport tensorflow as tf\n", 2, "os", False, []),
        ("import sys\nimport json\nimport numpy\nimport tensorflow as tf\n", 3, "", False, []),
        ("from .a import b\nimport tensorflow as tf\n", 1, "", False, []),
        ("import tensorflow as tf\nimport numpy\nimport os\nimport sys\n", 1, "", False, [3]),
        ("import tensorflow as tf\nos = 3\n", 1, "", True, []),
        ("import tensorflow as tf\nfrom a import os\n", 1, "", True, []),
    ],
)
def test_where_keras_2_is_asked_for(
    text: str, line: int, name: str, is_taken: bool, later: list[int]
) -> None:
    facts = Facts.of(text + FIT, Options(tensorflow=(2, 16), keras="legacy"))
    found = legacy_keras(facts)
    assert found is not None
    assert (found.place.lineno, found.os, found.is_taken) == (line, name, is_taken)
    assert [each.lineno for each in found.later] == later


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("import tensorflow as tf\n", Options(tensorflow=(2, 15))),
        ("import tensorflow as tf\n", Options(tensorflow=(2, 20))),
        (
            "import os\nos.environ['TF_USE_LEGACY_KERAS'] = '1'\nimport tensorflow as tf\n",
            Options(tensorflow=(2, 16), keras="legacy"),
        ),
        ("", Options(tensorflow=(2, 16), keras="legacy")),
    ],
)
def test_where_it_is_not(text: str, options: Options) -> None:
    assert legacy_keras(Facts.of(text + FIT, options)) is None


@pytest.mark.parametrize(
    "name",
    [
        "__future__",
        "abc",
        "argparse",
        "ast",
        "asyncio",
        "base64",
        "bisect",
        "builtins",
        "calendar",
        "cmath",
        "codecs",
        "collections",
        "concurrent",
        "configparser",
        "contextlib",
        "copy",
        "csv",
        "ctypes",
        "dataclasses",
        "datetime",
        "decimal",
        "difflib",
        "enum",
        "errno",
        "faulthandler",
        "fnmatch",
        "fractions",
        "functools",
        "gc",
        "getpass",
        "glob",
        "gzip",
        "hashlib",
        "heapq",
        "html",
        "http",
        "importlib",
        "inspect",
        "io",
        "itertools",
        "json",
        "logging",
        "math",
        "multiprocessing",
        "numbers",
        "operator",
        "os",
        "pathlib",
        "pdb",
        "pickle",
        "pkgutil",
        "platform",
        "pprint",
        "queue",
        "random",
        "re",
        "select",
        "shelve",
        "shlex",
        "shutil",
        "signal",
        "site",
        "socket",
        "sqlite3",
        "ssl",
        "stat",
        "statistics",
        "string",
        "struct",
        "subprocess",
        "sys",
        "tarfile",
        "tempfile",
        "textwrap",
        "threading",
        "time",
        "timeit",
        "traceback",
        "types",
        "typing",
        "unicodedata",
        "unittest",
        "urllib",
        "uuid",
        "warnings",
        "weakref",
        "xml",
        "zipfile",
        "zlib",
    ],
)
def test_an_import_goes_not_among_those_of_the_standard_library(name: str) -> None:
    facts = Facts.of(f"import {name}\n")
    assert sorted_place(facts, "horovod.tensorflow", facts.module.body[0]) is None
    assert sorted_place(facts, "os", facts.module.body[0]) is not None
    other = Facts.of(f"import {name}_\n")
    assert sorted_place(other, "horovod.tensorflow", other.module.body[0]) is not None
