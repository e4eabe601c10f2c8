"""Do all workers start from the values of one? (D202 loop, D302 fit, D402–D404 TensorFlow 1)"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..record.events import Broadcast
from ..record.verdict import Verdict, fine, note, unchecked
from . import judge
from ._compared_states import compare
from ._seen import across, broadcast_rule, everyone, first_place, is_graph, is_keras_3, made_steps
from ._words import count

if TYPE_CHECKING:
    from ..record.evidence import Evidence

ASKS = "whether all workers start from the same values"
FIXES = {
    "D202": "after the first step, outside of @tf.function or behind a tf.Variable flag: "
    "`hvd.broadcast_variables(model.variables, root_rank=0)`, and the optimizer's",
    "D302": "give `fit` the callback `hvd.callbacks.BroadcastGlobalVariablesCallback(0)`, first "
    "in its list",
    "D402": "run `hvd.broadcast_global_variables(0)` after the variables are initialised",
    "D403": "give the session the hook `hvd.BroadcastGlobalVariablesHook(0)`",
    "D404": "give `train` the hook `hvd.BroadcastGlobalVariablesHook(0)`",
}
# Horovod's broadcast takes variables of TensorFlow, which those of Keras 3 hold.
FIXES_3 = {
    "D202": "after the first step: "
    "`hvd.broadcast_variables([v.value for v in model.variables], root_rank=0)`, "
    "and the optimizer's",
    "D302": "give `fit` a callback that broadcasts the weights and the optimizer's state after "
    "the first batch, as `distify migrate` writes it for Keras 3 (distify explain D302)",
}


def fix_of(evidence: Evidence, code: str) -> str:
    """What brings starting values together by that rule."""
    return FIXES_3.get(code, FIXES[code]) if is_keras_3(evidence) else FIXES[code]


@judge(order=40, asks=ASKS, sees=("collectives",), by_set=True)
def broadcast(evidence: Evidence) -> Iterator[Verdict]:
    """Tells what was broadcast; that values differ is convicted by the judge of the drift."""
    sent = list(across(evidence, Broadcast))
    if not made_steps(evidence):
        yield unchecked(ASKS, "no optimizer step was seen")
    elif _explains_drift(evidence):
        return  # told there, with the values that differ
    elif not sent:
        yield note(
            "nothing was broadcast",
            "if the workers are in step all the same, it is because each of them happens to start "
            "from the same values (a file, a seed, constants)",
            code=broadcast_rule(evidence),
            fix=fix_of(evidence, broadcast_rule(evidence)),
        )
    elif all(each.count == 0 for each in sent):
        yield note(*_EMPTY, code=broadcast_rule(evidence), where=first_place(sent))
    else:
        yield fine(ASKS, f"{count(_most(evidence), 'variable')} broadcast")


def _explains_drift(evidence: Evidence) -> bool:
    """Whether the workers differ from the first step on."""
    found = compare(evidence)
    return bool(found.apart) and found.last_equal_before is None


_EMPTY = (
    "a broadcast of no variables",
    "it is called before the weights exist: a model has none until it sees its first input",
)


def _most(evidence: Evidence) -> int:
    """The most that any worker took part in broadcasting."""
    return max(sum(each.count for each in worker.all(Broadcast)) for worker in everyone(evidence))


def why_missing(evidence: Evidence, names: list[str]) -> str:
    """What the broadcasts of the run have to do with variables that still differ after them."""
    sent = list(across(evidence, Broadcast))
    if not sent:
        return "nothing was broadcast"
    if all(each.count == 0 for each in sent):
        return _EMPTY[1]
    if all(each.traced for each in sent) and is_graph(evidence):
        return "a broadcast was built, but no session has run it"
    if all(each.traced for each in sent):
        return (
            "a broadcast was traced into a graph, but not into the one that runs (a Python flag "
            "is read only while @tf.function traces)"
        )
    known = {name.removesuffix(":0") for each in sent for name in each.names}
    total = max(each.count for each in sent)
    if total <= len(known) and not known.intersection(names):
        return "other variables were broadcast, these were not"
    return "the broadcast did not reach them, or came before they had their values"
