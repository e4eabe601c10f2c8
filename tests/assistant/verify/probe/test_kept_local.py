"""Which variables a program told Horovod to keep local, in each of Horovod's ways to be told.

The modules are made of Horovod's own shapes (0.28.1): classes whose methods are copied into others,
and a class that is made for each optimizer. With TensorFlow: `tests/distributed/test_model.py`.
"""

from __future__ import annotations

import gc
import importlib
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

PROBE = Path(__file__).resolve().parents[4] / "assistant/verify/probe"


class Variable:
    def assign(self, value: Any) -> None:
        raise AssertionError("the probe changes nothing")

    def __eq__(self, other: object) -> Any:
        raise AssertionError("compares element by element")

    __hash__ = None  # type: ignore[assignment]


class Registering:
    def __init__(self) -> None:
        self.told: list[Any] = []

    def register_local_var(self, var: Any) -> None:
        self.told.append(var)

    def register_local_source(self, source: Any) -> None:
        self.told.append(source)


def tape(probe: Any) -> Any:
    module = SimpleNamespace(_DistributedGradientTape=type("T", (), dict(vars(Registering))))
    probe._hook_tape(module)
    return type("GradientTape", (), dict(vars(module._DistributedGradientTape)))()


def old_optimizer(probe: Any) -> Any:
    module = SimpleNamespace(_DistributedOptimizer=type("O", (Registering,), {}))
    probe._hook_tape(module)
    return module._DistributedOptimizer()


def optimizer(probe: Any) -> Any:
    def create() -> Any:
        return type("SGD", (), dict(vars(Registering)))()

    module = SimpleNamespace(create_distributed_optimizer=create)
    probe._hook_keras(module)
    return module.create_distributed_optimizer()


def callback(probe: Any) -> Any:
    module = SimpleNamespace(BroadcastGlobalVariablesCallbackImpl=type("B", (Registering,), {}))
    probe._hook_callbacks(module)
    return type("Callback", (module.BroadcastGlobalVariablesCallbackImpl,), {})()


@pytest.fixture(name="probe")
def _probe(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(PROBE))
    yield importlib.import_module("distify_probe.kept_local")
    for name in [name for name in sys.modules if name.startswith("distify_probe")]:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("make", "method", "keyword"),
    [
        (tape, "register_local_source", "source"),
        (old_optimizer, "register_local_var", "var"),
        (optimizer, "register_local_var", "var"),
        (callback, "register_local_var", "var"),
    ],
)
def test_each_way_is_seen_and_goes_on_as_it_did(
    probe: Any, make: Any, method: str, keyword: str
) -> None:
    one, two, tensor = Variable(), Variable(), Registering()
    kept = make(probe)
    getattr(kept, method)(one)
    getattr(kept, method)(**{keyword: two})
    getattr(kept, method)(tensor)
    assert [*map(id, kept.told)] == [id(one), id(two), id(tensor)]
    assert [*map(id, probe.variables())] == [id(one), id(two)]  # no variable, nothing to keep


def test_a_variable_is_not_kept_alive(probe: Any) -> None:
    kept, variable = tape(probe), Variable()
    kept.register_local_source(variable)
    kept.told.clear()
    del variable
    gc.collect()
    assert not [*probe.variables()]


def test_a_horovod_without_local_variables(probe: Any) -> None:
    plain = SimpleNamespace(_DistributedGradientTape=type("T", (), {}))
    probe._hook_tape(plain)
    probe._hook_callbacks(SimpleNamespace())
    module = SimpleNamespace(create_distributed_optimizer=lambda: object())
    probe._hook_keras(module)
    assert module.create_distributed_optimizer()
    assert not [*probe.variables()]
