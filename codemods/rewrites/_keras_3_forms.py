"""What the rules write where Horovod's own wrappers and callbacks fail: for Keras 3 above all.

Each form was in step on two and three workers with TensorFlow 2.20 and Keras 3.15, mixed precision,
sparse gradients and files that other programs load included.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ..edits import At, Insert
from ..facts.keras_version import is_keras_3
from ..facts.output.download_turns import plan
from ..facts.output.rank_zero_guards import places
from ..facts.setup.import_places import init_place
from ..facts.setup.pinning import pinning
from ..library import callbacks
from ..library.tensorflow_names import PRINT
from ._new_code import compressed, fresh, hvd, spell, tape_module, tf

if TYPE_CHECKING:
    from ..facts import Facts

AVERAGE, BROADCAST_STATE, AVERAGE_METRICS = "average_gradients", "BroadcastState", "AverageMetrics"
WARM_UP_RATE = "WarmUpRate"
SHARED_BACKUP, BACKUP_AND_RESTORE = "SharedBackup", callbacks.BACKUP
TERMINATE_TOGETHER = "TerminateTogether"
TERMINATE_ON_NAN = callbacks.TERMINATE_ON_NAN
MEANS = "[None if {g} is None else {hvd}.allreduce({g}{how}) for {g} in {gradients}]"
NO_XLA = "{model}.jit_compile = False  # XLA has no kernels for Horovod's operations\n"
_LONG = """[
    None if {g} is None else {hvd}.allreduce({g}{how})
    for {g} in {gradients}
]"""
_NESTED = """{tf}.nest.map_structure(
    lambda {g}: None if {g} is None else {hvd}.allreduce({g}{how}), {gradients}
)"""

_NESTED_HERE = (
    "{tf}.nest.map_structure("
    "lambda {g}: None if {g} is None else {hvd}.allreduce({g}{how}), {gradients})"
)

_AVERAGE = '''\
def {name}(model):
    """Let each step of a compiled model apply the mean of all workers' gradients."""
    optimizer = model.optimizer

    def apply(grads, trainable_variables=None):
        means = {means}
        return type(optimizer).apply(optimizer, means, trainable_variables)

    optimizer.apply = apply
    model.jit_compile = False  # XLA has no kernels for Horovod's operations
'''
_BROADCAST_STATE = '''\
class {name}({callback}):
    """After the first step every worker goes on with rank 0's weights and optimizer state."""

    def on_train_begin(self, logs=None):
        self.done = False

    def on_train_batch_end(self, batch, logs=None):
        if not self.done:
            for variables in (self.model.weights, self.model.optimizer.variables):
                {hvd}.broadcast_variables([v.value for v in variables], root_rank=0)
            self.done = True
'''
_BROADCAST_VARIABLES = '''\
class {name}({callback}):
    """After the first step every worker goes on with rank 0's weights and optimizer state."""

    def on_train_begin(self, logs=None):
        self.done = False

    def on_train_batch_end(self, batch, logs=None):
        if not self.done:
            found = (*self.model.weights, *self.model.optimizer.variables())
            found = [v for v in found if isinstance(v, {tf}.Variable)]  # no tables of words
            {tape}.broadcast_variables(found, root_rank=0)
            self.done = True
'''
_AVERAGE_METRICS = '''\
class {name}({callback}):
    """The callbacks behind this one see the mean of all workers' metrics, and decide alike."""

    def on_epoch_end(self, epoch, logs=None):
        for name in sorted(logs or {{}}):
            value = {tf}.cast(logs[name], {tf}.float64)
            logs[name] = {hvd}.allreduce(value, name=f"metric.{{name}}").numpy()
'''
_WARM_UP_RATE = '''\
class {name}({callback}):
    """The rate grows batch by batch, from that of one worker to that of all."""

    def __init__(self, epochs):
        super().__init__()
        self.epochs = epochs

    def on_train_begin(self, logs=None):
        self.rate = float(self.model.optimizer.learning_rate)

    def on_epoch_begin(self, epoch, logs=None):
        self.epoch = epoch

    def on_train_batch_begin(self, batch, logs=None):
        if self.epoch < self.epochs:
            steps = self.params["steps"]  # unknown for some datasets: then epoch by epoch
            done = (self.epoch + ((batch + 1) / steps if steps else 0)) / self.epochs
            part = (1 + ({hvd}.size() - 1) * done) / {hvd}.size()
            self.model.optimizer.learning_rate = self.rate * part

    def on_epoch_end(self, epoch, logs=None):
        if epoch + 1 == self.epochs:
            self.model.optimizer.learning_rate = self.rate
'''
_SHARED_BACKUP = '''\
class {name}({callback}):
    """Rank 0 alone keeps the backup; every worker goes on from what it restores."""

    def on_train_begin(self, logs=None):
        if {hvd}.rank() == 0:
            super().on_train_begin(logs)
        model = self.model
        model._initial_epoch = int({hvd}.broadcast(model._initial_epoch or 0, root_rank=0))
        if not model.optimizer.built:
            model.optimizer.build(model.trainable_variables)
        for variables in (model.weights, model.optimizer.variables):
            {hvd}.broadcast_variables([v.value for v in variables], root_rank=0)

    def on_train_batch_end(self, batch, logs=None):
        if {hvd}.rank() == 0:
            super().on_train_batch_end(batch, logs)

    def on_epoch_end(self, epoch, logs=None):
        if {hvd}.rank() == 0:
            super().on_epoch_end(epoch, logs)

    def on_train_end(self, logs=None):
        if {hvd}.rank() == 0:
            super().on_train_end(logs)
'''
_TERMINATE_TOGETHER = '''\
class {name}({callback}):
    """The mean of all workers' losses is no number if one of them is none: all end together."""

    def on_batch_end(self, batch, logs=None):
        loss = {tf}.cast((logs or {{}}).get("loss", 0.0), {tf}.float64)
        mean = float({hvd}.allreduce(loss, name="loss.of_batch"))
        super().on_batch_end(batch, {{"loss": mean}})
'''


def averaging(facts: Facts) -> str:
    """The function that lets a compiled model average its gradients."""
    found = _means(facts, "grad", "grads", on_lines=True).replace("\n", "\n        ")
    return _AVERAGE.format(name=fresh(facts, AVERAGE), means=found)


def callback_classes(facts: Facts) -> dict[str, str]:
    """The callbacks of a `fit`, by the names that are wished for them."""
    words = {"hvd": hvd(facts), "tape": tape_module(facts), "tf": tf(facts)}
    words["callback"] = spell(facts, callbacks.BASE)
    forms = {
        BROADCAST_STATE: _BROADCAST_STATE if is_keras_3(facts) else _BROADCAST_VARIABLES,
        AVERAGE_METRICS: _AVERAGE_METRICS,
        WARM_UP_RATE: _WARM_UP_RATE,
    }
    return {name: form.format(name=fresh(facts, name), **words) for name, form in forms.items()}


def shared_backup(facts: Facts) -> str:
    """The class of a backup for all workers."""
    callback = spell(facts, BACKUP_AND_RESTORE)
    return _SHARED_BACKUP.format(
        name=fresh(facts, SHARED_BACKUP), callback=callback, hvd=hvd(facts)
    )


def terminate_together(facts: Facts) -> str:
    """The class of a callback that ends the training on all workers."""
    callback, name = spell(facts, TERMINATE_ON_NAN), fresh(facts, TERMINATE_TOGETHER)
    return _TERMINATE_TOGETHER.format(name=name, callback=callback, hvd=hvd(facts), tf=tf(facts))


def means(facts: Facts, gradients: str) -> str:
    """The mean of each of a list of gradients, of which some may be None."""
    return _means(facts, fresh(facts, "g"), gradients, on_lines=gradients != "_")


def means_of_nested(facts: Facts, gradients: str) -> str:
    """The mean of each gradient in lists inside of lists, or in a dictionary."""
    form = _NESTED if gradients != "_" else _NESTED_HERE
    words = {"g": fresh(facts, "g"), "hvd": hvd(facts), "how": compressed(facts)}
    return form.format(gradients=gradients, tf=tf(facts), **words)


def _means(facts: Facts, gradient: str, gradients: str, on_lines: bool) -> str:
    how = compressed(facts)
    form = _LONG if how and on_lines else MEANS
    return form.format(g=gradient, hvd=hvd(facts), gradients=gradients, how=how)


def definitions(facts: Facts, code: str, is_last: bool = False) -> At:
    """Functions and classes below the imports and what starts Horovod.

    `is_last`: what takes turns below (D207) has been written by then.
    """
    first = _first(facts)
    distance = int(is_last and _takes_turns(facts, first))
    return At(first, Insert(f"\n\n{code}\n\n", distance=distance))


def _takes_turns(facts: Facts, statement: ast.stmt) -> bool:
    """Whether the others wait directly before a statement (D207): nothing is to come between."""
    is_written = facts.options.applies("D207")
    return is_written and any(turn.first is statement for turn in plan(facts).turns)


def _first(facts: Facts) -> ast.stmt:
    """The statement that follows the start of Horovod, else the first of the module.

    Not one that chooses a GPU, nor an import that was for that alone: D103 takes them away, and
    what stands before them would go as well. Nor a call of a library's that stands by itself,
    nor what rank 0 does alone: a guard may come around it, and what is defined there would be there
    for one worker only.
    """
    start, body, gone = init_place(facts), facts.body, pinning(facts)
    number = 0 if start is None else body.index(start) + 1
    imports = (ast.Import, ast.ImportFrom)
    kept = [s for s in body[number:] if s not in gone and not isinstance(s, imports)]
    guarded = places(facts)
    free = (s for s in kept if s not in guarded and not _is_call_of_library(facts, s))
    return next(free, kept[0] if kept else body[-1])


def _is_call_of_library(facts: Facts, statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    name = facts.name(call.func) if isinstance(call, ast.Call) else None
    return name is not None and (not name.startswith("tensorflow.") or name == PRINT)
