"""Values that a graph leaves behind for the probe, without any host operation in it.

A cell is a resource variable that belongs to no program: graphs reach it by its name, so that
nothing of the probe is captured, tracked or saved with the functions of the program. XLA knows no
names; there the handle is captured.
"""

from __future__ import annotations

import itertools
from typing import Any

from . import inside

_numbers = itertools.count()
captured: dict[int, str] = {}  # the names of cells by the handles that XLA's graphs capture


class Cell:
    """One value on the CPU; `shape` as TensorFlow takes it (`[]`, `[None]`), `dtype` its name."""

    def __init__(self, dtype: str, initial: Any, shape: Any = ()) -> None:
        self.dtype = inside.python("framework.dtypes").as_dtype(dtype)
        self.shape = inside.python("framework.tensor_shape").TensorShape(shape)
        self.initial = initial
        self.name = f"distify_probe_{next(_numbers)}"
        self._named: Any = None
        self._captured: Any = None
        self._make()

    def _make(self) -> None:
        ops = inside.python("framework.ops")
        with ops.init_scope(), ops.device("/CPU:0"):
            self._named = self._by_name()
            self._assign(self._named, self._constant())

    def _by_name(self) -> Any:
        make = inside.python("ops.gen_resource_variable_ops").var_handle_op
        return make(self.dtype, self.shape, shared_name=self.name, name="distify_probe_cell")

    def _constant(self) -> Any:
        constant = inside.python("framework.constant_op").constant
        return constant(self.initial, self.dtype, name="distify_probe_initial")

    def _assign(self, handle: Any, value: Any) -> None:
        inside.python("ops.gen_resource_variable_ops").assign_variable_op(
            handle, value, name="distify_probe_put"
        )

    def _handle(self) -> Any:
        """To be used where the graph is being built; on the CPU, or on XLA's device."""
        if not inside.in_xla():
            return self._by_name()
        if self._captured is None:
            with inside.python("framework.ops").init_scope():
                make = inside.python("ops.resource_variable_ops")
                self._captured = make._variable_handle_from_shape_and_dtype(
                    self.shape, self.dtype, None, self.name, False
                )
                self._assign(self._captured, self._constant())
                captured[id(self._captured)] = self.name
        return self._captured

    def _device(self) -> Any:
        return inside.python("framework.ops").device(None if inside.in_xla() else "/CPU:0")

    def put(self, value: Any) -> None:
        """Leaves a tensor of the cell's type; the last one is what `get` finds."""
        with self._device():
            self._assign(self._handle(), value)

    def add(self, amount: Any) -> None:
        """Adds to the value that is there."""
        constant = inside.python("framework.constant_op").constant
        with self._device():
            amount = constant(amount, self.dtype, name="distify_probe_amount")
            inside.python("ops.gen_resource_variable_ops").assign_add_variable_op(
                self._handle(), amount, name="distify_probe_add"
            )

    def get(self) -> list[Any]:
        """The value left last, as numpy; a second one if XLA left one of its own."""
        if inside.eager():
            return self._get()
        with inside.python("framework.ops").init_scope():  # asked while something is traced
            return self._get()

    def _get(self) -> list[Any]:
        read = inside.python("ops.gen_resource_variable_ops").read_variable_op
        handles = [self._named] if self._captured is None else [self._named, self._captured]
        return [read(handle, self.dtype).numpy() for handle in handles]

    def clear(self) -> None:
        """Puts the initial value back."""
        for handle in (self._named, self._captured):
            if handle is not None:
                self._assign(handle, self._constant())
