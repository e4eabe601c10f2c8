"""Horovod written by hand in a form that isn't understood: nothing is averaged or scaled twice.

https://horovod.readthedocs.io/en/stable/api.html; that Horovod's optimizer averages no gradients
of a tape was run on two workers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..facts import Facts
from ..facts.averaging import Averaged, averaged, is_for_one
from ..facts.by_rank import depends_on_rank, depends_on_size
from ..facts.data.pipeline_shares import shares_of
from ..facts.gradients.tapes import applications, training_calls, wrapped_tapes
from ..facts.horovod import MODULES, WRAPPERS, calls_of, member
from ..facts.optimizers.compiles import compiles
from ..facts.optimizers.optimizer_makers import innermost
from ..facts.optimizers.wrapped_optimizers import minimizing_calls
from ..facts.output.callback_lists import ListForm, lists_of_fits
from ..library.horovod_names import OTHERS
from ..model import Finding
from . import restriction
from ._finding import finding

PARTLY = (
    "this is wrapped by Horovod on some ways to here, and on others it is not",
    "wrap it once, in the statement below the one that makes it",
)
ELSEWHERE = (
    "this optimizer is wrapped by Horovod, but not on its way to here",
    "pass what hvd.DistributedOptimizer(…) gave, and nothing else, under that name",
)
OF_A_TAPE = (
    "Horovod's optimizer averages no gradients that a tape has computed",
    "leave the optimizer plain, and distify wraps the tape",
)
ADASUM = ("Adasum has rules of its own for the rate", "complete the program by hand")
ELASTIC = (
    "what elastic Horovod does for this program isn't followed",
    "complete it by hand; `# distify: skip-file` leaves it alone",
)
LISTED = (
    "nobody can tell which callbacks this holds, and whether Horovod's are among them",
    "write them as a list in the call, or build it in this function",
)
STARRED = ("`*` hides which names are Horovod's", "import the module: `as hvd`")
AMBIGUOUS = (
    "this name is Horovod in some cases and something else in others",
    "import one module of Horovod under it, once, at the top",
)
OTHER = (
    "this is Horovod for another framework than TensorFlow",
    "keep the frameworks in files of their own",
)
PASSED = (
    "Horovod itself is passed on here, so that what it is used for can't be seen",
    "use it by the name of the import",
)


@restriction(code="P03", name="unknown-horovod")
def unknown_horovod(facts: Facts) -> Iterator[Finding]:
    """The places that keep a program with Horovod from being understood."""
    if facts.has_horovod:
        for look in LOOKS:
            for node, (what, fix) in look(facts):
                found = finding(facts, node, "P03", what, fix)
                yield found._replace(proves=(what, fix) in HARMFUL)


ONE_SHARE = (
    "every worker takes the same share here",
    "write `.shard(hvd.size(), hvd.rank())`",
)
HARMFUL = (ELSEWHERE, OF_A_TAPE, ONE_SHARE)  # wrong, whatever is done to the file
Said = tuple[str, str]
Found = Iterator[tuple[ast.AST, Said]]


def _optimizers(facts: Facts) -> Found:
    given = [(c.optimizer, c.own_step) for c in compiles(facts) if c.optimizer is not None]
    given += [(call.func.value, False) for call in minimizing_calls(facts)]  # type: ignore[attr-defined]
    wrapped = {
        made
        for call in calls_of(facts, *WRAPPERS)
        for value in [*call.args[:1], *(k.value for k in call.keywords)]
        for made in innermost(facts, value)
    }
    for expr, own_step in given:
        answer = averaged(facts, expr)
        if answer is Averaged.UNKNOWN:
            yield expr, PARTLY
        elif answer is Averaged.NO and wrapped & set(innermost(facts, expr)):
            if not is_for_one(facts, expr):
                yield expr, ELSEWHERE
        elif answer is Averaged.YES and own_step and wrapped_tapes(facts):
            yield expr, OF_A_TAPE


def _tapes(facts: Facts) -> Found:
    plain = False
    for call in training_calls(facts, []):
        answer = averaged(facts, call.func.value)  # type: ignore[attr-defined]
        plain = plain or answer is Averaged.NO
        if answer is Averaged.UNKNOWN:
            yield call, PARTLY
    for call in applications(facts) if plain else ():
        if averaged(facts, call.func.value) is not Averaged.NO:  # type: ignore[attr-defined]
            yield call, OF_A_TAPE


def _other_forms(facts: Facts) -> Found:
    for node in (use for uses in facts.index.loads.values() for use in uses):
        name = member(facts, node) if isinstance(node, (ast.Name, ast.Attribute)) else None
        if name is not None and name.startswith("elastic."):
            yield node, ELASTIC
        if name == "Adasum":
            yield node, ADASUM


def _callbacks(facts: Facts) -> Found:
    for call, given in lists_of_fits(facts):
        if given.form is ListForm.FILTERED:
            yield call, LISTED


def _modules(facts: Facts) -> Found:
    for starred in facts.index.star_imports:
        if (starred.module or "").startswith("horovod."):
            yield starred, STARRED
    for statement in facts.horovod_imports:
        yield from _names(facts, statement)
    for use in (use for uses in facts.index.loads.values() for use in uses):
        is_module = isinstance(use, ast.Name) and facts.name(use) in MODULES
        if is_module and not isinstance(facts.parent(use), ast.Attribute):
            yield use, PASSED


def _names(facts: Facts, statement: ast.Import | ast.ImportFrom) -> Found:
    module = "" if isinstance(statement, ast.Import) else f"{statement.module}."
    for alias in statement.names:
        if OTHERS.match(module + alias.name):
            yield statement, OTHER
        bound = (alias.asname or alias.name).partition(".")[0]
        uses = (use for use in facts.index.loads.get(bound, ()) if isinstance(use, ast.Name))
        unknown = next((use for use in uses if _is_ambiguous(facts, use)), None)
        if unknown is not None:
            yield unknown, AMBIGUOUS


def _is_ambiguous(facts: Facts, use: ast.Name) -> bool:
    """Whether the name is bound to something else, too, though perhaps further down."""
    meanings = {facts.names.meaning(binding) for binding in facts.bindings(use)}
    return facts.name(use) is None or len(meanings) > 1


def _shares(facts: Facts) -> Found:
    stages = (stage for end in shares_of(facts).ends for way in end.ways for stage in way)
    for stage in dict.fromkeys(stage for stage in stages if stage.method == "shard"):
        given = [*stage.call.args, *(k.value for k in stage.call.keywords)]
        by_size = any(depends_on_size(facts, value) for value in given)
        if by_size and not any(depends_on_rank(facts, value) for value in given):
            yield stage.expr, ONE_SHARE


LOOKS = (_optimizers, _tapes, _other_forms, _callbacks, _modules, _shares)
