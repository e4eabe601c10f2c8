"""Valid programs are migrated, whatever they hold twice; what is no program is named for that."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options, SyntaxProblem
from repeated import one_in

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.py"))
TRAIN = """\
import os
import numpy as np
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.1), "mse")
model.fit(np.ones((8, 4)), np.ones((8, 1)))
"""
TWICE = {
    "an import beside the place": "import numpy as np\nimport numpy as np\nimport tensorflow as tf\n"
    "import tensorflow as tf\n",
    "an import far from it": "import tensorflow as tf\nimport json as j\nx = 1\nimport json as j\n",
    "what a rule inserts": "import tensorflow as tf\ngpus = tf.config.list_physical_devices('GPU')\n"
    "if gpus:\n    tf.config.set_visible_devices(gpus[0], 'GPU')\n",
    "statements that are guarded": "import tensorflow as tf\nprint(1)\nprint(1)\nprint(1)\n",
    "blocks": "import tensorflow as tf\nif 1:\n    print(1)\nif 1:\n    print(1)\n",
    "the choice of a GPU": "import os\nimport tensorflow as tf\n"
    + "os.environ['CUDA_VISIBLE_DEVICES'] = '0'\n" * 2,
}


@pytest.mark.parametrize("head", TWICE.values(), ids=TWICE.keys())
def test_what_a_program_holds_twice(head: str) -> None:
    text = TRAIN.replace("import tensorflow as tf\n", head)
    migration = migrate(text)
    assert not migration.blocked
    assert "hvd.init()" in migration.after
    assert migrate(migration.after).after == migration.after


def imports(text: str) -> Iterator[tuple[int, int]]:
    """The lines of each import of a module that could be there once more."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.Import) or (
            isinstance(node, ast.ImportFrom) and node.module != "__future__"
        ):
            yield node.lineno - 1, node.end_lineno or node.lineno


@pytest.mark.parametrize("example", one_in(4, EXAMPLES), ids=lambda path: path.stem)
def test_all_imports_twice(example: Path) -> None:
    text = example.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    for start, end in reversed(list(imports(text))):
        lines[end:end] = lines[start:end]
    migration = migrate("".join(lines))
    assert migration.steps
    assert not migration.blocked


@pytest.mark.parametrize(
    "ends", [("\n", "\r\n"), ("\r", "\n"), ("\n", "\r"), ("\r\n", "\r"), ("\r", "\n", "\n", "\r\n")]
)
def test_line_ends_of_all_kinds(ends: tuple[str, ...]) -> None:
    pinned = "\nos.environ['CUDA_VISIBLE_DEVICES'] = '0'\n\nx = 1\n"
    lines = TRAIN.replace("import numpy", f"{pinned}import numpy").split("\n")
    for shift in range(len(ends)):
        text = "".join(
            line + ends[(number + shift) % len(ends)] for number, line in enumerate(lines[:-1])
        )
        after = migrate(text).after
        assert "hvd.init()" in after
        assert "VISIBLE_DEVICES" not in after


def test_a_blank_line_that_comes_to_stand_behind_another_end() -> None:
    """The `\\r` before what goes and the `\\n` after it are one line end from then on."""
    text = f"'Docs.'\r\rimport os\n\nos.environ['CUDA_VISIBLE_DEVICES'] = '0'\r\n{TRAIN[10:]}"
    assert migrate(text).after.startswith("'Docs.'\r\nimport horovod")


NO_PROGRAMS = {
    "a return in a module": ("return 3\n", "'return' outside function"),
    "a yield in a module": ("yield 3\n", "'yield' outside function"),
    "a late __future__": ("from __future__ import annotations\n", "from __future__ imports must"),
    "a break without a loop": ("break\n", "'break' outside loop"),
    "two parameters of a name": ("def f(a, a): pass\n", "duplicate argument 'a'"),
    "a late global": ("def f():\n    q = 1\n    global q\n", "before global declaration"),
    "two stars": ("a, *b, *c = x\n", "multiple starred"),
}


@pytest.mark.parametrize("only_look", [True, False])
@pytest.mark.parametrize(("tail", "message"), NO_PROGRAMS.values(), ids=NO_PROGRAMS.keys())
def test_what_parses_but_is_no_program(tail: str, message: str, only_look: bool) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        migrate(TRAIN + tail, Options(only_look=only_look))
    assert message in caught.value.message
    assert caught.value.line > TRAIN.count("\n")


def test_its_column_counts_characters() -> None:
    with pytest.raises(SyntaxProblem) as caught:
        migrate(TRAIN + "'日本'; break\n")
    assert (caught.value.line, caught.value.column) == (7, 6)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="older ones take a number of any length")
def test_a_number_of_too_many_digits() -> None:
    with pytest.raises(SyntaxProblem, match="digits"):
        migrate(f"{TRAIN}n = {'9' * 50_000}\n")
    assert migrate(f"{TRAIN}n = 0x{'9' * 50_000}\n").steps


def test_a_constant_in_wide_letters_is_the_constant() -> None:
    """Python takes it in a text, but in no tree: `compile` of a tree raises ValueError."""
    text = TRAIN.replace("8, 1)))", "8, 1)), shuffle=\uff26\uff41\uff4c\uff53\uff45)")
    migration = migrate(text)
    assert [step.code for step in migration.steps][:2] == ["D101", "D102"]
    compile(migration.after, "result", "exec", dont_inherit=True)
