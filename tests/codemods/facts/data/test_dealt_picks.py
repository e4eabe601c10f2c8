"""Picks that one seed makes alike on all workers: each takes its own of as many as there are workers."""

from __future__ import annotations

import pytest

from dealt import BATCHES, HEAD, LOOP, PICKS, SEED, STEP
from distify.codemods.migrate import migrate

PICK = "    pick = np.random.randint(0, len(x), 16)\n"
ROUNDS = "for n in range(16):\n"
LEFT = {
    "picks that nobody seeds": STEP + ROUNDS + PICK + "    step(x[pick])\n",
    "a pick before the loop": SEED + STEP + PICK.strip() + "\n" + ROUNDS + "    step(x[pick])\n",
    "a number that does more": SEED + STEP + ROUNDS + PICK + "    step(x[pick])\n    print(pick)\n",
    "a pick that is changed": SEED + STEP + ROUNDS + PICK + "    pick = pick + 1\n    step(x[pick])\n",
    "numbers that pick nothing": SEED + STEP + ROUNDS + "    some = np.random.randint(0, 9, (16, 4))\n"
    "    step(some)\n",
    "what is drawn where nothing trains": SEED + STEP + ROUNDS + PICK + "    print(x[pick])\n" + BATCHES + LOOP,
    "an order": SEED + STEP + ROUNDS + "    pick = np.random.permutation(len(x))\n    step(x[pick])\n",
    "a pick by rank": "import horovod.tensorflow as hvd\nnp.random.seed(hvd.rank())\n" + STEP + ROUNDS + PICK
    + "    step(x[pick])\n",
    "what a person says is their own": SEED + STEP + ROUNDS + PICK
    + "    step(x[pick])  # distify: rows=own\n",
    "a pick that hangs on the batch": SEED + STEP + ROUNDS
    + "    if model.built:\n    " + PICK + "        step(x[pick])\n",
    "a function that is called elsewhere, too": SEED + STEP
    + "def batch():\n" + PICK + "    return x[pick]\nprint(batch())\n" + ROUNDS + "    step(batch())\n",
}  # fmt: skip


@pytest.mark.parametrize("name", PICKS)
def test_each_worker_takes_its_own(name: str) -> None:
    text, expected = PICKS[name]
    done = migrate(HEAD + text)
    assert "".join(expected.split()) in "".join(done.after.split())
    assert not done.blocked
    assert not [note for note in done.notes if note.code in ("D107", "H18")]
    assert migrate(done.after).after == done.after


@pytest.mark.parametrize("name", LEFT)
def test_it_is_left(name: str) -> None:
    assert "for turn in range(" not in migrate(HEAD + LEFT[name]).after
