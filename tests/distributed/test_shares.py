"""The shares of a dataset are disjoint and equally long, whatever its length (rule D107)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from distify.codemods.facts.data.share_forms import ShareForm
from distify.codemods.rewrites._share_edits import written

tf = pytest.importorskip("tensorflow")

LENGTHS = range(8)
SIZES = range(1, 5)
COUNTING = (
    ShareForm.COUNTED,
    ShareForm.COUNTED_UNNAMED,
    ShareForm.GROUPED,
    ShareForm.PAIRED,
)


def shares(dataset: Any, form: ShareForm, size: int, length: str = "") -> list[list[Any]]:
    """What each of `size` workers gets."""
    code = written(form, "hvd", "tf", length)
    found = []
    for rank in range(size):
        hvd = SimpleNamespace(size=lambda: size, rank=lambda rank=rank: rank)
        found.append(list(eval(code, {"_": dataset, "hvd": hvd, "tf": tf}).as_numpy_iterator()))
    return found


@pytest.mark.parametrize("form", [ShareForm.GROUPED, ShareForm.PAIRED])
def test_what_was_shuffled_once_has_disjoint_shares_in_every_epoch(form: ShareForm) -> None:
    code = written(form, "hvd", "tf")
    epochs = []
    for rank in range(2):
        tf.random.set_seed(5)
        ds = tf.data.Dataset.range(20).shuffle(20, reshuffle_each_iteration=False)
        hvd = SimpleNamespace(size=lambda: 2, rank=lambda rank=rank: rank)
        part = eval(code, {"_": ds.take(13), "hvd": hvd, "tf": tf})
        epochs.append([set(part.as_numpy_iterator()) for _ in range(3)])
    for one, other in zip(*epochs):
        assert len(one) == len(other) == 6
        assert not one & other
        assert not (one | other) & set(ds.skip(13).as_numpy_iterator())


@pytest.mark.parametrize("form", [ShareForm.COUNTED_UNNAMED, ShareForm.PAIRED])
def test_batches_of_one_seed_are_dealt_out_anew_in_every_epoch(form: ShareForm) -> None:
    workers = []
    for rank in range(2):
        ds = tf.data.Dataset.range(26).shuffle(26, seed=0).batch(4).prefetch(2)
        hvd = SimpleNamespace(size=lambda: 2, rank=lambda rank=rank: rank)
        part = eval(written(form, "hvd", "tf"), {"_": ds, "hvd": hvd, "tf": tf})
        workers.append([np.concatenate(list(part.as_numpy_iterator())) for _ in range(3)])
    for one, other in zip(*workers):
        assert len(one) == 12
        assert not {*one} & {*other}
    assert len({tuple(epoch) for epoch in workers[0]}) == 3


@pytest.mark.parametrize("form", COUNTING)
@pytest.mark.parametrize("size", SIZES)
def test_shares_are_equal_and_disjoint(form: ShareForm, size: int) -> None:
    for length in LENGTHS:
        found = shares(tf.data.Dataset.range(length), form, size, str(length))
        assert {len(part) for part in found} == {length // size}
        every = [element for part in found for element in part]
        assert len(set(every)) == len(every)
        assert sorted(every) == list(range(length // size * size))


@pytest.mark.parametrize("size", SIZES)
def test_an_endless_dataset_gives_each_worker_elements_of_its_own(size: int) -> None:
    code = written(ShareForm.ENDLESS, "hvd", "tf")
    dataset = tf.data.Dataset.range(8)
    found = [
        set(eval(code, {"_": dataset, "hvd": _worker(rank, size)}).as_numpy_iterator())
        for rank in range(size)
    ]
    assert set.union(*found) == set(range(8))
    assert sum(map(len, found)) == 8


def _worker(rank: int, size: int) -> SimpleNamespace:
    return SimpleNamespace(size=lambda: size, rank=lambda: rank)


STRUCTURES = {
    "pairs": ([1.0, 2.0, 3.0], [0, 1, 0]),
    "a dictionary": ({"a": [1, 2, 3], "b": ["x", "y", "z"]}, [0, 1, 0]),
    "rows": (np.arange(12.0).reshape(3, 2, 2),),
}


@pytest.mark.parametrize("elements", STRUCTURES.values(), ids=list(STRUCTURES))
@pytest.mark.parametrize("form", [ShareForm.GROUPED, ShareForm.PAIRED])
def test_the_structure_of_elements_is_kept(elements: Any, form: ShareForm) -> None:
    dataset = tf.data.Dataset.from_tensor_slices(elements)
    code = written(form, "hvd", "tf")
    found = eval(code, {"_": dataset, "hvd": _worker(0, 2), "tf": tf})
    assert found.element_spec == dataset.element_spec
    assert len(list(found)) == 1


def test_elements_of_different_lengths_need_the_paired_form() -> None:
    def generate() -> Any:
        for number in range(4):
            yield np.arange(number + 1)

    spec = tf.TensorSpec([None], tf.int64)
    dataset = tf.data.Dataset.from_generator(generate, output_signature=spec)
    found = shares(dataset, ShareForm.PAIRED, 2)
    assert [[len(element) for element in part] for part in found] == [[1, 3], [2, 4]]
    with pytest.raises(tf.errors.InvalidArgumentError):
        shares(dataset, ShareForm.GROUPED, 2)


@pytest.mark.parametrize("size", SIZES)
def test_examples_of_batches_are_shared_out_and_batched_again(size: int) -> None:
    for length in LENGTHS:
        dataset = tf.data.Dataset.range(length).batch(3)
        found = shares(dataset, ShareForm.BATCHES, size, "3")
        every = [number for part in found for batch in part for number in batch]
        assert sorted(every) == list(range(length // size * size))
        assert len({len(part) for part in found}) == 1
        assert all(len(batch) == 3 for part in found for batch in part[:-1])


@pytest.mark.parametrize("size", SIZES)
def test_no_worker_runs_out_of_batches_that_are_repeated(size: int) -> None:
    dataset = tf.data.Dataset.range(5).batch(3).repeat()
    code = written(ShareForm.ENDLESS_BATCHES, "hvd", "tf", "3")
    for rank in range(size):
        hvd = SimpleNamespace(size=lambda: size, rank=lambda rank=rank: rank)
        part = eval(code, {"_": dataset, "hvd": hvd, "tf": tf})
        assert [len(batch) for batch in part.take(4).as_numpy_iterator()] == [3] * 4
