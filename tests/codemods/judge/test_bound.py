"""A name that rank 0 finds is found by every worker, and what a result adds is bound in time."""

from __future__ import annotations

import pytest

from distify.codemods.judge import bound
from distify.codemods.judge.case import Case
from distify.codemods.model import Options

HEAD = "import horovod.tensorflow as hvd\nhvd.init()\n"


def told(after: str, before: str | None = None) -> list[tuple[int, str]]:
    """The lines and names of what isn't bound on some worker."""
    was = {} if before is None else {"a.py": before}
    proofs = bound.prove(Case({"a.py": after}, was, "a.py", Options()))
    return [(proof.line, proof.why.split("`")[1]) for proof in proofs if not proof.holds]


@pytest.mark.parametrize(
    "text",
    [
        "x = 1\nif hvd.rank() == 0:\n    x = 2\nprint(x)\n",
        "if hvd.rank() == 0:\n    x = 1\nif hvd.rank() == 0:\n    print(x)\n",
        "if hvd.rank() == 0:\n    x = 1\nelse:\n    x = 2\nprint(x)\n",
        "is_chief = hvd.rank() == 0\nif is_chief:\n    x = 1\nif is_chief:\n    print(x)\n",
        "x = open('a') if hvd.rank() == 0 else None\nprint(x)\n",
        # unbound by chance or by length, on all workers alike
        "for x in y():\n    z = x\nprint(z)\n",
        "if y():\n    x = 1\nprint(x)\n",
        "with open('a') as f:\n    x = 1\nprint(x)\n",
        "def f():\n    return later\nlater = 1\nf()\n",
        "from there import *\nif hvd.rank() == 0:\n    print(anything)\nprint(anything)\n",
        "def f(rank):\n    if rank == 0:\n        x = 1\n    return x\n",
    ],
)
def test_nothing_is_told_where_workers_find_the_same_names(text: str) -> None:
    assert told(HEAD + text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("if hvd.rank() == 0:\n    x = 1\nprint(x)\n", [(5, "x")]),
        ("if hvd.rank() != 0:\n    pass\nelse:\n    x = 1\nprint(x)\n", [(7, "x")]),
        ("if hvd.rank() == 0:\n    class A:\n        pass\nA()\n", [(6, "A")]),
        ("if hvd.rank() == 0:\n    import os\ndef f():\n    os.getcwd()\nf()\n", [(6, "os")]),
        ("is_chief = hvd.rank() == 0\nif is_chief:\n    x = 1\nprint(x)\n", [(6, "x")]),
        ("def f():\n    if hvd.rank() == 0:\n        x = 1\n    return x\n", [(6, "x")]),
        ("while hvd.rank() == 0:\n    x = 1\n    break\nprint(x)\n", [(6, "x")]),
    ],
)
def test_what_rank_0_alone_binds_is_told(text: str, found: list[tuple[int, str]]) -> None:
    assert told(HEAD + text) == found


BEFORE = "import tensorflow as tf\ndef load():\n    print(1)\nload()\n"


def test_an_import_below_the_first_call_of_what_reads_it_is_told() -> None:
    after = (
        "import tensorflow as tf\ndef load():\n    if hvd.rank() == 0:\n        print(1)\nload()\n"
        "import horovod.tensorflow as hvd\n"
    )
    assert told(after, BEFORE) == [(3, "hvd")]


def test_by_way_of_another_function_a_method_or_what_a_library_calls() -> None:
    late = "import horovod.tensorflow as hvd\n"
    through = "def load():\n    return hvd.rank()\ndef first():\n    load()\nfirst()\n"
    assert told(through + late, "def load():\n    pass\nfirst()\n") == [(2, "hvd")]
    method = "class A:\n    def __init__(self):\n        self.r = hvd.rank()\na = A()\n"
    assert told(method + late, "class A:\n    pass\na = A()\n") == [(3, "hvd")]
    handed = "import atexit\ndef load():\n    return hvd.rank()\natexit.register(load)\n"
    assert told(handed + late, "import atexit\n") == [(3, "hvd")]


def test_an_import_above_all_calls_is_in_time() -> None:
    after = (
        "import tensorflow as tf\nimport horovod.tensorflow as hvd\n"
        "def load():\n    if hvd.rank() == 0:\n        print(1)\nload()\n"
    )
    assert told(after, BEFORE) == []


def test_a_name_of_the_original_that_is_read_too_early_is_told() -> None:
    before = "import horovod.tensorflow as hvd\nhvd.init()\nimport tensorflow as tf\n"
    after = (
        "import horovod.tensorflow as hvd\nhvd.init()\n"
        'gpus = tf.config.list_physical_devices("GPU")\nimport tensorflow as tf\n'
    )
    assert told(after, before) == [(3, "tf")]


def test_what_is_added_is_read_behind_its_own_import() -> None:
    after = "print(hvd.rank())\nimport horovod.tensorflow as hvd\n"
    assert told(after, "print(0)\n") == [(1, "hvd")]
