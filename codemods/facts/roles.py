"""The roles that values play in training (the environment sigma of seeds 000 to 002)."""

from __future__ import annotations

import ast
import re
from enum import Enum
from functools import lru_cache

from .classes import Classes
from .index import Index
from .names import KERAS, Names
from .origins import Origin
from .values import Values


class Role(Enum):
    """What a value is for the training."""

    OPTIMIZER = "optimizer"
    LOSS_SCALE = "loss-scaling optimizer"
    SCHEDULE = "learning-rate schedule"
    DATASET = "dataset"
    MODEL = "model"
    CHECKPOINT = "checkpoint"
    MANAGER = "checkpoint manager"
    TAPE = "gradient tape"
    CALLBACK = "callback"
    WRITER = "summary writer"
    ESTIMATOR = "estimator"
    SESSION = "session"


_OPTIMIZERS = KERAS + r"\.optimizers\.(?:legacy\.|experimental\.)?"
_CLASSES: tuple[tuple[str, Role], ...] = (
    (_OPTIMIZERS + r"(?:schedules\.)?LearningRateSchedule$", Role.SCHEDULE),
    (_OPTIMIZERS + r"schedules\.[A-Z]\w*$", Role.SCHEDULE),
    (KERAS + r"\.experimental\.(?:\w*Decay\w*)$", Role.SCHEDULE),
    (_OPTIMIZERS + r"LossScaleOptimizer$", Role.LOSS_SCALE),
    (KERAS + r"\.mixed_precision\.LossScaleOptimizer(?:V\d)?$", Role.LOSS_SCALE),
    (_OPTIMIZERS + r"(?:[A-Z]\w*|get|deserialize)$", Role.OPTIMIZER),
    (r"tensorflow_addons\.optimizers\.[A-Z]\w*$", Role.OPTIMIZER),
    (r"tensorflow(?:\.compat\.v1)?\.train\.\w*Optimizer$", Role.OPTIMIZER),
    (r"tensorflow\.data\.(?:experimental\.)?(?:\w+Dataset|Dataset\.\w+|make_\w+)$", Role.DATASET),
    (
        KERAS + r"\.(?:utils|preprocessing)\.(?:image_|text_|audio_|timeseries_)?dataset_from_\w+$",
        Role.DATASET,
    ),
    (KERAS + r"\.(?:utils|preprocessing(?:\.\w+)?)\.\w+_dataset_from_\w+$", Role.DATASET),
    (KERAS + r"\.(?:Sequential|Model)$", Role.MODEL),
    (KERAS + r"\.models\.(?:load_model|clone_model|model_from_\w+)$", Role.MODEL),
    (KERAS + r"\.applications\.(?:\w+\.)?[A-Z]\w*$", Role.MODEL),
    (r"tensorflow\.train\.Checkpoint$", Role.CHECKPOINT),
    (r"tensorflow\.(?:compat\.v1\.)?train\.Saver$", Role.CHECKPOINT),
    (r"tensorflow\.train\.CheckpointManager$", Role.MANAGER),
    (r"tensorflow\.GradientTape$", Role.TAPE),
    (KERAS + r"\.callbacks\.(?:experimental\.)?[A-Z]\w*$", Role.CALLBACK),
    (r"tensorflow\.summary\.create_file_writer$", Role.WRITER),
    (
        r"tensorflow(?:\.compat\.v1)?\.estimator\.(?:\w*Estimator|\w*Classifier|\w*Regressor)$",
        Role.ESTIMATOR,
    ),
    (r"tensorflow(?:\.compat\.v1)?\.(?:Interactive)?Session$", Role.SESSION),
    (r"tensorflow\.compat\.v1\.train\.MonitoredTrainingSession$", Role.SESSION),
    (r"tensorflow\.train\.MonitoredTrainingSession$", Role.SESSION),
)
_ROLES = tuple((re.compile(pattern), role) for pattern, role in _CLASSES)
# Methods of a dataset that give something else than a dataset.
_NOT_A_DATASET = frozenset(
    {
        "as_numpy_iterator",
        "reduce",
        "cardinality",
        "options",
        "get_single_element",
        "save",
        "__iter__",
        "__len__",
    }
)
_FACTORIES = frozenset({"from_config", "from_pretrained"})


@lru_cache(maxsize=4096)
def role_of_name(canonical: str | None) -> Role | None:
    """The role of what a library callable makes."""
    if canonical is None or not canonical.startswith("tensorflow"):
        return None
    return next((role for pattern, role in _ROLES if pattern.match(canonical)), None)


class Roles:
    """Answers which role an expression's value plays, by the expressions that created it."""

    def __init__(self, index: Index, names: Names, classes: Classes, values: Values) -> None:
        self._index, self._names, self._classes, self._values = index, names, classes, values
        self._busy: set[ast.AST] = set()
        self._made: dict[ast.Call, Role | None] = {}

    def role(self, expr: ast.AST) -> Role | None:
        """The one role of everything known that can flow to `expr`, None when there are several."""
        found = self.roles(expr)
        return next(iter(found)) if len(found) == 1 else None

    def roles(self, expr: ast.AST) -> frozenset[Role | None]:
        """Every role that flows to `expr`; None stands for values without one."""
        if expr in self._busy:  # `ds = ds.batch(2)`: the cycle adds nothing
            return frozenset()
        self._busy.add(expr)
        try:
            items = self._values.origins(expr).items
            found: set[Role | None] = set()
            for item in items:
                found |= self._origin(item, expr)
            return frozenset(found)
        finally:
            self._busy.discard(expr)

    def _origin(self, origin: Origin, expr: ast.AST) -> frozenset[Role | None]:
        node = origin.node
        if isinstance(node, ast.Constant) and node.value is None:
            return frozenset()  # `optimizer = None` first: nothing is lost
        if origin.path or not isinstance(node, ast.Call):
            return frozenset({None})
        own = self.made_by(node)
        if own is not None or not isinstance(node.func, ast.Attribute):
            return frozenset({own})
        return self._chained(node.func)

    def _chained(self, func: ast.Attribute) -> frozenset[Role | None]:
        """`ds.shuffle(9).batch(2)` is a dataset when `ds` is; also inside a cycle."""
        if func.attr in _NOT_A_DATASET or self._names.name(func) is not None:
            return frozenset({None})
        base = self.roles(func.value)
        return frozenset(role if role is Role.DATASET else None for role in base)

    def made_by(self, call: ast.Call) -> Role | None:
        """The role of what a creating call makes, through user subclasses."""
        if call not in self._made:
            self._made[call] = self._role_made_by(call)
        return self._made[call]

    def _role_made_by(self, call: ast.Call) -> Role | None:
        if isinstance(call.func, ast.Attribute) and call.func.attr in _FACTORIES:
            return role_of_name(self._names.name(call.func.value))
        cls = self._classes.local(call.func)
        if cls is None:
            return role_of_name(self._names.name(call.func))
        return self.role_of_class(cls)

    def role_of_class(self, cls: ast.ClassDef) -> Role | None:
        """The role of the instances of a class of this module."""
        found = (role_of_name(base) for base in self._classes.library_bases(cls))
        return next((role for role in found if role is not None), None)

    def kind(self, call: ast.Call) -> str | None:
        """The canonical library class that a creating call makes (the nearest base of a user's)."""
        cls = self._classes.local(call.func)
        if cls is None:
            return self._names.name(call.func)
        bases = self._classes.library_bases(cls)
        return next((b for b in bases if role_of_name(b) is not None), bases[0] if bases else None)
