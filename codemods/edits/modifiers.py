"""What each kind of edit does to the concrete tree: one function for one class of `kinds`."""

from __future__ import annotations

from ..syntax import LN, syms, token
from ..syntax.fields import holding
from . import (
    blocks,
    conditional_values,
    elements,
    growth,
    guards,
    hoists,
    import_names,
    joins,
    loop_to_function,
    named_values,
    width,
)
from . import chained_calls as chains
from .argument_edits import add_argument, argument, parentheses, required, take_away
from .call_kinds import DropArgument, Empty, Prepend, Rename, SetArgument, WrapArgument
from .expression_edits import exchange, fill, replace_expression
from .expression_edits import wrap as wrap_expression
from .insertions import comment_above, insert_after, insert_before
from .item_comments import put_comment, take_comment
from .kinds import (
    Chain,
    Choose,
    Define,
    Dissolve,
    DropBranch,
    DropNames,
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
from .layout import BLOCKS, statement_around, statements
from .own_lines import beyond, own_line
from .removals import remove_statement


def insert(place: LN, edit: Insert) -> None:
    """Insert source lines in the layout of the file."""
    lines = []
    if edit.before:
        lines += insert_before(beyond(place, -edit.distance), edit.before)
    if edit.after:
        lines += insert_after(beyond(place, edit.distance), edit.after)
    for line in lines if edit.fold else ():
        width.fold_assigned(line)


def remark(place: LN, edit: Remark) -> None:
    """Put a comment behind a statement, or behind the head of its block."""
    line = own_line(place)
    ends = [leaf for leaf in line.leaves() if leaf.type == token.NEWLINE]
    is_block = line.children[-1].type in BLOCKS
    end = ends[0] if is_block else ends[-1]
    end.prefix = f"{end.prefix.rstrip()}  {edit.comment}"


def enter(place: LN, edit: Enter) -> None:
    """Insert source lines where the block of a statement begins."""
    block = place.children[-1]
    insert_before((statements(block) if block.type in BLOCKS else block.children)[0], edit.lines)


def define(place: LN, edit: Define) -> None:
    """Make a function of a loop."""
    loop_to_function.define(place, edit.head, edit.first, edit.last)


def remove(place: LN, edit: Remove, *inside: LN) -> None:
    """Remove a statement with everything inside."""
    remove_statement(place, edit.commented)


def drop_names(place: LN, edit: DropNames) -> None:
    """Remove what binds the names, and the whole statement when it binds nothing else."""
    import_names.drop_names(place, edit.names)


def leave_block(place: LN, edit: LeaveBlock, *leaving: LN) -> None:
    """Put the statements behind the block, one level out."""
    blocks.leave_block(place, leaving[0])


def nest(place: LN, edit: Nest, *inside: LN) -> None:
    """Give items of a `with` one of their own, inside."""
    blocks.nest(place, edit.items, inside)


def dissolve(place: LN, edit: Dissolve) -> None:
    """Put what the block holds in the place of the statement."""
    blocks.dissolve(place)


def drop_branch(place: LN, edit: DropBranch) -> None:
    """Let an `if` begin with its `elif`."""
    blocks.drop_branch(place)


def guard(place: LN, edit: Guard, *along: LN) -> None:
    """Put consecutive statements under one `if`."""
    guards.guard([place, *along], edit.test)


def narrow(place: LN, edit: Narrow) -> None:
    """Add a test with `and`."""
    wrap_expression(place, f"_ and {edit.test}")


def replace(place: LN, edit: Replace) -> None:
    """Put another expression in its place, in parentheses where the meaning needs them."""
    exchange(place, edit.code)


def wrap(place: LN, edit: Wrap) -> None:
    """Put an expression into the template, in parentheses where the meaning needs them."""
    wrap_expression(place, edit.template)


def set_field(place: LN, edit: SetField) -> None:
    """Put other code into fields of an f-string, with what follows there: `:4`, `!r`."""
    held = holding(edit.name)
    for leaf in place.leaves():
        if leaf.type == token.STRING and "f" in leaf.value.split(leaf.value[-1])[0].lower():
            leaf.value = held.sub(lambda found: found[1] + edit.code, leaf.value)
            leaf.changed()


def choose(place: LN, edit: Choose) -> None:
    """Put an expression into a choice between two values."""
    conditional_values.choose(place, edit.template)


def chain(place: LN, edit: Chain) -> None:
    """Put method calls behind an expression, or behind the name that it gets."""
    if edit.name:
        named = hoists.hoist(place, Hoist(edit.name))
        width.fold_assigned(statement_around(place))
        place = named
    chains.put_behind(place, edit.template)
    if edit.why:
        comment_above(place, edit.why)


def spread(place: LN, edit: Spread) -> None:
    """Put an element of a list into elements that are unpacked there."""
    elements.spread(place, edit)


def put_later(place: LN, edit: PutLater, *along: LN) -> None:
    """Put the last elements of a list into it behind its statement."""
    growth.put_later(place, edit, along)


def hoist(place: LN, edit: Hoist) -> None:
    """Move an expression in front of its statement."""
    named = hoists.hoist(place, edit)
    if edit.template != "_":
        conditional_values.choose(named, edit.template)


def take_out(place: LN, edit: TakeOut) -> None:
    """Move the text of an argument behind the statement."""
    insert_after(place, named_values.take_out(place, edit))


def name(place: LN, edit: Name) -> None:
    """Copy the text of an expression in front of its statement."""
    last = named_values.take_out(place, edit.first) if edit.first else ""
    value = fill(edit.template, named_values.source(place))
    (line, *_) = insert_before(place, f"{edit.name} = {value}\n{edit.lines}{last}")
    put_comment(line, take_comment(place))
    had_lines = joins.has_lines(place)
    joins.join_around(replace_expression(place, edit.name), had_lines)


def name_argument(place: LN, edit: NameArgument) -> None:
    """The same for an argument of a call."""
    name(required(place, edit.argument, edit.position), edit.naming)


def set_argument(place: LN, edit: SetArgument) -> None:
    """Replace an argument, or add it in the layout of the call."""
    present = argument(place, edit.argument, edit.position)
    if present is None:
        add_argument(place, edit.argument, edit.code)
    else:
        replace_expression(present, edit.code)


def wrap_argument(place: LN, edit: WrapArgument) -> None:
    """Put an argument into the template; one that was left out is written out."""
    if edit.default and argument(place, edit.argument, edit.position) is None:
        add_argument(place, edit.argument, fill(edit.template, edit.default))
    else:
        wrap_expression(required(place, edit.argument, edit.position), edit.template)


def prepend(place: LN, edit: Prepend) -> None:
    """Put elements before those of a list; calls that are too long for a line are broken."""
    display = required(place, edit.argument, edit.position)
    for element in elements.prepend(display, edit.elements):
        if element.type == syms.power:
            width.fold(parentheses(element))


def drop_argument(place: LN, edit: DropArgument) -> None:
    """Take an argument away that has a keyword."""
    take_away(place, edit.argument)


def empty(place: LN, edit: Empty) -> None:
    """Remove all arguments of a call."""
    trailer = parentheses(place)
    for inside in trailer.children[1:-1]:
        inside.remove()
    trailer.children[-1].prefix = ""


def rename(place: LN, edit: Rename) -> None:
    """Replace the keyword of an argument, or the last name before the arguments."""
    if edit.argument:
        last = required(place, edit.argument).parent.children[0]
    else:
        # Parentheses may stand around it, with a comment in them.
        called = parentheses(place).prev_sibling.leaves()
        *_, last = (leaf for leaf in called if leaf.type == token.NAME)
    last.value = edit.name
    last.changed()


def fold(place: LN, edit: Fold) -> None:
    """Break too long lines around an expression, from the outermost brackets to its own."""
    width.fold_around(place)


def fold_call(place: LN, edit: FoldCall) -> None:
    """Break too long lines around the arguments."""
    if edit.argument:
        width.fold_around(required(place, edit.argument, edit.position))
    elif edit.alone:
        width.fold(parentheses(place))
    else:
        width.fold_around(parentheses(place))
