"""**size**: a step is as long as the examples that it covers, in the number N of workers.

Units, as in physics: the exponent of N of the rate and of the reduction, less that of what the loss
is divided by, is that of the examples of a step: 1 where the workers' batches hold other rows (a
share, picks of each worker's own, an order of its own), 0 where all have the same. A rate that is
kept is right by a person's word.

Where all workers together take the batch that one process takes (`batch = "global"`), the rate and
the number of steps stay (N to the power of 0), and each step takes an Nth of a batch of its
worker's share (-1), or the same rows on every worker. Then the average of the gradients is that of
the batch if the loss is a mean over rows, which is asked of the result anew.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Callable

from ..facts.causes import spelled
from ..facts.data.arrays import as_many
from ..facts.data.batch_needs import full_fits
from ..facts.data.full_batch import is_full_batch
from ..facts.declared import has_own_rows
from ..facts.gradients.batch_rows import met_again
from ..facts.gradients.row_kinds import data_reads
from ..facts.horovod import WRAPPERS
from ..facts.optimizers.learning_rates import are_kept, is_kept, keeps_rates
from ..library.element_counts import FROM_GENERATOR
from ..library.horovod_alone import part
from ..library.launchers import OF_MACHINES, SIZES
from ..library.optimizers import PLAIN_OPTIMIZERS
from ..model import KEPT
from ..program.domain import Domain
from ..program.node_fields import within
from ..program.parts import LOOPS, given_by
from .case import Case, proved
from .exponents import counting
from .known import doubts, proof_at, wrapped
from .paces import paces
from .proof import KEPT_HOW, NOT_PROVED, VIOLATED, Proof
from .row_syntax import share_arguments, split_arguments
from .rows import ALIKE, OTHERS, Rows, RowsOf, met
from .rungs import rungs
from .training_steps import Step, steps

if TYPE_CHECKING:
    from ..facts import Facts
    from ..facts.causes import Problem

NAME = "size"
_COUNTING = ("steps_per_epoch", "epochs", "steps", "max_steps", "num_steps", "last_step")
_TAKING = ("gradient", "compute_gradients", "minimize")
_READ = Rows.FIXED | Rows.SAME
RATES = "L01"  # what a check says of rates, of all doubts about sizes; rows are asked here
LOCAL = (
    "this share is one of all workers', taken by the number that a worker has on its machine: "
    "on two machines two workers have the same one, and some of the examples train nobody"
)
OF_MACHINE = (
    "this is a share among the workers of one machine: on several machines each of them trains on "
    "all of it, and their workers on the same examples"
)
BY_ALL = "take it by `hvd.rank()` and `hvd.size()`, unless each machine has examples of its own"
HOW = "where a rate grows with the workers, each of them has other examples in every step"
TAKEN = "the lines with `# distify: rows=own` give each worker examples of its own"
SAME = (
    "every worker trains on the same examples in each step here, and the learning rate grows with "
    "the number of workers: it is that many times too large, and nothing gets faster"
)
UNKNOWN = (
    "nobody can tell which examples each worker trains on here, and the learning rate grows with "
    "the number of workers: it is that many times too large if they are the same"
)
SMALL = (
    "each step covers the examples of all workers, and this learning rate is the one for a single "
    "worker: training comes an Nth as far in an epoch"
)
SCALE = "multiply it by `hvd.size()`, or say `# distify: rate=kept` in the line of the optimizer"
TWICE = (
    "this learning rate grows with the number of workers more than once: it is that many times too "
    "large, or more"
)
ONCE = "multiply it once, by `hvd.size()` or by what the environment says"
OVERLAP = (
    "each worker cuts its share here from an order of its own: shares overlap, and some of the "
    "examples train nobody"
)
ONE_ORDER = "let all have one order before it is cut (a seed for the shuffle), or cut before it"
UNITS = (
    "with N workers each update is {} here: the learning rate, the reduction (a sum or a mean) "
    "and what the loss is divided by don't go together"
)
NOTHING = "there is nothing to share out: every step takes all of the data"
WHOLE_BATCH = "let it be a mean over the rows, or leave all of them to each worker"
ONE_OF = (
    "average the gradients and multiply the rate by `hvd.size()`, or sum them and leave the rate; "
    "divide the loss by the batch of one worker"
)
WHOLE = (
    "every worker goes through all of the examples here, each in an order of its own: an epoch "
    "takes as many steps as on one device, and each of them is as long as for all workers"
)
PART_OF_PART = (
    "`hvd.rank()` takes a part here of what is each worker's own part already: of N workers' "
    "examples, only an Nth is trained on"
)
CUT_ONCE = "cut it once, where it is made"
SHARE = (
    "give each worker its share where the data is made (`x[hvd.rank()::hvd.size()]`, "
    "`.shard(hvd.size(), hvd.rank())`)"
)
SEED = (
    "all workers draw the same examples because of `{}`: draw them from a generator that the "
    "worker's number seeds, `np.random.default_rng(hvd.rank())`, or add `hvd.rank()` to that seed "
    "if no split and no order depends on it"
)
KEEP = (
    "keep the rate, with `# distify: rate=kept` in the line of the optimizer or "
    'learning-rate = "none"; or train on one device'
)
IN_ORDER = f"the model keeps its state from batch to batch, so no batch can be left out: {KEEP}"
OTHER_WAYS = f"; say `# distify: rows=own` in this line if each has its own already; {KEEP}"
# of one batch of all workers
ONE_HOW = "all workers together take each batch of one process, at its rate, in as many steps"
ONE_MEANS = "labels and predictions of a loss have the same axes, so that no row meets another one"
ONE_RATE = (
    "the batch is the one of a single process here, and the learning rate grows with the workers"
)
ONE_WHOLE = (
    "every worker takes a whole batch of its own here, at the learning rate of one process: a step "
    "covers N times the examples, and an epoch has an Nth of the steps"
)
ONE_UNKNOWN = "nobody can tell how many rows each worker takes in a step here"
FEWER = "the workers share out these steps here, and each of them takes an Nth of a batch besides"
LEAVE = "leave the rate as it is"
DIVIDE = "divide the size of its batches by `hvd.size()`, behind the cut by `hvd.rank()`"
ALL_STEPS = "leave the number of steps as it is"


def prove(case: Case) -> Iterator[Proof]:
    """Violated where steps on the same rows have a scaled rate; not proved where nobody knows."""
    yield from wrapped(case, NAME)
    sizes = Sizes(case)
    if case.is_result and case.options.keeps_batch:
        yield from _one_batch(case, sizes)
        return
    failures = [
        *sizes.unseen(),
        *_of_machines(case),
        *sizes.grown_twice(),
        *sizes.cut_twice(),
        *sizes.unlike_units(),
        *sizes.of_full_batch(),
        *(sizes.failures() if sizes.grows else sizes.unscaled()),
    ]
    yield from failures
    if not failures:
        how = HOW if sizes.grows else KEPT_HOW
        yield proved(NAME, how, *dict.fromkeys(sizes.assumed))._replace(rungs=sizes.rungs)


def prove_by_hand(case: Case) -> Iterator[Proof]:
    """Shares that are certainly not those of all workers; of rates and sums older checks speak."""
    found = [*_of_machines(case), *_within_machines(case), *Sizes(case).cut_twice()]
    yield from found or [proved(NAME, HOW)]


def _of_machines(case: Case) -> Iterator[Proof]:
    """Shares among all workers by the number that a worker has on its machine."""
    for node, is_of_all in _by_local_ranks(case):
        if is_of_all:
            yield case.violated(NAME, node, LOCAL, "take it by `hvd.rank()`")


def _within_machines(case: Case) -> Iterator[Proof]:
    """Shares among the workers of one machine: right where each machine has its own examples."""
    for node, is_of_all in _by_local_ranks(case):
        if not is_of_all:
            yield case.not_proved(NAME, node, OF_MACHINE, BY_ALL)


def _by_local_ranks(case: Case) -> Iterator[tuple[ast.AST, bool]]:
    """What is taken by a worker's number on its machine, and whether it is one of all shares."""
    program = case.program

    def asks(*members: str) -> Callable[[ast.expr], bool]:
        def test(node: ast.AST) -> bool:
            names = program.names(node.func) if isinstance(node, ast.Call) else ()
            return any(part(name) in members for name in names)

        return program.sought(test)

    def asks_for_own(node: ast.AST) -> bool:
        names = program.names(node.func) if isinstance(node, ast.Call) else ()
        is_said = isinstance(node, ast.Constant) and node.value in OF_MACHINES
        return is_said or any(part(name) == "local_rank" for name in names)

    is_local, of_all, of_machine = program.sought(asks_for_own), asks("size"), asks("local_size")
    for source in case.after.values():
        for node in within(source.module):
            given = [*share_arguments(node), *split_arguments(program, node)]
            if any(map(is_local, given)):
                is_within, is_of_all = any(map(of_machine, given)), any(map(of_all, given))
                if is_within is not is_of_all:
                    yield node, is_of_all


class Sizes:
    """The rates and steps of one program."""

    def __init__(self, case: Case) -> None:
        self._case, self._facts = case, case.facts
        self._rows = RowsOf(self._facts.program)
        self.assumed: list[str] = []

    @property
    def grows(self) -> bool:
        """Whether any rate grows with the workers."""
        return any(max(self.powers(rate), default=0.0) > 0 for rate in rates(self._facts))

    @property
    def rungs(self) -> tuple[int, ...]:
        """Where shares are cut."""
        return rungs(self._facts.program, self._rows, self._facts.module)

    def cut_twice(self) -> Iterator[Proof]:
        """Where each worker takes its part of what is its part already: most is never seen."""
        for node in within(self._facts.module):
            whole = _whole_of(node)
            if whole is not None and self._rows.cuts(node) and self._is_part(whole):
                yield proof_at(self._case, NAME, VIOLATED, node, PART_OF_PART, CUT_ONCE)

    def _is_part(self, value: ast.expr) -> bool:
        """Whether a worker's number has cut it, on every way; not what it has read for itself."""
        made = list(self._facts.program.ingredients(value))
        given = [each for node in made for each in self._generated(node)]
        if given:
            return all(map(self._is_part, given))
        if self._rows.of(value) & ~Rows.NONE != Rows.SHARE:
            return False
        return any(isinstance(n, ast.Subscript) and self._rows.cuts(n) for n in made)

    def _generated(self, node: ast.AST) -> Iterator[ast.expr]:
        """What a generator of the program gives a data set."""
        program, call = self._facts.program, node if isinstance(node, ast.Call) else None
        if call is not None and call.args:
            if any(name.endswith(FROM_GENERATOR) for name in program.names(call.func)):
                functions = program.functions(call.args[0]).nodes
                yield from (each for function in functions for each in given_by(function))

    def failures(self) -> Iterator[Proof]:
        """The steps on rows that are the same, or that nobody can tell."""
        for step in steps(self._facts):
            found = self.found(step)
            if found & Rows.OVERLAP:
                yield proof_at(self._case, NAME, VIOLATED, step.call, OVERLAP, ONE_ORDER)
            elif found & ~OTHERS:
                is_same = not found & ~ALIKE and not self._holds_more(step)
                verdict, why = (VIOLATED, SAME) if is_same else (NOT_PROVED, UNKNOWN)
                yield proof_at(self._case, NAME, verdict, step.call, why, self._ways(step))
            elif found & Rows.ORDERED and not self.is_shorter(step):
                yield proof_at(self._case, NAME, VIOLATED, step.call, WHOLE, SHARE + OTHER_WAYS)

    def _ways(self, step: Step) -> str:
        """What a person can do: what is drawn by one seed has no share that could be taken."""
        from ..facts.data.batch_needs import order_matters
        from ..facts.data.own_orders import own_common_seed, seed_of

        if order_matters(self._facts):
            return IN_ORDER
        given = step.data
        seed = seed_of(self._facts, given) or own_common_seed(self._facts, given)
        return (SHARE if seed is None else SEED.format(spelled(seed))) + OTHER_WAYS

    def of_full_batch(self) -> Iterator[Proof]:
        """Full batches of which a share is none, or of which all workers take the same."""
        is_of_fit = bool(full_fits(self._facts))
        if not self._case.is_result or not (is_of_fit or is_full_batch(self._facts)):
            return
        found = {step: self.found(step) for step in steps(self._facts)}
        if any(rows & Rows.SHARE for rows in found.values()):
            for problem in dict.fromkeys([*self.unlike, *self._met_again()]):
                yield proof_at(self._case, NAME, NOT_PROVED, problem.node, problem.why, WHOLE_BATCH)
        elif found and not is_of_fit and not self._may_be_whole:
            step, fix = next(iter(found)), f"{WHOLE_BATCH}; {KEEP}"
            yield proof_at(self._case, NAME, NOT_PROVED, step.call, self._why_whole(), fix)

    @property
    def _may_be_whole(self) -> bool:
        """Whether a step reads no data, or a person has chosen that all take the same."""
        options, facts = self._case.options, self._facts
        is_chosen = options.learning_rate == KEPT or not options.shard or are_kept(facts)
        return is_chosen or self.grows or not data_reads(facts)

    def _met_again(self) -> list[Problem]:
        """Why something beside the loss needs all rows."""
        return [*met_again(self._facts, data_reads(self._facts))]

    def _why_whole(self) -> str:
        """Why a share of the rows would be no share of the step."""
        problem = next(iter([*self.unlike, *self._met_again()]), None)
        if not as_many(self._facts, data_reads(self._facts)) or problem is None:
            return f"{NOTHING}: nobody can tell that the arrays it reads have a row of each example"
        return f"{NOTHING}: {problem.why}"

    def unscaled(self) -> Iterator[Proof]:
        """Rates that stay though the steps of the result hold other rows on each worker."""
        case, facts = self._case, self._facts
        if not case.is_result or case.options.learning_rate == KEPT or keeps_rates(facts):
            return
        made = [self.found(step) for step in steps(facts)]
        is_wider = bool(made) and not any(found & ~OTHERS for found in made)
        if is_wider and not self._is_divided and not self._reduction:
            for rate in [r for r in rates(facts) if not self._asks_for_size(r)][:1]:
                yield proof_at(case, NAME, VIOLATED, rate, SMALL, SCALE)

    def unseen(self) -> Iterator[Proof]:
        """Rates of a result that stand where nobody sees them, and aren't scaled."""
        if self._case.is_result and self._case.options.learning_rate != KEPT:
            yield from (d for d in doubts(self._case, NAME) if d.code == RATES)

    def grown_twice(self) -> Iterator[Proof]:
        """The rates that grow with the workers more than once."""
        for rate in rates(self._facts):
            powers = self.powers(rate)
            if powers and min(powers) > 1:
                yield proof_at(self._case, NAME, VIOLATED, rate, TWICE, ONCE)

    def unlike_units(self) -> Iterator[Proof]:
        """Where a sum, or a loss that is divided, makes the update longer or shorter by N."""
        powers = {p for rate in rates(self._facts) for p in self.powers(rate)}
        if len(powers) != 1 or not self._feels_scale:
            return
        for step in steps(self._facts):
            beside = {self._reduction + loss for loss in self._losses(step)}
            totals = {powers_of_rate + each for powers_of_rate in powers for each in beside}
            if beside != {0.0} and totals != {1.0} and not self.found(step) & ~OTHERS:
                why = UNITS.format(_times(max(totals, key=lambda total: abs(total - 1))))
                yield proof_at(self._case, NAME, VIOLATED, step.call, why, ONE_OF)

    @property
    def _is_divided(self) -> bool:
        """Whether a batch of each worker is a part of what one would take."""
        given = (a for c in self._calls for a in sizes_given(c))
        return any(min(self.powers(size), default=0.0) < 0 for size in given)

    def _asks_for_size(self, rate: ast.AST) -> bool:
        """Whether a rate is made with the number of workers in a way that isn't reckoned here."""
        made = (getattr(n, "value", None) for n in self._facts.program.ingredients(rate))
        return any(isinstance(each, str) and each in SIZES for each in made)

    @cached_property
    def _calls(self) -> list[ast.Call]:
        return [n for n in within(self._facts.module) if isinstance(n, ast.Call)]

    def powers(self, number: ast.AST) -> frozenset[float]:
        """The exponents of a number; counts, and lengths of shares, go by the pace of the steps."""
        return self._facts.program.value(self._domain, number)

    @cached_property
    def _domain(self) -> Domain[frozenset[float]]:
        return counting(paces(self._facts).units)

    @cached_property
    def _reduction(self) -> float:
        """The exponent of the reduction: 1 for a sum, 0 for a mean."""
        return float(any(map(self._is_sum, self._calls)))

    def _is_sum(self, call: ast.Call) -> bool:
        """`hvd.DistributedOptimizer(optimizer, op=hvd.Sum)`."""
        names = self._facts.program.names(call.func)
        if not any(name.rpartition(".")[2] in WRAPPERS for name in names):
            return False
        ops = [k.value for k in call.keywords if k.arg == "op"]
        return any(n.endswith(".Sum") for op in ops for n in self._facts.program.names(op))

    @cached_property
    def _feels_scale(self) -> bool:
        """Whether a gradient that is N times longer makes the update so, too: plain descent."""
        from ..facts import Role

        kinds = [self._facts.kind(made) or "" for made in self._facts.creations(Role.OPTIMIZER)]
        known = [kind.rpartition(".")[2] for kind in kinds if not kind.startswith("horovod.")]
        return bool(known) and all(kind in PLAIN_OPTIMIZERS for kind in known)

    def _losses(self, step: Step) -> frozenset[float]:
        """The exponents of the loss whose gradient a step applies."""
        made = (n for n in self._facts.program.ingredients_of(step.data) if isinstance(n, ast.Call))
        taken = (n for n in made if getattr(n.func, "attr", "") in _TAKING and n.args)
        found = [power for call in taken for power in self.powers(call.args[0])]
        return frozenset(found) or frozenset({0.0})

    def found(self, step: Step) -> Rows:
        """The rows of a step, without the ways on which there are none."""
        if not self._case.options.shard or self._is_said(step):
            self.assumed += [TAKEN] if self._is_said(step) else []
            return Rows.SHARE
        rows = met(map(self._rows.of, step.data)) if step.data else Rows.UNKNOWN
        rows = rows & ~(Rows.NONE | Rows.FIXED) or rows
        if rows & _READ and step.is_fit and self._shuffles(step):
            rows = (rows & ~_READ) | Rows.ORDERED
        if rows & Rows.UNKNOWN and self._is_seen(step):
            rows = (rows & ~Rows.UNKNOWN) | Rows.SHARE
        return rows or Rows.UNKNOWN

    def _holds_more(self, step: Step) -> bool:
        """Whether something else is put into what the data is made of: `found[i] = near[pick]`."""
        made = self._facts.program.ingredients_of(step.data)
        values = (n for n in made if isinstance(n, ast.expr) and not isinstance(n, ast.Slice))
        found = map(self._rows.of, values)
        return any(rows & ~(ALIKE | Rows.NOISE) for rows in found)

    def is_shorter(self, step: Step) -> bool:
        """Whether what counts the steps is divided, so that no worker goes through all there is."""
        counts = self.counts(step)
        parts = (n for count in counts for n in within(count) if isinstance(n, ast.expr))
        return any(min(self.powers(part), default=0.0) < 0 for part in parts)

    def counts(self, step: Step) -> list[ast.expr]:
        """What says how many steps there are: of loops and `fit`, and of the data of a step."""
        from ..facts.training.training_loops import trains

        rounds = (n for n in within(self._facts.module) if isinstance(n, LOOPS))
        counts = [_count(each) for each in rounds if trains(self._facts, each)]
        counts += [k.value for c in self._calls for k in c.keywords if k.arg in _COUNTING]
        made = self._facts.program.ingredients_of(step.data)
        takes = (c for c in made if getattr(getattr(c, "func", c), "attr", "") == "take")
        return [*counts, *(a for c in takes for a in getattr(c, "args", []))]

    def takes_all(self, step: Step) -> bool:
        """Whether it is a `fit` that takes all of its data at once."""
        return step.call in full_fits(self._facts)

    def taken(self, step: Step) -> list[ast.expr]:
        """What says how many rows a step takes."""
        from ..facts.training import fits

        made = list(self._facts.program.ingredients_of(step.data))
        given = [size for c in made if isinstance(c, ast.Call) for size in sizes_given(c)]
        slices = [n.slice for n in made if isinstance(n, ast.Subscript)]
        given += [s.upper for s in slices if isinstance(s, ast.Slice) and s.lower and s.upper]
        of_fit = fits.arguments(self._facts, step.call, "batch_size") if step.is_fit else ()
        return [*given, *of_fit]

    def is_data(self, expr: ast.AST) -> bool:
        """Whether it is a data set, whatever size its batches have."""
        from ..facts import Role

        return Role.DATASET in self._facts.roles(expr)

    @property
    def unlike(self) -> Iterator[Problem]:
        """Where the average of all gradients may be another one than that of one batch."""
        from ..facts.gradients.loss_averages import unlike

        return unlike(self._facts)

    def _is_said(self, step: Step) -> bool:
        """Whether a person says that the rows of a step are each worker's own."""
        around = (each for each in self._facts.parents(step.call) if isinstance(each, LOOPS))
        return any(has_own_rows(self._facts, node) for node in (step.call, *step.data, *around))

    def _shuffles(self, step: Step) -> bool:
        """Whether Keras puts arrays, or numbered batches, into an order of each worker's own."""
        from ..facts.data.arrays import is_array
        from ..facts.data.numbered_batches import is_numbered, is_own_order
        from ..facts.training import fits

        if all(is_numbered(self._facts, each) for each in step.data):
            return is_own_order(self._facts, step.call)
        shuffle = fits.argument(self._facts, step.call, "shuffle")
        is_on = shuffle is None or (isinstance(shuffle, ast.Constant) and shuffle.value is True)
        if not is_on or self._rows.is_seeded or step.call in full_fits(self._facts):
            return False
        return all(is_array(self._facts, each) for each in step.data)

    def _is_seen(self, step: Step) -> bool:
        """Whether the worker's number cuts something that the data is made of."""
        made = self._facts.program.ingredients_of(step.data)
        return any(map(self._rows.cuts, made))


def _one_batch(case: Case, sizes: Sizes) -> Iterator[Proof]:
    """Not proved where a rate grows, steps shrink, or nobody knows that a batch is shared."""
    failures = [*_grown(case, sizes), *_steps_of_other_size(case, sizes), *_unlike(case, sizes)]
    yield from failures
    if not failures:
        yield proved(NAME, ONE_HOW, ONE_MEANS)._replace(rungs=sizes.rungs)


def _grown(case: Case, sizes: Sizes) -> Iterator[Proof]:
    for rate in rates(case.facts):
        if max(sizes.powers(rate), default=0.0) > 0:
            yield proof_at(case, NAME, VIOLATED, rate, ONE_RATE, LEAVE)


def _steps_of_other_size(case: Case, sizes: Sizes) -> Iterator[Proof]:
    """The steps whose worker takes more, or fewer, rows than its part of the batch."""
    for step in steps(case.facts):
        rows = sizes.found(step)
        if any(power < 0 for power in _step_exponents(sizes, step)):
            yield proof_at(case, NAME, VIOLATED, step.call, FEWER, ALL_STEPS)
        elif rows == Rows.SHARE:
            yield from _of_batch(case, sizes, step)
        elif rows & ~ALIKE or _exponents(sizes, step) - {0.0}:
            yield proof_at(case, NAME, NOT_PROVED, step.call, ONE_UNKNOWN, DIVIDE)


def _exponents(sizes: Sizes, step: Step) -> set[float]:
    """The exponents of N of what says how many rows a step takes."""
    found = {power for size in sizes.taken(step) for power in sizes.powers(size)}
    return {power for power in found if power <= 0}  # groups of N are taken apart again


def _of_batch(case: Case, sizes: Sizes, step: Step) -> Iterator[Proof]:
    """A step on rows of a share: all of them, or an Nth of a batch."""
    powers = _exponents(sizes, step)
    if powers != {-1.0} and not sizes.takes_all(step):
        verdict = VIOLATED if powers == {0.0} else NOT_PROVED
        yield proof_at(case, NAME, verdict, step.call, ONE_WHOLE, DIVIDE)


def _step_exponents(sizes: Sizes, step: Step) -> Iterator[float]:
    """The exponent of each number of steps: of `range(n)`, `step < n`; else a loop runs over data.

    `range(0, n, rows)` has as many rounds as n has rows.
    """
    for count in sizes.counts(step):
        calls = [node for node in within(count) if isinstance(node, ast.Call)]
        ranges = [call for call in calls if getattr(call.func, "id", "") in ("range", "trange")]
        for call in ranges:
            by = max((p for rows in call.args[2:] for p in sizes.powers(rows)), default=0.0)
            yield from (p - by for end in call.args[:2] for p in sizes.powers(end))
        numbers = [count.left, *count.comparators] if isinstance(count, ast.Compare) else [count]
        if not ranges and not sizes.is_data(count):
            yield from (p for number in numbers for p in sizes.powers(number))


def _unlike(case: Case, sizes: Sizes) -> Iterator[Proof]:
    shares = any(sizes.found(step) & ~ALIKE for step in steps(case.facts))
    for problem in dict.fromkeys(sizes.unlike if shares else ()):
        yield proof_at(case, NAME, NOT_PROVED, problem.node, problem.why, problem.fix)


def _whole_of(node: ast.AST) -> ast.expr | None:
    """What a part is taken of by an index, or by `shard`."""
    if isinstance(node, ast.Subscript):
        return node.value if isinstance(node.value, ast.Name) else None
    func = node.func if isinstance(node, ast.Call) else None
    return func.value if isinstance(func, ast.Attribute) and func.attr == "shard" else None


def _count(loop: ast.AST) -> ast.expr:
    """What says how often a loop runs."""
    return loop.test if isinstance(loop, ast.While) else loop.iter  # type: ignore[attr-defined]


def _times(power: float) -> str:
    """In words, how much an update that should grow by N differs."""
    if power > 1:
        return "N times too large" if power == 2 else "too large by a power of N"
    return "N times too small" if power == 0 else "not as large as its examples ask for"


def sizes_given(call: ast.Call) -> Iterator[ast.expr]:
    """What a call is given for the size of a batch."""
    method = getattr(call.func, "attr", "")
    if method in ("batch", "padded_batch", "next_batch"):
        yield from call.args[:1]
    yield from (k.value for k in call.keywords if k.arg == "batch_size")


def rates(facts: Facts) -> Iterator[ast.AST]:
    """Whatever says how large a step is: of optimizers, schedules, callbacks, what is assigned."""
    from ..facts.optimizers import rate_carriers
    from ..facts.optimizers.learning_rates import assigned, scheduled
    from ..facts.optimizers.rate_carriers import given_rate, rate_arguments

    for call, argument in rate_arguments(facts):
        rate = given_rate(facts, call, argument)
        if rate is not None and not is_kept(facts, call):
            yield rate
    for cls in rate_carriers.outer_classes(facts):
        yield from rate_carriers.rates_of(facts, cls)
    yield from scheduled(facts)
    yield from assigned(facts)
