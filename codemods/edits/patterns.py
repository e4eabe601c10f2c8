"""What places look like, for `Query.select`: the few shapes of code that edits are made at."""

from __future__ import annotations

MODULE = "file_input< any* >"
IMPORT = "import_name< 'import' any > | import_from< 'from' any* >"
CALL = "power< any+ trailer< '(' [any] ')' > >"
WITH = "with_stmt< 'with' any* > | async_stmt< any with_stmt< any* > >"
CONDITION = (
    "NAME | NUMBER | STRING | power | atom | factor | term | arith_expr | shift_expr | and_expr"
    " | xor_expr | expr | comparison | not_test | and_test | or_test | test | lambdef"
    " | namedexpr_test"
)
EXPRESSION = f"{CONDITION} | testlist | testlist_star_expr | yield_expr | argument< any comp_for >"
# fissix knows no `match`: its nodes have no name that a pattern could say.
COMPOUND = (
    "if_stmt | for_stmt | while_stmt | try_stmt | with_stmt | funcdef | classdef"
    " | async_stmt | async_funcdef | any< 'match' any ':' any* >"
)
STATEMENT = (
    f"{COMPOUND} | {IMPORT} | expr_stmt | return_stmt | raise_stmt | del_stmt | assert_stmt"
    f" | global_stmt | {EXPRESSION}"
)
