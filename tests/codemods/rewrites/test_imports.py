"""Where the imports that rules add are written, and how."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.rewrites._import_edits import (
    behind_imports,
    horovod_import,
    standard_import,
    tensorflow_import,
)
from distify.codemods.rewrites._new_code import os


def lines(found: dict) -> list[tuple[int, str, str]]:
    return [(node.lineno, lines.before, lines.after) for node, lines in found.items()]


def test_horovods_import_goes_to_its_sorted_place_or_behind() -> None:
    plain = "import horovod.tensorflow as hvd\n"
    assert lines(horovod_import(Facts.of("import tensorflow as tf\n"))) == [(1, plain, "")]
    unsorted = "import tensorflow as tf\nimport numpy as np\n"
    assert lines(horovod_import(Facts.of(unsorted))) == [(1, "", plain)]
    fit = "import tensorflow as tf\n\ntf.keras.Sequential([]).fit(x)\n"
    keras = "import horovod.tensorflow.keras as hvd\n"
    assert lines(horovod_import(Facts.of(fit))) == [(1, keras, "")]
    batch = "import tensorflow as tf\n\nm = tf.keras.Sequential([])\nfor x in a:\n    m.train_on_batch(x)\n"
    both = "import horovod.tensorflow as hvd_tf\n" + keras
    assert lines(horovod_import(Facts.of(batch))) == [(1, both, "")]


def test_tensorflow_is_imported_for_those_that_only_know_keras() -> None:
    tf = "import tensorflow as tf\n"
    assert lines(tensorflow_import(Facts.of("import keras\n"))) == [(1, "", tf)]
    assert lines(tensorflow_import(Facts.of("from keras import layers\n"))) == [(1, tf, "")]
    assert lines(tensorflow_import(Facts.of("import keras\nimport a\n"))) == [(1, tf, "")]
    assert lines(tensorflow_import(Facts.of("import tensorflow as tf\n"))) == []
    assert lines(tensorflow_import(Facts.of("import os\n"))) == []


def test_what_is_started_stands_below_the_import_at_the_same_place() -> None:
    facts = Facts.of("import tensorflow as tf\nimport numpy as np\n")
    (found,) = behind_imports(facts, "x\n").values()
    assert (found.after, found.distance) == ("x\n", 0)
    facts = Facts.of("import numpy as np\nimport a\nimport tensorflow as tf\n")
    (found,) = behind_imports(facts, "x\n").values()
    assert (found.after, found.distance) == ("x\n", 1)


@pytest.mark.parametrize(
    ("head", "name", "line"),
    [
        ("import json\nimport tensorflow as tf\n", "os", {"import json": "import os"}),
        ("import tensorflow as tf\n", "os", {"import tensorflow as tf": "import os"}),
        ("import random\nimport tensorflow as tf\n", "os", {"import random": "import os"}),
        ("from __future__ import a\nimport tensorflow as tf\n", "os", {"import tensorflow as tf": "import os"}),
        ("import os as o\nimport tensorflow as tf\n", "o", {}),
        ("import os.path\nimport tensorflow as tf\n", "os", {}),
        ("import tensorflow as tf\nos = 1\n", "os_1", {"import tensorflow as tf": "import os as os_1"}),
    ],
)  # fmt: skip
def test_os_is_imported_where_it_is_not(head: str, name: str, line: dict[str, str]) -> None:
    facts = Facts.of(head + "f = open('a', 'w')\n")
    found = standard_import(facts, "os", os(facts)).items()
    assert {ast.unparse(n): (e.before or e.after).strip() for n, e in found} == line
    assert os(facts) == name


def test_it_goes_above_the_lines_of_other_rules() -> None:
    facts = Facts.of("import tensorflow as tf\n")  # Horovod's import goes before it, too
    assert [edit.distance for edit in standard_import(facts, "os", os(facts)).values()] == [1]
