"""Where Horovod is imported and started, and where a new import belongs."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.setup.import_places import (
    horovod_place,
    init_place,
    runs_before_init,
    sorted_place,
    tensorflow_import,
)

# -- import places -------------------------------------------------------------------------------
# Where Horovod is imported and started.


def line(node: ast.AST | None) -> int | None:
    return None if node is None else node.lineno  # type: ignore[attr-defined]


QUIET = [
    "sys.setrecursionlimit(9)",
    "os.getcwd()",
    "warnings.filterwarnings('ignore')",
    "logging.basicConfig()",
    "absl.logging.set_verbosity(1)",
    "random.seed(1)",
    "np.random.seed(1)",
    "matplotlib.use('Agg')",
    "gc.disable()",
    "re.purge()",
    "pathlib.Path('a')",
    "tf.get_logger().setLevel('ERROR')",
    "tf.autograph.set_verbosity(0)",
    "tf.logging.set_verbosity(1)",
    "tf.compat.v1.logging.set_verbosity(1)",
    "a = 1",
    "A = int('1')",
]
IMPORTS = "import absl.logging, gc, logging, matplotlib, os, pathlib, random, re, sys, warnings\n"
TF = "import numpy as np\nimport tensorflow as tf\n"


@pytest.mark.parametrize("statement", QUIET)
def test_a_setting_may_stand_between_imports(statement: str) -> None:
    assert line(init_place(Facts.of(f"{IMPORTS}{TF}{statement}\nimport other\n"))) == 5


@pytest.mark.parametrize(
    "statement",
    [
        "print(1)",
        "f()",
        "tf.constant(1)",
        "tf.random.set_seed(1)",
        "other.go()",
        "def f(): ...",
        "class A: ...",
        "if a:\n    f()",
        "with a:\n    b = 1",
        "for a in b: ...",
        "if __name__ == '__main__':\n    import a",
    ],
)
def test_what_works_ends_the_imports(statement: str) -> None:
    assert line(init_place(Facts.of(f"{IMPORTS}{TF}{statement}\nimport other\n"))) == 3


@pytest.mark.parametrize(
    "statement",
    [
        "try:\n    import a\nexcept ImportError:\n    a = None",
        "if a:\n    import b",
        "with c():\n    import b",
        "try:\n    import a\nexcept ImportError:\n    raise",
    ],
)
def test_imports_with_a_fallback_are_imports(statement: str) -> None:
    text = f"{IMPORTS}{TF}{statement}\n"
    assert line(init_place(Facts.of(text))) == 4


ENVIRONMENT = [
    "os.environ['A'] = 'b'",
    "os.environ.setdefault('A', 'b')",
    "os.putenv('A', 'b')",
]


@pytest.mark.parametrize("statement", ENVIRONMENT)
def test_hvd_init_comes_behind_the_environment(statement: str) -> None:
    facts = Facts.of(f"{IMPORTS}{TF}a = int('1')\n{statement}\nb = 1\n")
    assert line(init_place(facts)) == 5
    late = Facts.of(f"{IMPORTS}{TF}tf.constant(1)\n{statement}\n")
    assert line(init_place(late)) == 3


def test_a_gpu_that_is_chosen_is_no_setting_to_wait_for() -> None:
    text = f"{IMPORTS}{TF}os.environ['CUDA_VISIBLE_DEVICES'] = '1'\n"
    assert line(init_place(Facts.of(text))) == 3
    off = f"{IMPORTS}{TF}os.environ['CUDA_VISIBLE_DEVICES'] = '-1'\n"
    assert line(init_place(Facts.of(off))) == 4
    assert line(init_place(Facts.of(f"{IMPORTS}{TF}a = os.environ['A']\nx['A'] = 1\n"))) == 3


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("import tensorflow as tf", 1),
        ("import tf_keras", 1),
        ("from keras import layers", 1),
        ("import os\nimport tensorflow as tf\nfrom tensorflow import keras\nimport a", 3),
        ("import tensorflow as tf\ntf.constant(1)\nfrom tensorflow import keras", 1),
        ("import tensorflow as tf; import a\nimport b", 1),
        (
            "try:\n    import tensorflow.compat.v2 as tf\nexcept ImportError:\n    import tensorflow as tf",
            1,
        ),
        (
            "import tensorflow as tf\ntry:\n    import keras\nexcept ImportError:\n    keras = None",
            1,
        ),
        ("import tensorflow_datasets", None),
        ("from .tensorflow import a", None),
        ("def f():\n    import tensorflow", None),
        ("if __name__ == '__main__':\n    import tensorflow", None),
        ("import os", None),
    ],
)
def test_the_import_of_tensorflow(text: str, number: int | None) -> None:
    facts = Facts.of(text + "\n")
    assert line(tensorflow_import(facts)) == number
    assert (init_place(facts) is None) == (number is None)
    if number is None:
        assert horovod_place(facts) is None


@pytest.mark.parametrize(
    ("text", "early"),
    [
        ("import tensorflow as tf\nask()", False),
        ("ask()\nimport tensorflow as tf", True),
        ("if a:\n    ask()\nimport tensorflow as tf", True),
        ("def f():\n    ask()\nimport tensorflow as tf", False),
        ("f = lambda: ask()\nimport tensorflow as tf", False),
        ("import tensorflow as tf\nimport a\nclass A:\n    ask()", False),
        ("class A:\n    ask()\nimport tensorflow as tf", True),
        ("ask()", True),
    ],
)
def test_what_runs_before_hvd_init(text: str, early: bool) -> None:
    facts = Facts.of(text + "\n")
    call = next(c for c in facts.index.calls if getattr(c.func, "id", "") == "ask")
    statement = facts.statement(call)
    if "lambda" not in text:
        assert runs_before_init(facts, statement) is early


SETTINGS = ["os.environ['A'] = '1'", "os.environ.setdefault('A', '1')", "os.putenv('A', '1')"]


@pytest.mark.parametrize("setting", SETTINGS)
def test_horovod_starts_behind_what_sets_the_environment(setting: str) -> None:
    assert line(init_place(Facts.of(f"{IMPORTS}{TF}x = 3\n{setting}\ny = tf.ones(3)\n"))) == 5
    guarded = f"{IMPORTS}{TF}def f():\n    {setting}\ny = tf.ones(3)\n"
    assert line(init_place(Facts.of(guarded))) == 3


# -- import order --------------------------------------------------------------------------------
# Where a new import belongs among the others.


def place(text: str, module: str = "horovod.tensorflow") -> tuple[str, bool] | None:
    """Beside which import, and whether before it, in a text whose import of TensorFlow is known."""
    facts = Facts.of(text)
    beside = next(
        s for s in facts.module.body if "tensorflow" in ast.unparse(s) or "os" in ast.unparse(s)
    )
    found = sorted_place(facts, module, beside)
    return None if found is None else (ast.unparse(found[0]), found[1])


PLACES = {
    "import tensorflow as tf": ("import tensorflow as tf", True),
    "import numpy as np\nimport tensorflow as tf": ("import numpy as np", True),
    "import gym\nimport numpy as np\nimport tensorflow as tf": ("import numpy as np", True),
    "import gym\nimport tensorflow as tf\nfrom a import b": ("import tensorflow as tf", True),
    "from tensorflow import keras": ("from tensorflow import keras", True),
    "import tensorflow as tf\nfrom .a import b": ("import tensorflow as tf", True),
    "import Gym\nimport tensorflow as tf": ("import tensorflow as tf", True),
    "import gym\n# why\nimport tensorflow as tf": ("import gym", False),
    "# why\nimport tensorflow as tf": None,
    "# why\nimport numpy\nimport tensorflow as tf": None,
    "import tensorflow as tf\nimport numpy as np": None,
    "import os\nimport tensorflow as tf": None,
    "import a, gym\nimport tensorflow as tf": None,
    "from a import b\nimport tensorflow as tf": None,
    "import os\n\nimport tensorflow as tf": ("import tensorflow as tf", True),
    "import numpy\n\nimport tensorflow as tf": ("import tensorflow as tf", True),
    "import numpy\na = 1\nimport tensorflow as tf": ("import tensorflow as tf", True),
    "import numpy; import tensorflow as tf": ("import tensorflow as tf", True),
    "if a:\n    import tensorflow as tf": None,
    "try:\n    import tensorflow as tf\nexcept E:\n    pass": None,
}


@pytest.mark.parametrize("text", [text for text in PLACES if not text.startswith("import os")])
def test_a_new_import_goes_to_its_sorted_place(text: str) -> None:
    assert place(text) == PLACES[text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import os", ("import os", False)),
        ("import os\nimport sys", ("import sys", True)),
        ("import json\nimport os\nfrom a import b", None),
        (
            "import json\nimport os\nfrom collections import deque",
            ("from collections import deque", True),
        ),
    ],
)
def test_a_module_of_the_standard_library_goes_among_its_like(
    text: str, expected: tuple[str, bool] | None
) -> None:
    assert place(text, "random") == expected


def test_behind_the_last_one() -> None:
    assert place("import os", "zlib") == ("import os", False)
    assert place("from a import b\nfrom os import c", "zlib") is None
