"""What calls change in place, by their names and keywords."""

from __future__ import annotations

import pytest

from distify.codemods.library.changes import RECEIVER, changed

NAMES = {
    "random.shuffle": (0,),
    "numpy.random.shuffle": (0,),
    "numpy.copyto": (0,),
    "numpy.add.at": (0,),
    "heapq.heappush": (0,),
    "bisect.insort_left": (0,),
    ".sort": (RECEIVER,),
    ".partition": (RECEIVER,),
    ".update": (RECEIVER,),
    ".append": (RECEIVER,),
    "numpy.sort": (),
    "numpy.partition": (),
    "numpy.random.permutation": (),
    "random.sample": (),
    ".replace": (),
    ".shuffle": (),
    ".mean": (),
    "sklearn.utils.shuffle": (),
}


@pytest.mark.parametrize(("name", "places"), NAMES.items())
def test_a_name_says_what_is_changed(name: str, places: tuple[object, ...]) -> None:
    assert changed(name, [], []) == places


def test_keywords_say_that_something_is_changed() -> None:
    assert changed(".replace", ["inplace"], []) == (RECEIVER,)
    assert changed("numpy.clip", ["out"], []) == ("out",)
    assert changed(".clip", ["min", "out"], []) == ("out",)
    assert changed("pandas.eval", ["inplace"], []) == ()


def test_a_generator_shuffles_what_it_is_given_and_a_dataset_does_not() -> None:
    assert changed(".shuffle", [], ["numpy.random.default_rng"]) == (0,)
    assert changed(".shuffle", [], ["tensorflow.data.Dataset.range"]) == ()
