"""Why a text is none of distify's business: nothing is tried and nothing is wrong."""

from __future__ import annotations

from itertools import chain

from ..facts import Facts, Pattern
from ..facts.gradients.own_updates import changes
from ..facts.setup.horovod_start import ends_unless_alone
from ..facts.training.outside_training import handed_over
from ..facts.training.pattern import runs_graph, training_of
from ..facts.training.training_loops import unseen_steps
from ..facts.workers.horovod_parts import is_whole
from ..model import ALREADY_HOROVOD, NO_TRAINING, ONE_WORKER


def why_skipped(facts: Facts) -> str | None:
    """The reason to leave the text alone without a finding, None when it is to be migrated."""
    training, is_asked = training_of(facts), facts.options.distributes
    if is_asked and facts.has_horovod and ends_unless_alone(facts) is not None:
        return ONE_WORKER
    if training.pattern is Pattern.UNKNOWN and not training.uncertain:
        steps = chain(changes(facts), unseen_steps(facts))
        if any(True for _ in steps) or handed_over(facts):
            return None
        return ALREADY_HOROVOD if facts.has_horovod and is_asked else NO_TRAINING
    return ALREADY_HOROVOD if is_asked and _is_whole_session(facts) else None


def _is_whole_session(facts: Facts) -> bool:
    """Whether a program of TensorFlow 1, which no rule rewrites, has all that Horovod asks for."""
    return is_whole(facts) and runs_graph(facts)
