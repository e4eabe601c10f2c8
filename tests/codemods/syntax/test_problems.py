"""What cannot be read is a SyntaxProblem that says where, soon and without another word."""

from __future__ import annotations

import sys
import time
import warnings

import pytest

from distify.codemods.model import SyntaxProblem
from distify.codemods.syntax import Source, parse

BROKEN = {
    "a syntax error": ("x = 1\ny = é é\n", 2, 6),
    "a null byte": ("x\ny = '\0'\n", 2, None),
    "half a surrogate pair": ("x\ny = '\ud800'\n", 2, 5),
    "an open string": ("x = '''a\n", 1, None),
    "an open bracket": ("x\ny = (a\n", 2, None),
    "a wrong indentation": ("if x:\n    a\n  b\n", 3, None),
    "a backslash at the end": ("x = \\", 1, None),
    "too many brackets": ("(" * 300 + ")" * 300, 1, None),
    "deep nesting": ("x\ny = " + "-" * 500 + "1\n", 2, None),
    "very deep nesting": ("-" * 50_000 + "1\n", 1, None),
}


@pytest.mark.parametrize("case", BROKEN)
def test_it_is_one_kind_of_error_with_a_place(case: str) -> None:
    text, line, column = BROKEN[case]
    with pytest.raises(SyntaxProblem) as problem:
        parse(text)
    if "null" not in case:  # where some Pythons do not say more than that there is one
        assert problem.value.line == line
    if column is not None:
        assert problem.value.column == column
    assert problem.value.message


@pytest.mark.parametrize(
    "text",
    ["[" * 90 + "]" * 90, "f(" * 90 + ")" * 90, "not " * 200 + "a", "x = " * 3000 + "1"],
    ids=["lists", "calls", "not", "targets"],
)
def test_deep_code_that_people_might_write_is_read(text: str) -> None:
    assert str(parse(text)) == text


LONG = {
    "one string": "x = '" + "a" * 1_000_000 + "'\n",
    "one list": "x = [" + "'é', " * 8_000 + "]\n",
    "one comment": "#" * 1_000_000 + "\nx\n",
    "white space": "x =" + " " * 1_000_000 + "1\n",
    "blank lines": "x\n" + "\n" * 50_000 + "y\n",
    "comment lines": "if x:\n    y\n" + "# a\n" * 50_000 + "z\n",
    "continued lines": "x = " + "\\\n" * 100_000 + "1\n",
    "a docstring": '"""' + "a\n'\\'" * 100_000 + '"""\n',
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_long_lines_and_long_layout_take_no_long_time(text: str) -> None:
    began = time.process_time()
    assert str(parse(text)) == text
    assert time.process_time() - began < 10  # what grows with the square takes minutes


@pytest.mark.parametrize("text", ["'\\d'\n", "1or 2\n", "x is 1\n", "()()\n"])
def test_warnings_of_the_compiler_are_neither_shown_nor_raised(text: str) -> None:
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("error")
        Source(text)
    assert shown == []


@pytest.mark.skipif(sys.version_info >= (3, 10), reason="later Pythons read it all alike")
@pytest.mark.parametrize("indent", ["", "  ", "\t"])
def test_python_3_9_refuses_a_continued_indentation(indent: str) -> None:
    with pytest.raises(SyntaxProblem) as problem:
        Source(f"x = 1\n{indent}\\\ny = 2\n").refuse_what_cannot_run()
    assert problem.value.line == 2
    assert "a backslash continues an indentation" in problem.value.message


@pytest.mark.parametrize(
    "text", ["x = (1 +\n\\\n 2)\n", "x = 1 + \\\n 2\n", 'x = """\n\\\n"""; y = 2\n']
)
def test_other_backslashes_are_no_problem(text: str) -> None:
    Source(text).refuse_what_cannot_run()
