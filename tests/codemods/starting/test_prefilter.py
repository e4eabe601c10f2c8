"""The search of the bytes: never a false no, and fast on any input."""

from __future__ import annotations

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import ALREADY_HOROVOD, NO_TRAINING
from distify.codemods.starting.prefilter import may_concern, may_train

YES = [
    "import tensorflow as tf\nmodel.fit(x)\n",
    "from keras import Sequential\nmodel.fit (x)\n",
    "import tensorflow as tf\nmodel.\\\n  fit(x)\n",
    "import tensorflow as tf\n(model\n  .fit(x))\n",
    "import tensorflow as tf\ngetattr(model, 'fit')(x)\n",
    "import tensorflow as tf\ntrain = model.fit\n",
    "import tf_keras\nm.fit_generator(g)\n",
    "import tensorflow as tf\nwith tf.GradientTape() as t: pass\n",
    "import tensorflow as tf\nm.train_on_batch(x, y)\n",
    "import tensorflow.compat.v1 as tf\nwith tf.Session() as s: pass\n",
    "import tensorflow as tf\nopt.minimize(loss)\n",
    "import tensorflow as tf\ntf.estimator.train_and_evaluate(e, a, b)\n",
    "import tensorflow as tf\nopt.apply_gradients(z)\n",
]
NO = [
    "",
    "model.fit(x)\n",
    "import tensorflow as tf\nprint(tf.__version__)\n",
    "import tensorflow as tf\nmodel.fitted = benefit.fits\n",
    "import torch\nloss.minimize()\n",
]


@pytest.mark.parametrize("text", YES)
def test_what_may_train(text: str) -> None:
    assert may_train(text.encode())
    assert may_train(text.encode("utf-16"))


@pytest.mark.parametrize("text", NO)
def test_what_can_not(text: str) -> None:
    assert not may_train(text.encode())


ELSEWHERE = [
    "import horovod.torch as hvd\nhvd.init()\nestimator.fit(x)\n",
    "from horovod.spark.common import util\nclass E(Params):\n    def go(self, x): self.fit(x)\n",
    "import torch\nwith torch.Session() as s: s.minimize(loss)\n",
]


@pytest.mark.parametrize("text", ELSEWHERE)
def test_what_it_refuses_has_no_finding(text: str) -> None:
    """Though `fit` of an unknown thing, or a Horovod of another framework, is one elsewhere."""
    assert not may_concern(text.encode())
    found = migrate(text)
    assert (found.skipped, found.blocked, found.notes, found.after) == (NO_TRAINING, (), (), text)
    assert migrate(f"import tensorflow as tf\n{text}").blocked


def test_horovod_without_a_training_loop_is_named() -> None:
    text = "import horovod.tensorflow as hvd\nhvd.init()\n"
    assert not may_train(text.encode())
    assert may_concern(text.encode())
    assert migrate(text).skipped == ALREADY_HOROVOD


@pytest.mark.parametrize("filler", [b".", b". ", b" ", b".fi", b"\\", b"'fit", b".\n\\"])
def test_no_input_makes_it_slow(filler: bytes) -> None:
    """A search that begins anew at each byte would not come to the end of two million."""
    text = b"tensorflow" + filler * (2_000_000 // len(filler))
    assert may_train(text) is (filler == b"'fit")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("model.compile(loss=loss)", True),
        ("more.compile(loss=loss)", True),
        ("pattern = re.compile('a')", False),
        ("compile(text, 'a', 'exec')", False),
    ],
)
def test_models_are_compiled_and_patterns_are_not_meant(line: str, expected: bool) -> None:
    assert may_train(f"import tensorflow\n{line}\n".encode()) is expected
