"""Generators that a loop or a `fit` uses up are dealt out, a batch of each turn to each worker."""

from __future__ import annotations

import pytest

from dealt import BATCHES, DEALT, ENDLESS, ENDLESS_ONES, FIT, HEAD, LOOP, STEP, TURNING
from distify.codemods.migrate import migrate

DRAWN = BATCHES.replace("x[i : i + size]", "x[np.random.randint(0, len(x), size)]")
LEFT = {
    "batches that each worker picks": STEP + DRAWN + LOOP,
    "the same batch each time": STEP + BATCHES.replace("[i : i + size]", "[:size]") + LOOP,
    "a loop that ends sooner": STEP + BATCHES + LOOP + "    if inputs[0] > 3:\n        break\n",
    "a loop in a graph": STEP + BATCHES + "@tf.function\ndef epoch():\n    for inputs in batches():\n"
    "        step(inputs)\nepoch()\n",
    "a generator that others read on": STEP + BATCHES + "data = batches()\nfirst = next(data)\n"
    "for inputs in data:\n    step(inputs)\n",
    "one that cuts its share": "import horovod.tensorflow as hvd\n" + STEP
    + BATCHES.replace("range(0", "range(hvd.rank() * size") + LOOP,
    "what nobody sees": STEP + "from elsewhere import batches\n" + LOOP,
    "an order that another thread draws": ENDLESS.replace(
        "      for", "      order = np.random.permutation(len(x))\n      for"
    ).replace("x[i : i + size]", "x[order[i : i + size]]") + FIT,
    "batches that several processes fetch": ENDLESS
    + FIT.replace("=8", "=8, use_multiprocessing=True"),
    "what a person says is their own": STEP + BATCHES + LOOP.replace(":\n", ":  # distify: rows=own\n"),
    "a number that does more": STEP + "for i in range(16):\n    step(x[i * 16 : (i + 1) * 16])\n"
    "    if i % 4 == 0:\n        print(x.mean())\n",
    "a rest of the examples": STEP + "for i in range(16):\n    step(x[i * 16 :])\nprint(x.mean())\n",
    "folds": 'model.compile(optimizer, "mse")\nfor i in range(3):\n'
    "    model.fit(x[i * 16 : i * 16 + 16], y[i * 16 : i * 16 + 16])\n",
    "an order that is drawn elsewhere": STEP + "order = np.random.permutation(len(x))\n"
    "for i in range(16):\n    step(x[order[i * 16 : (i + 1) * 16]])\nprint(x.mean())\n",
    "examples that are shuffled themselves": STEP + "for epoch in range(2):\n"
    "    np.random.shuffle(x)\n    for i in range(16):\n        step(x[i * 16 : (i + 1) * 16])\n"
    "print(x.mean())\n",
    "slices of what nobody knows": STEP + "from elsewhere import z\n"
    "for i in range(16):\n    step(z[i * 16 : (i + 1) * 16])\nprint(z.mean())\n",
    "one array that is filled anew": STEP + "def batches():\n    rows = np.zeros((16, 4))\n"
    "    for i in range(0, len(x), 16):\n        rows[:] = x[i : i + 16]\n        yield rows\n" + LOOP,
    "one list that is emptied": STEP + "def batches():\n    rows = []\n    for i in range(len(x)):\n"
    "        rows.append(x[i])\n        if i % 8 == 7:\n            yield rows, i\n            rows.clear()\n"
    + LOOP,
    "batches that are asked for elsewhere, too": STEP + ENDLESS_ONES
    + "given = batches()\nfor n in range(16):\n    step(next(given))\nprint(list(given)[:1])\n",
    "batches that nobody counts": STEP + BATCHES
    + "given = batches()\nwhile model.built:\n    step(next(given))\n",
    "a list that is shuffled": "import random\n" + STEP
    + "parts = [x[i : i + 16] for i in range(0, len(x), 16)]\nrandom.shuffle(parts)\n"
    "for inputs in parts:\n    step(inputs)\n",
    "a list of picks": STEP + "parts = [x[np.random.randint(0, len(x), 16)] for i in range(16)]\n"
    "for inputs in parts:\n    step(inputs)\n",
    "a list of the same": STEP + "parts = [x[:16] for i in range(16)]\nfor inputs in parts:\n    step(inputs)\n",
    "a list of each worker's own": "import horovod.tensorflow as hvd\n" + STEP
    + "for inputs in np.array_split(x, hvd.size()):\n    step(inputs)\n",
    "one of two that isn't followed": STEP + BATCHES + "from elsewhere import others\n"
    "for a, b in zip(batches(), others()):\n    step(a)\n",
    "a fit in a loop, which a thread reads ahead for": ENDLESS
    + 'model.compile(optimizer, "mse")\ngiven = batches()\nfor n in range(3):\n'
    "    model.fit(given, steps_per_epoch=8)\n",
    "an object that stands still": TURNING.replace("% len(self.x)", "* 0").replace("self.at = (", "at = (")
    + 'model.compile(optimizer, "mse")\nmodel.fit(Batches(x, y), steps_per_epoch=8)\n',
    "an object that picks": TURNING.replace("slice(self.at, self.at + 16)", "np.random.randint(0, 99, 16)")
    + 'model.compile(optimizer, "mse")\nmodel.fit(Batches(x, y), steps_per_epoch=8)\n',
    "what is only tested": BATCHES + 'model.compile(optimizer, "mse")\nmodel.fit(x)\n'
    "for inputs in batches():\n    model.test_on_batch(inputs)\n",
}  # fmt: skip


@pytest.mark.parametrize("name", DEALT)
def test_it_is_dealt_out(name: str) -> None:
    text, expected = DEALT[name]
    done = migrate(HEAD + text)
    assert expected in done.after
    assert done.after.count("def share(batches):") == 1
    assert migrate(done.after).after == done.after


@pytest.mark.parametrize("name", LEFT)
def test_it_is_left(name: str) -> None:
    assert "share(" not in migrate(HEAD + LEFT[name]).after


def test_the_function_gets_a_name_that_is_free() -> None:
    done = migrate(HEAD + STEP + BATCHES + "share = 3\n" + LOOP)
    assert "for inputs in share_1(batches()):" in done.after


def test_a_schedule_counts_the_steps_of_a_share() -> None:
    schedule = "tf.keras.optimizers.schedules.ExponentialDecay(0.01, 100, 0.9)"
    done = migrate((HEAD + STEP + BATCHES + LOOP).replace("SGD(0.01)", f"SGD({schedule})"))
    assert "max(1, 100 // hvd.size())" in done.after
