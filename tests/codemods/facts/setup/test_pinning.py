"""Where a program chooses its GPU itself, and what served only that choice."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts import Facts
from distify.codemods.facts.setup.pinning import (
    is_pinned_here,
    means_devices,
    pinning,
    unused_names,
)

HEAD = "import os\nimport tensorflow as tf\n"
LISTED = "gpus = tf.config.list_physical_devices('GPU')\n"


def of_last(text: str) -> tuple[Facts, ast.stmt]:
    facts = Facts.of(HEAD + text)
    return facts, facts.module.body[-1]


CHOICES = [
    "os.environ['CUDA_VISIBLE_DEVICES'] = '0'",
    "os.environ['CUDA_VISIBLE_DEVICES'] = args.gpu",
    "os.environ['CUDA_VISIBLE_DEVICES'] = '1' if a else '2'",
    "os.environ.setdefault('CUDA_VISIBLE_DEVICES', '0')",
    "os.environ.__setitem__('CUDA_VISIBLE_DEVICES', '0')",
    "os.putenv('CUDA_VISIBLE_DEVICES', '0')",
    "os.environ.update({'CUDA_VISIBLE_DEVICES': '0'})",
    "os.environ.update(CUDA_VISIBLE_DEVICES='0')",
    "tf.config.set_visible_devices(gpus[0])",
    "tf.config.set_visible_devices(gpus[0], 'GPU')",
    "tf.config.set_visible_devices(gpus[0], None)",
    "tf.config.experimental.set_visible_devices(devices=gpus[0], device_type='GPU')",
    "tf.config.set_visible_devices([gpus[0]], 'GPU')",
]
NO_CHOICES = [
    "os.environ['CUDA_VISIBLE_DEVICES'] = '-1'",
    "os.environ['CUDA_VISIBLE_DEVICES'] = ''",
    "os.environ['CUDA_VISIBLE_DEVICES'] = '-1' if a else '0'",
    "os.environ['CUDA_VISIBLE_DEVICES'] = '0' if a else '-1'",
    "os.environ['CUDA_VISIBLE_DEVICES'] = a = '0'",
    "os.environ['OTHER'] = '0'",
    "environ['CUDA_VISIBLE_DEVICES'] = '0'",
    "a = '0'",
    "os.environ.setdefault('CUDA_VISIBLE_DEVICES')",
    "os.environ.setdefault('OTHER', '0')",
    "os.environ.get('CUDA_VISIBLE_DEVICES', '0')",
    "os.environ.update({'CUDA_VISIBLE_DEVICES': '0', 'OTHER': '1'})",
    "os.environ.update({'OTHER': '0'})",
    "os.environ.update(CUDA_VISIBLE_DEVICES='0', OTHER='1')",
    "os.environ.update(OTHER='0')",
    "os.environ.update({'CUDA_VISIBLE_DEVICES': '0'}, OTHER='1')",
    "os.environ.update(a, b)",
    "a = os.putenv('CUDA_VISIBLE_DEVICES', '0')",
    "tf.config.set_visible_devices([], 'GPU')",
    "tf.config.set_visible_devices((), 'GPU')",
    "tf.config.set_visible_devices(cpus[0], 'CPU')",
    "tf.config.set_visible_devices(gpus[0], kind)",
    "tf.config.set_memory_growth(gpus[0], True)",
]


@pytest.mark.parametrize(
    ("text", "expected"), [*((t, True) for t in CHOICES), *((t, False) for t in NO_CHOICES)]
)
def test_a_choice_of_a_gpu(text: str, expected: bool) -> None:
    assert is_pinned_here(*of_last(text)) is expected


def gone(text: str) -> list[int]:
    """The lines, counted in `text`, of the statements that go."""
    facts = Facts.of(HEAD + text)
    return sorted(s.lineno - HEAD.count("\n") for s in pinning(facts))  # type: ignore[attr-defined]


PIN = "tf.config.set_visible_devices(gpus[0], 'GPU')\n"
GROW = "tf.config.experimental.set_memory_growth(gpu, {})\n"
CASES = {
    "the choice": (PIN, [1]),
    "the list that it is made from": (LISTED + PIN, [1, 2]),
    **{
        f"the list by {name}": (f"gpus = tf.config.{name}('GPU')\n{PIN}", [1, 2])
        for name in (
            "experimental.list_physical_devices",
            "get_visible_devices",
            "experimental.get_visible_devices",
        )
    },
    "not a list that is read elsewhere": (LISTED + PIN + "f(gpus)\n", [2]),
    "not another list": ("gpus = f()\n" + PIN, [2]),
    "not a list under two names": ("gpus = a = tf.config.list_physical_devices()\n" + PIN, [2]),
    "the condition around": (LISTED + "if gpus:\n    " + PIN, [1, 2, 3]),
    "a condition that only looks": (LISTED + "if len(gpus) > 1:\n    " + PIN, [1, 2, 3]),
    "not a condition that does something": (LISTED + "if f(gpus):\n    " + PIN, [3]),
    "not a condition with more in it": (LISTED + "if gpus:\n    f()\n    " + PIN, [4]),
    "not a condition with something else": (
        LISTED + "if gpus:\n    " + PIN + "else:\n    f()\n",
        [3],
    ),
    "not an elif": (LISTED + "if a:\n    f()\nelif gpus:\n    " + PIN, [5]),
    "the try around": ("try:\n    " + PIN + "except RuntimeError as e:\n    print(e)\n", [1, 2]),
    "not a try that ends with something": ("try:\n    " + PIN + "finally:\n    f()\n", [2]),
    "memory growth, which is set anyway": (
        LISTED + "for gpu in gpus:\n    " + GROW.format(True),
        [1, 2, 3],
    ),
    "memory growth for each": (
        "for gpu in tf.config.list_physical_devices('GPU'):\n    " + GROW.format("enable=True"),
        [1, 2],
    ),
    "not memory growth that is switched off": (
        LISTED + "for gpu in gpus:\n    " + GROW.format(False),
        [],
    ),
    "not the loop over something made": ("for gpu in f():\n    " + GROW.format(True), [2]),
    "nothing": (LISTED + "f(gpus)\n", []),
    "a list that nobody reads stays": (LISTED, []),
}


@pytest.mark.parametrize(("text", "lines"), CASES.values(), ids=CASES.keys())
def test_what_goes(text: str, lines: list[int]) -> None:
    assert gone(text) == lines


def test_imports_that_only_the_choice_used() -> None:
    text = "import os, sys\nimport tensorflow as tf\nfrom a import b as c\n{}\n"
    choice = "os.environ['CUDA_VISIBLE_DEVICES'] = c"
    for more, names in (("", ["os", "c"]), ("os", ["c"]), ("c", ["os"]), ("x.os", ["os", "c"])):
        facts = Facts.of(text.format(choice) + more)
        left = unused_names(facts, pinning(facts))
        assert [name for group in left.values() for name in group] == names


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("", True),
        (LISTED, True),
        ("gpus = 1\n", False),
        (LISTED + "gpus = 1\n", False),
        ("a = tf.config.list_physical_devices()\ngpus = a\n", True),
    ],
)
def test_the_name_of_the_devices_is_used_again_only_for_them(text: str, same: bool) -> None:
    assert means_devices(Facts.of(HEAD + text), "gpus") is same
