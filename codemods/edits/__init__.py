"""Edits as data, and what each of them does to the concrete tree; they know layout and no rule.

A rule says by these names what it wants where. What does it works on the concrete tree, and is
imported when the first edit is made.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from .call_kinds import DropArgument, Empty, Prepend, Rename, SetArgument, WrapArgument
from .edit_places import Places
from .kinds import (
    At,
    Chain,
    Choose,
    Define,
    Dissolve,
    DropBranch,
    DropNames,
    Edit,
    Enter,
    Fold,
    FoldCall,
    Guard,
    Hoist,
    Insert,
    LeaveBlock,
    Name,
    NameArgument,
    Narrow,
    Nest,
    PutLater,
    Remark,
    Remove,
    Replace,
    SetField,
    Spread,
    TakeOut,
    Wrap,
)

if TYPE_CHECKING:
    from ..syntax import LN, Capture
    from .modifiers import (
        chain,
        choose,
        define,
        dissolve,
        drop_argument,
        drop_branch,
        drop_names,
        empty,
        enter,
        fold,
        fold_call,
        guard,
        hoist,
        insert,
        leave_block,
        name,
        name_argument,
        narrow,
        nest,
        prepend,
        put_later,
        remark,
        remove,
        rename,
        replace,
        set_argument,
        set_field,
        spread,
        take_out,
        wrap,
        wrap_argument,
    )

__all__ = [
    "At",
    "Chain",
    "Choose",
    "Define",
    "Dissolve",
    "DropArgument",
    "DropBranch",
    "DropNames",
    "Edit",
    "Empty",
    "Enter",
    "Fold",
    "FoldCall",
    "Guard",
    "Hoist",
    "Insert",
    "LeaveBlock",
    "Name",
    "NameArgument",
    "Narrow",
    "Nest",
    "Places",
    "Prepend",
    "PutLater",
    "Remark",
    "Remove",
    "Rename",
    "Replace",
    "SetArgument",
    "SetField",
    "Spread",
    "TakeOut",
    "Wrap",
    "WrapArgument",
    "chain",
    "choose",
    "define",
    "dissolve",
    "drop_argument",
    "drop_branch",
    "drop_names",
    "empty",
    "enter",
    "fold",
    "fold_call",
    "guard",
    "hoist",
    "insert",
    "leave_block",
    "name",
    "name_argument",
    "narrow",
    "nest",
    "prepend",
    "put_later",
    "remark",
    "remove",
    "rename",
    "replace",
    "set_argument",
    "set_field",
    "spread",
    "take_out",
    "wrap",
    "wrap_argument",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return partial(_modify, name)


def _modify(name: str, node: LN, capture: Capture, filename: str) -> None:
    """Make the edits of a node that the filter has handed on, as a modifier for Bowler."""
    from . import modifiers

    change = getattr(modifiers, name)
    for edit, along in capture["edits"]:
        change(node, edit, *along)
