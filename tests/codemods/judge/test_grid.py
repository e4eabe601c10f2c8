"""The specification of agreement: what differs between workers, where it goes, and which way.

Expectations are derived by hand for each place: what happens there if two workers have unlike
numbers? They aren't read from the tables of the code. Cells that are wrong today are listed; a cell
that has become right must leave the list.
"""

from __future__ import annotations

import re
from functools import cache

import pytest

from distify.codemods.migrate import migrate
from distify.codemods.model import Options

from . import agreement_programs as programs

KINDS = {
    "same": programs.SOUND["number"],
    "seeded": programs.SOUND["own generator with a seed"],
    "chance": programs.SOURCES["random"],
    "clock": programs.SOURCES["time"],
    "person": programs.SOURCES["person"],
    "hash": programs.SOURCES["hash"],
    "files": programs.SOURCES["files"],
}
# Whether a program is refused (x) or written (.), by the kinds above, in their order. Two workers
# whose numbers differ there ... (Names that decide which examples there are, distify sorts.)
EXPECTED = """
layer                ..xxxxx   drop other parts of the same model, by another rule
regularizer          ..xxxxx   follow gradients of unlike losses
units                ..xxxxx   have gradients of unlike shapes: the job fails, or waits
loss                 ..xxxxx   follow gradients of unlike losses
loss weight          ..xxxxx   follow gradients of unlike losses
epochs               ..xxxxx   end apart: one waits for the other for ever
batch size           ..xxxxx   take unlike numbers of steps: one waits for ever
validation split     ..xxxxx   train on unlike numbers of examples: one waits for ever
class weight         ..xxxxx   follow gradients of unlike losses
first epoch          .......   all begin at worker 0's: it tells them
which optimizer      ..xxxxx   apply one average by unlike rules: their weights drift apart
which layers         ..xxxxx   have gradients of unlike numbers of variables
which are trained    ..xxxxx   have gradients of unlike numbers of variables
rate                 ..xxxxx   apply one average at unlike rates: their weights drift apart
rate that is set     ..xxxxx   the same
rate by a callback   ..xxxxx   the same
schedule             ..xxxxx   the same
momentum             ..xxxxx   the same
momentum that is set ..xxxxx   the same
weights              ..xxxxx   have unlike weights from there on
weights or not       ..xxxxx   the same
all weights          ..xxxxx   the same
constraint           ..xxxxx   the same
what is watched      ..xxxxx   stop apart: one waits for the other for ever
end of training      ..xxxxx   the same
examples by count    ..xxxx.   cut shares of unlike arrays, and take unlike numbers of steps
examples by mask     ..xxxx.   the same
targets              ..xxxx.   mean another thing by the same class
file of data         ..xxxx.   cut shares of unlike arrays: examples come twice, or never
take                 ..xxxx.   take unlike numbers of steps: one waits for ever
filter               ..xxxx.   the same
seed of a shuffle    .......   shuffle their shares apart, as they should
step                 ..xxxxx   leave a step out alone: the other waits for ever
end of a loop        ..xxxxx   stop apart: one waits for the other for ever
rounds               ..xxxx.   the same
gradients            ..xxxxx   apply unlike gradients: their weights drift apart
rate in a loop       ..xxxxx   apply one average at unlike rates: their weights drift apart
weights in a loop    .......   get worker 0's weights behind it, by a broadcast
shown                .......   print unlike numbers
name of a model      .......   print unlike names
initial weights      .......   get worker 0's weights before the first step
noise                ...       see the same examples with noise of their own, as one worker would
"""
# What is wrong today: written though it does harm, or refused though it does none.
WRONG_CELLS = """
targets: chance
seed of a shuffle: hash
gradients: files
"""
WRONG_SOURCES = ""
WRONG_FLOWS = ""

# Picks and folds are seeded, and names that make data are sorted, in what distify writes.
MENDED_AT = {
    *((name, "examples by count") for name in ("permutation", "sample", "choice", "files", "glob")),
    *((name, "layer") for name in ("permutation", "sample")),
    *(("folds", sink) for sink in ("layer", "examples by count")),
}
PLACES = ("layer", "weights", "examples by count")
CROSSED = ("layer", "weights", "examples by mask")


ROWS = re.findall(r"^(.+?) +([.x]+)   ", EXPECTED, re.MULTILINE)


def listed(text: str) -> set[tuple[str, str]]:
    """The pairs of a list of lines `first: second, second`."""
    lines = (line.split(": ") for line in text.strip().splitlines())
    return {(first, second) for first, seconds in lines for second in seconds.split(", ")}


CELLS = [(sink, kind, sign == "x") for sink, signs in ROWS for kind, sign in zip(KINDS, signs)]


@cache
def is_refused(text: str) -> bool:
    """Whether a program is refused; else it must have been written."""
    migration = migrate(text, Options())
    assert bool(migration.blocked) != bool(migration.steps)
    return bool(migration.blocked)


def test_every_place_has_its_row() -> None:
    assert [sink for sink, _ in ROWS] == list(programs.SINKS)


@pytest.mark.parametrize("sink", programs.SINKS)
def test_what_differs_is_refused_where_it_does_harm(sink: str) -> None:
    for _, kind, expected in (cell for cell in CELLS if cell[0] == sink):
        found = is_refused(programs.program(sink, KINDS[kind]))
        assert (found == expected) == ((sink, kind) not in listed(WRONG_CELLS)), (sink, kind, found)


@pytest.mark.parametrize("name", programs.SOURCES)
def test_whatever_is_a_worker_s_own_is_refused(name: str) -> None:
    for sink in PLACES:
        found = is_refused(programs.program(sink, programs.SOURCES[name]))
        expected = (name, sink) not in MENDED_AT
        is_right = found == expected
        assert is_right == ((name, sink) not in listed(WRONG_SOURCES)), (name, sink, found)


@pytest.mark.parametrize("name", [*programs.SOUND, *programs.MENDED])
def test_whatever_all_workers_share_is_written(name: str) -> None:
    for sink in PLACES:
        source = (programs.SOUND | programs.MENDED)[name]
        found = is_refused(programs.program(sink, source))
        assert found == ((name, sink) in listed(WRONG_SOURCES)), (name, sink, found)


@pytest.mark.parametrize("flow", programs.FLOWS)
def test_it_is_followed_whichever_way_it_goes(flow: str) -> None:
    for sink in CROSSED:
        for kind in ("seeded", "chance", "clock"):
            found = is_refused(programs.program(sink, KINDS[kind], flow))
            expected = kind != "seeded"
            is_right = found == expected
            is_known = (flow, f"{sink} {kind}") in listed(WRONG_FLOWS)
            assert is_right == (not is_known), (flow, sink, kind, found)
