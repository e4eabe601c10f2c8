"""Which gradients of a tape reach an optimizer, and how each such tape is wrapped."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Optional, Union

from ...library.tensorflow_names import TAPE
from ...program.bindings import Binding
from ...program.parts import Function
from ..averaging import Averaged, averaged
from ..causes import Problem, cause_of
from ..facts import Facts, recorded
from ..flow import GRADIENT, Flow, flow_to
from ..keras_version import is_keras_3
from ..roles import Role
from ..training.optimizer_calls import (
    Sources,
    applies,
    applying,
    calls_super_apply,
    given_gradients,
    sources_of,
)
from ..training.pattern import runs_graph

# -- perturbations -------------------------------------------------------------------------------
# Gradients by which a step moves the weights, and back again before they are applied.
#
# Sharpness-aware minimisation (https://arxiv.org/abs/2010.01412) takes its gradient at `w + e`,
# where `e` comes from a first gradient. Averaged as well, that one moves the weights of all
# workers alike.

_ADDS = {"assign_add": True, "assign_sub": False}


def perturbing(facts: Facts, training: Collection[ast.Call]) -> Iterator[ast.Call]:
    """The calls of a tape whose gradients move what an optimizer trains to and fro."""
    there, back = _moving(facts)
    applied = {_sources(facts, call) for call in training}
    for call in there:
        if call in back and call not in training and _sources(facts, call) in applied:
            yield call


def _moving(facts: Facts) -> tuple[dict[ast.Call, None], dict[ast.Call, None]]:
    """The gradients that are added to variables, and those that are taken off them."""
    added: dict[ast.Call, None] = {}
    taken: dict[ast.Call, None] = {}
    for value, adds in _moves(facts):
        is_turned = isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub)
        moved = added if adds is not is_turned else taken
        moved.update(dict.fromkeys(flow_to(facts, value).gradients))
    return added, taken


def _moves(facts: Facts) -> Iterator[tuple[ast.expr, bool]]:
    """What `w.assign_add(e)` and `w.assign(w + e)` add to variables, or their like take off."""
    for call in facts.calls(*_ADDS, "assign"):
        for value in call.args[:1]:
            name = call.func.attr  # type: ignore[attr-defined]
            if name in _ADDS:
                yield value, _ADDS[name]
            elif isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Add, ast.Sub)):
                yield value.right, isinstance(value.op, ast.Add)


def _sources(facts: Facts, call: ast.Call) -> str:
    """What a tape is asked by, as the call spells it."""
    given = facts.argument(call, "sources", 1)
    return "" if given is None else ast.unparse(given)


# -- gradients that are applied ------------------------------------------------------------------
# Which gradients reach an optimizer, and from which calls of a tape.
#
# A tape whose gradients only serve a loss (a gradient penalty, input gradients) must not be
# wrapped: that would average the inputs of workers.


def applications(facts: Facts) -> Iterator[ast.Call]:
    """Calls that give gradients to an optimizer; those of graphs are looked at in `sessions`."""
    if runs_graph(facts):
        return
    for call in applying(facts):
        if (
            facts.name(call.func) is None
            and applies(facts, call)
            and not calls_super_apply(facts, call)
        ):
            yield call


def training_calls(facts: Facts, problems: list[Problem]) -> dict[ast.Call, None]:
    """The calls of a tape whose gradients reach an optimizer; adds what can't be followed."""
    training: dict[ast.Call, None] = {}
    followed: set[ast.Call] = set()
    for application in applications(facts):
        flow = _flow_of(facts, application)
        for call in flow.foreign:
            problems.append(
                Problem(call, "no tape computes these gradients", "use tf.GradientTape")
            )
        if not flow.gradients and not flow.foreign and not flow.averaged:
            problems.append(unknown(facts, application))
        training.update({**flow.gradients, **flow.averaged})
        followed |= flow.calls
    training.update(dict.fromkeys(list(perturbing(facts, training))))
    for call in training:
        problems.extend(_elsewhere(facts, call, followed))
    return training


def averaged_by_hand(facts: Facts, gradient: ast.Call) -> bool:
    """Whether these gradients go through `hvd.allreduce` on every way to an optimizer."""
    if not facts.has_horovod:
        return False
    flows = [_flow_of(facts, application) for application in applications(facts)]
    is_averaged = any(gradient in flow.averaged for flow in flows)
    return is_averaged and not any(gradient in flow.gradients for flow in flows)


def _flow_of(facts: Facts, application: ast.Call) -> Flow:
    given, path = given_gradients(facts, application)
    return Flow({}, {}, {}, set()) if given is None else flow_to(facts, given, path)


def unknown(facts: Facts, application: ast.Call) -> Problem:
    """The problem of an optimizer that is given gradients from who knows where."""
    given, _ = given_gradients(facts, application)
    return Problem(
        application,
        "nobody can tell which tape computes these gradients",
        _computed_here(facts, application, given),
        None if given is None else cause_of(facts, given),
    )


def _computed_here(facts: Facts, application: ast.Call, given: ast.expr | None) -> str:
    """The advice to ask the tape of this function, for the variables that are applied."""
    variables, tape, loss = "model.trainable_variables", "tape", "loss"
    if isinstance(given, ast.Call) and len(given.args) == 2:  # zip(gradients, variables)
        variables = ast.unparse(given.args[1])
    for made in facts.creations(Role.TAPE):
        block = facts.statement(made)
        if facts.function(block) is facts.function(application) and isinstance(block, ast.With):
            name, last = block.items[0].optional_vars, block.body[-1]
            tape = name.id if isinstance(name, ast.Name) else tape
            target = last.targets[0] if isinstance(last, ast.Assign) else None
            loss = target.id if isinstance(target, ast.Name) else loss
    return f"compute them in this function: `{tape}.gradient({loss}, {variables})`"


def _elsewhere(facts: Facts, call: ast.Call, followed: set[ast.Call]) -> Iterator[Problem]:
    """A function that also computes gradients of inputs for someone else can't average them all."""
    function = facts.function(call)
    if function is None or sources_of(facts, call) is Sources.VARIABLES:
        return
    sites = facts.call_sites(function)
    reached = [site for site in sites if site in followed]
    if reached and len(reached) != len(sites):
        yield Problem(
            call,
            "this function computes gradients for the optimizer and for something else",
            "use a function of its own for the gradients that are applied",
        )


# -- tape blocks ---------------------------------------------------------------------------------
# Which `with` a tape comes from, and where else it is asked for gradients.

With = Union[ast.With, ast.AsyncWith]
Home = Optional[tuple[Optional[Function]]]


class TapeBlocks:
    """The blocks that bind the names of tapes; each name is looked up once."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._homes: dict[int, Home] = {}  # by the id of the bindings
        self._asked: dict[str, dict[ast.AST, list[tuple[ast.Name, ast.Call]]]] = {}

    def before(self, tape: ast.expr) -> With | None:
        """The one `with … as tape` whose tape it is, in the same function."""
        found = self.seen_by(tape)
        return found[0] if len(found) == 1 else None

    def seen_by(self, tape: ast.expr) -> list[With]:
        """Every block whose tape it may be; none if something else binds the name anywhere."""
        if not isinstance(tape, ast.Name):
            return []
        bindings = self._facts.bindings(tape)
        if id(bindings) not in self._homes:
            self._homes[id(bindings)] = self._home(bindings)
        if self._homes[id(bindings)] != (self._facts.function(tape),):
            return []
        found = (binding.node for binding in self._facts.reaching(tape))
        return [node for node in found if isinstance(node, (ast.With, ast.AsyncWith))]

    def _home(self, bindings: Sequence[Binding]) -> Home:
        """The function of all the blocks; None where something else binds the name.

        `del tape` only says that it is asked no more.
        """
        bindings = [binding for binding in bindings if not _deletes(binding.node)]
        functions = [self._facts.function(binding.node) for binding in bindings]
        is_with = all(binding.kind == "with" for binding in bindings)
        is_one = bool(bindings) and all(function is functions[0] for function in functions)
        return (functions[0],) if is_with and is_one else None

    def asked(self, name: str, block: With) -> list[tuple[ast.Name, ast.Call]]:
        """The uses of the name behind or in the block that ask for gradients, with their calls."""
        if name not in self._asked:
            found = self._asked[name] = {}
            for use in self._facts.index.loads.get(name, []):
                call = self._gradient(use)
                if isinstance(use, ast.Name) and call is not None:
                    for place in self.seen_by(use):
                        found.setdefault(place, []).append((use, call))
        return self._asked[name].get(block, [])

    def _gradient(self, use: ast.AST) -> ast.Call | None:
        """The call of one of the gradient methods at this use of a tape."""
        attribute = self._facts.parent(use)
        if isinstance(attribute, ast.Attribute) and attribute.attr in GRADIENT:
            call = self._facts.parent(attribute)
            return call if isinstance(call, ast.Call) else None
        return None


def _deletes(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del)


# -- recording tapes -----------------------------------------------------------------------------
# Tapes that are asked while they record, and what their `with` holds besides.


def fleeting(facts: Facts, receiver: ast.expr) -> list[ast.Call]:
    """What makes the tapes that record where they are asked, and would stop by that."""
    made = set(facts.origins(receiver).nodes)
    found = {
        creation: None
        for block in facts.parents(receiver)
        if isinstance(block, (ast.With, ast.AsyncWith))
        for item in block.items
        for creation in facts.origins(item.context_expr).nodes
        if creation in made and isinstance(creation, ast.Call)
    }
    return [creation for creation in found if not _is_made_persistent(facts, creation)]


def is_persistent(facts: Facts, receiver: ast.expr) -> bool:
    """Whether it may be a tape that can be asked more than once."""
    made = facts.origins(receiver).nodes
    return any(isinstance(node, ast.Call) and _is_made_persistent(facts, node) for node in made)


def _is_made_persistent(facts: Facts, creation: ast.Call) -> bool:
    value = facts.argument(creation, "persistent", 0)
    return value is not None and not (isinstance(value, ast.Constant) and not value.value)


def takes_persistent(facts: Facts, creation: ast.Call) -> bool:
    """Whether it is TensorFlow's own tape, of which it can be seen what it is given."""
    is_seen = not any(isinstance(each, ast.Starred) for each in creation.args)
    is_named = all(keyword.arg is not None for keyword in creation.keywords)
    return facts.name(creation.func) == TAPE and is_seen and is_named


def may_be_left(facts: Facts, block: With) -> bool:
    """Whether statements may leave the block: what else it holds (a file, a device) must stay."""
    return all(facts.role(item.context_expr) is Role.TAPE for item in block.items)


def last_tapes(facts: Facts, block: With) -> int:
    """How many items at the end of a `with`, behind others, are tapes; 0 if others follow one.

    They may get a `with` of their own inside, where all stand on a line without parentheses.
    """
    are_tapes = [facts.role(item.context_expr) is Role.TAPE for item in block.items]
    count = sum(are_tapes)
    is_last = count < len(are_tapes) and all(are_tapes[-count:])
    first, last = block.items[0].context_expr, block.items[-1].optional_vars
    lines = {block.lineno, getattr(last, "end_lineno", 0)}
    text = facts.source.text[slice(*facts.source.offsets(block))]
    is_plain = isinstance(block, ast.With) and first.lineno == block.lineno and len(lines) == 1
    return count if is_last and is_plain and not text[4:].lstrip().startswith("(") else 0


def is_recorded_by_another(block: With, leaving: list[ast.stmt]) -> bool:
    """Whether another tape of the block differentiates what these statements compute."""
    if len(block.items) == 1:
        return False
    nodes = [node for statement in leaving for node in ast.walk(statement)]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    bound = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    targets = [target for call in nodes if isinstance(call, ast.Call) for target in _targets(call)]
    return any(
        isinstance(name, ast.Name) and name.id in bound
        for target in targets
        for name in ast.walk(target)
    )


def _targets(call: ast.Call) -> list[ast.expr]:
    """What a call asks for the gradients of; nothing if it asks for none."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in (*GRADIENT, "minimize"):
        return []
    return [*call.args[:1], *(k.value for k in call.keywords if k.arg in ("target", "loss"))]


def is_one_a_line(block: With) -> bool:
    """Whether every statement of the block begins a line."""
    lines = [block.lineno, *(statement.lineno for statement in block.body)]
    return len(set(lines)) == len(lines)


def still_records(receiver: ast.expr) -> Problem:
    """Why a tape can't be asked at this place."""
    why = "Horovod's tape can't compute gradients while the tape still records"
    return Problem(receiver, why, "move tape.gradient(…) below the with block")


# -- tapes ---------------------------------------------------------------------------------------
# Tapes whose gradients are applied, and how each of them is wrapped.
#
# Seed 001, `trans_S` on `with tf.GradientTape()`.


class Tapes:
    """What D201 does: names to wrap after a `with`, receivers to wrap in place, sources to list."""

    def __init__(self, facts: Facts) -> None:
        self.blocks = TapeBlocks(facts)
        self.given = {tape for _, tape in given_tapes(facts)}
        self.shared: set[With] = set()  # whose tape is asked where another's may be
        self.after: dict[With, list[str]] = {}
        self.moved: dict[With, int] = {}  # statements from here on leave the `with`
        self.split: dict[With, int] = {}  # so many last items get one of their own for that
        self.in_place: dict[ast.expr, None] = {}
        self.made_persistent: dict[ast.Call, None] = {}  # so that they can be asked while recording
        self.listed: dict[ast.Call, ast.expr] = {}  # gradient of one variable
        self.problems: list[Problem] = []
        self.plain: dict[ast.Call, None] = {}  # with Keras 3: each of their gradients is averaged
        self.nested: set[ast.Call] = set()  # of these, those of lists in lists, or of dictionaries
        self.training: dict[ast.Call, None] = {}  # the calls whose gradients reach an optimizer

    def __bool__(self) -> bool:
        return bool(self.after or self.in_place or self.plain)


@recorded
def wrapped_tapes(facts: Facts) -> Tapes:
    """The tapes whose gradients reach an optimizer."""
    found = Tapes(facts)
    training = found.training = training_calls(facts, found.problems)
    plain = {call: None for call in training if _is_plain(facts, call)}
    if is_keras_3(facts):
        found.plain = plain
        found.nested = {call for call in plain if sources_of(facts, call) is Sources.NESTED}
        _check_plain(facts, plain, found)
        found.problems.extend(_unknown(facts, plain))
        return found
    for call in plain:
        _check_sources(facts, call, found)
    receivers = _receivers(facts, plain)
    seen = [found.blocks.seen_by(receiver) for receiver in receivers]
    found.shared = {block for blocks in seen if len(blocks) > 1 for block in blocks}
    for receiver, wanted in receivers.items():
        if averaged(facts, receiver) is Averaged.NO:
            _place(facts, receiver, wanted, found)
    return found


def _unknown(facts: Facts, calls: Iterable[ast.Call]) -> Iterator[Problem]:
    """Calls of `gradient` on what may be no tape."""
    for call in calls:
        assert isinstance(call.func, ast.Attribute)
        if Role.TAPE not in facts.roles(call.func.value):
            yield unknown(facts, call)


def _is_plain(facts: Facts, call: ast.Call) -> bool:
    """Whether the program averages these gradients nowhere itself."""
    assert isinstance(call.func, ast.Attribute)
    return averaged(facts, call.func.value) is Averaged.NO and not averaged_by_hand(facts, call)


def given_tapes(facts: Facts) -> Iterator[tuple[ast.Call, ast.expr]]:
    """`optimizer.minimize(loss, variables, tape=tape)`, with the tape.

    An optimizer that averages what it applies is given a plain one.
    """
    calls = facts.calls("minimize")
    for call in (c for c in calls if averaged(facts, c.func.value) is Averaged.NO):  # type: ignore[attr-defined]
        for value in [*call.args, *(k.value for k in call.keywords)]:
            if facts.role(value) is Role.TAPE:
                yield call, value


def _check_sources(facts: Facts, call: ast.Call, found: Tapes) -> None:
    assert isinstance(call.func, ast.Attribute)
    given = facts.argument(call, "sources", 1)
    kind = sources_of(facts, call)
    if (
        call.func.attr != "gradient"
        or len(call.args) > 3
        or given is None
        or _has_unsupported(call)
    ):
        why = "Horovod's tape has only gradient(target, sources, output_gradients)"
        found.problems.append(Problem(call, why, "leave the other arguments out"))
    elif kind is Sources.NESTED:
        why = "Horovod's tape takes a flat list of variables only"
        fix = "concatenate the lists: a.trainable_variables + b.trainable_variables"
        found.problems.append(Problem(given, why, fix))
    elif kind is Sources.SINGLE:
        found.listed[call] = given


def _check_plain(facts: Facts, calls: Iterable[ast.Call], found: Tapes) -> None:
    """With Keras 3 a plain tape is asked: whatever it takes may stay."""
    for call in calls:
        given = facts.argument(call, "sources", 1)
        if getattr(call.func, "attr", "") != "gradient" or given is None:
            why = "it can't be seen by which variables this tape differentiates"
            found.problems.append(Problem(call, why, "write tape.gradient(loss, variables)"))
        elif sources_of(facts, call) is Sources.SINGLE:
            found.listed[call] = given


def _has_unsupported(call: ast.Call) -> bool:
    return any(k.arg not in ("target", "sources", "output_gradients") for k in call.keywords)


def _receivers(facts: Facts, training: dict[ast.Call, None]) -> dict[ast.expr, ast.AST]:
    """The expressions that name the tape where it trains, with the call they belong to."""
    found: dict[ast.expr, ast.AST] = {}
    for call in training:
        assert isinstance(call.func, ast.Attribute)
        found[call.func.value] = call
    for call, tape in given_tapes(facts):
        found[tape] = call
    return found


def _place(facts: Facts, receiver: ast.expr, call: ast.AST, found: Tapes) -> None:
    if Role.TAPE not in facts.roles(receiver):
        assert isinstance(call, ast.Call)
        found.problems.append(unknown(facts, call))
        return
    block = found.blocks.before(receiver)
    if block is None or not _only_trains(facts, receiver, block, found):
        _wrap_in_place(facts, receiver, found)
        return
    if _is_inside(facts, receiver, block):
        if is_persistent(facts, receiver) or not _may_leave(facts, receiver, block, found):
            _wrap_in_place(facts, receiver, found)
            return
        _leave(facts, receiver, block, found)
    names = found.after.setdefault(block, [])
    assert isinstance(receiver, ast.Name)
    if receiver.id not in names:
        names.append(receiver.id)


def _wrap_in_place(facts: Facts, receiver: ast.expr, found: Tapes) -> None:
    """Wrap a tape where it is asked; one that records there is made persistent, if it is not."""
    found.in_place[receiver] = None
    found.made_persistent.update(dict.fromkeys(fleeting(facts, receiver)))
    if not all(takes_persistent(facts, creation) for creation in fleeting(facts, receiver)):
        found.problems.append(still_records(receiver))


def _is_inside(facts: Facts, node: ast.AST, block: With) -> bool:
    return block in facts.parents(node)


def _only_trains(facts: Facts, receiver: ast.expr, block: With, found: Tapes) -> bool:
    """Whether nothing but training uses the tape after the block: it may be bound again there."""
    assert isinstance(receiver, ast.Name)
    return block not in found.shared and all(
        call in found.training or use in found.given or _is_inside(facts, use, block)
        for use, call in found.blocks.asked(receiver.id, block)
    )


def _may_leave(facts: Facts, receiver: ast.expr, block: With, found: Tapes) -> bool:
    """Whether what follows may leave the block of the tape, or one that the tape gets alone."""
    if may_be_left(facts, block):
        return True
    is_seen = all(takes_persistent(facts, creation) for creation in fleeting(facts, receiver))
    count = last_tapes(facts, block) if is_seen else 0
    if count and (block in found.split or _leaving(facts, receiver, block) is not None):
        found.split[block] = count
        return True
    return False


def _leave(facts: Facts, receiver: ast.expr, block: With, found: Tapes) -> None:
    """A gradient inside of the `with`: the code from there on moves behind it.

    A tape that is not persistent stops recording at its first gradient, so nothing that follows
    is recorded: it may as well follow the block, where the wrapper works.
    """
    inside = _leaving(facts, receiver, block)
    if inside is None:
        found.problems.append(still_records(receiver))
    else:
        found.moved[block] = min(inside, found.moved.get(block, inside))


def _leaving(facts: Facts, receiver: ast.expr, block: With) -> int | None:
    """The number of the statement that asks the tape, if it may leave the block with the rest."""
    around = set(facts.parents(receiver))
    inside = next(i for i, statement in enumerate(block.body) if statement in around)
    simple = isinstance(
        block.body[inside], (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return)
    )
    is_layout_plain = simple and inside > 0 and is_one_a_line(block)
    is_recorded = is_layout_plain and is_recorded_by_another(block, block.body[inside:])
    return inside if is_layout_plain and not is_recorded else None
