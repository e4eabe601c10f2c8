"""K04 looks at the pipeline that reaches `fit`, wherever it is built and used among statements."""

from __future__ import annotations

import sys

import pytest

from distify.codemods.migrate import migrate

HEAD = """import sys
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
ds = FINE
"""
FINE = "tf.data.Dataset.range(64).shuffle(64).batch(4)"
CHOSEN = "tf.data.Dataset.range(64).shuffle(64).take(32).filter(lambda e: e % 3 == 0).batch(4)"
PLACES = {
    "plainly": "ds = CHOSEN\nmodel.fit(ds)\n",
    "in else": "try:\n    ds = CHOSEN\nexcept ValueError:\n    pass\nelse:\n    model.fit(ds)\n",
    "in finally": "try:\n    ds = CHOSEN\nfinally:\n    model.fit(ds)\n",
    "in a handler": "try:\n    ds = CHOSEN\n    open(sys.argv[1])\nexcept OSError:\n    model.fit(ds)\n",
    "in the test of while": "while model.fit(ds):\n    ds = CHOSEN\n",
    "before break": "while True:\n    ds = CHOSEN\n    if sys.argv:\n        break\nmodel.fit(ds)\n",
    "in a function": "def run():\n    model.fit(ds)\nrun()\nds = CHOSEN\nrun()\n",
}
if sys.version_info >= (3, 10):
    PLACES["inside match"] = (
        "ds = CHOSEN\nmatch len(sys.argv):\n    case 1:\n        model.fit(ds)\n"
    )
HARMLESS = {
    "overwritten": "ds = CHOSEN\nds = FINE\nmodel.fit(ds)\n",
    "overwritten in both arms": "ds = CHOSEN\nif sys.argv:\n    ds = FINE\nelse:\n    ds = FINE\nmodel.fit(ds)\n",
    "overwritten in else": "ds = CHOSEN\ntry:\n    ds = FINE\nexcept ValueError:\n    raise\nelse:\n    model.fit(ds)\n",
    "bound behind": "model.fit(ds)\nds = CHOSEN\n",
    "bound behind the call": "def run():\n    model.fit(ds)\nrun()\nds = CHOSEN\n",
}


def codes(text: str) -> set[str]:
    """The codes of what keeps a text from being migrated."""
    code = (HEAD + text).replace("CHOSEN", CHOSEN).replace("FINE", FINE)
    return {finding.code for finding in migrate(code).blocked}


@pytest.mark.parametrize("place", PLACES)
def test_the_pipeline_is_refused_where_it_reaches_fit(place: str) -> None:
    assert "K04" in codes(PLACES[place])


@pytest.mark.parametrize("place", HARMLESS)
def test_one_that_does_not_reach_fit_is_no_reason(place: str) -> None:
    assert "K04" not in codes(HARMLESS[place])


SHARED = """import horovod.tensorflow.keras as hvd
import tensorflow as tf
hvd.init()
data = tf.data.Dataset.range(64).{}.batch(4)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1 * hvd.size())), "mse")
model.fit(data, callbacks=[
    hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback()
])
"""
SHARD = "shard(hvd.size(), hvd.rank())"
CHOOSE = "filter(lambda e: e % 3 == 0)"


@pytest.mark.parametrize(
    ("stages", "is_uneven"),
    [
        (f"{SHARD}.{CHOOSE}", True),
        (f"{SHARD}.bucket_by_sequence_length(len, [8], [4, 4]).unbatch()", True),
        (f"{CHOOSE}.{SHARD}", False),
        (f"{SHARD}.map(abs)", False),
        (f"shard(2, 0).{CHOOSE}", False),
        (f"{SHARD}.{CHOOSE}.repeat()", False),
    ],
)
def test_what_is_chosen_of_a_share_is_another_number_on_each_worker(
    stages: str, is_uneven: bool
) -> None:
    found = migrate(SHARED.format(stages))
    told = [each for each in (*found.blocked, *found.notes) if "another number" in each.message]
    assert [each.code for each in told] == ["K04"] * is_uneven
