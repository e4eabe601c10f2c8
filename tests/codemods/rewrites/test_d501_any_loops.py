"""Loops of any form: what is written, what stays to the byte, and what is left with a reason.

That gradients are the same is shown where TensorFlow is: tests/distributed/test_any_loops.py.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from looped import LOOPS, program

from distify.codemods.migrate import migrate
from distify.codemods.model import RECOMPUTE, Migration, Options

ALONE = Options(select=frozenset({RECOMPUTE}))
each_loop = pytest.mark.parametrize("name", LOOPS)


def rewritten(body: str, options: Options = ALONE, compiled: bool = False) -> str:
    """What becomes of the function `network`."""
    found = migrate(program(body, compiled), options)
    assert not found.blocked, found.blocked
    return function(found)


def function(found: Migration) -> str:
    return found.after[found.after.index("def network") : found.after.index("def step():")].rstrip()


def kept(found: Migration) -> list[str]:
    """The notes on what stays as it is."""
    assert not found.blocked
    return [note.message for note in found.notes if "keeps what each" in note.message]


def network(body: str) -> str:
    return f"def network(x):{body}"


@each_loop
def test_each_is_rewritten_and_the_result_left_alone(name: str) -> None:
    found = migrate(program(LOOPS[name]), ALONE)
    assert not found.blocked, found.blocked
    assert re.search(r"loop_halves(_over)?(_giving)?\(one_step, ", function(found))
    assert migrate(found.after, ALONE).after == found.after


@each_loop
def test_the_lines_of_the_body_stay_to_the_byte(name: str) -> None:
    """Comments, too: only heads, counts and what fills a list are others."""
    after = rewritten(LOOPS[name])
    for line in LOOPS[name].splitlines():
        is_head = re.match(r" +(for|while|if i ==|if i %|break|continue|i \+=|t = t)", line)
        if not is_head and ".append(" not in line:
            assert line in after.splitlines()
    for comment in re.findall(r"#.*", LOOPS[name]):
        assert after.count(comment) == 1


def test_a_list() -> None:
    assert rewritten(LOOPS["a list"]) == network(
        """
    x = x[:, 0]

    def one_step(u, x):
        x = x + tf.tanh(tf.matmul(x, u))  # residual
        return x

    x = loop_halves(one_step, many, x)
    return x"""
    )


def test_several_states_and_what_is_only_read_are_one_state() -> None:
    assert rewritten(LOOPS["a gradient through the steps"]) == network(
        """
    x = before(x)
    h = tf.zeros([8, 4])

    def one_step(t, state):
        h, x = state
        h = tf.tanh(tf.matmul(x[:, t], w) + tf.matmul(h, v))
        return h, x

    h, x = loop_halves(one_step, range(x.shape[1]), (h, x))
    return h"""
    )


def test_what_counts_is_run_before() -> None:
    assert rewritten(LOOPS["a clock"]) == network(
        """
    t, h = 0.0, 0.01
    counted = []
    for i in range(9):
        counted.append(t)
        t = t + h

    def one_step(t, x):
        # Euler's step
        x = x + h * f(x, t)
        # the clock
        return x

    x = loop_halves(one_step, counted, x)
    return x * t"""
    )


def test_a_dictionary_is_copied_and_a_list_is_filled_behind() -> None:
    assert "    def one_step(t, s):\n        s = dict(s)\n" in rewritten(
        LOOPS["a dictionary of states"]
    )
    assert rewritten(LOOPS["outputs"]) == network(
        """
    h = tf.zeros([8, 4])
    outputs = []

    def one_step(t, h):
        h = tf.tanh(tf.matmul(x[:, t], w) + tf.matmul(h, v))
        output = h * 2.0
        return h, output

    h, outputs_of_steps = loop_halves_giving(one_step, range(x.shape[1]), h)
    outputs.extend(outputs_of_steps)
    return tf.stack(outputs, axis=1)"""
    )


@pytest.mark.parametrize("end", ["\r\n", "\n"])
@pytest.mark.parametrize("name", ["a clock", "outputs of two states", "a line", "an early exit"])
def test_line_ends_are_kept(name: str, end: str) -> None:
    text = program(LOOPS[name])
    after = migrate(text.replace("\n", end), ALONE).after
    assert after == migrate(text, ALONE).after.replace("\n", end)
    assert after != text


def test_a_loop_of_the_module_itself_has_its_function_above() -> None:
    body = "\n    return x\n\n\nwith tf.GradientTape():\n    y = data\n    for u in many:\n        y = tf.matmul(y, u)"
    after = migrate(program(body), ALONE).after
    assert "    def one_step(u, y):\n        y = tf.matmul(y, u)\n        return y\n" in after
    assert after.index("def loop_halves") < after.index("with tf.GradientTape():\n    y")


def test_names_that_are_taken_are_not_used() -> None:
    body = LOOPS["two states"] + "\n\n\none_step = state = loop_halves = 1"
    after = rewritten(body)
    assert "def one_step_1(t, state_1):\n        h, c = state_1\n" in after
    assert "loop_halves_1(one_step_1, range(x.shape[1]), (h, c))" in after


@pytest.mark.parametrize(
    ("options", "written"),
    [
        (ALONE._replace(recompute="sqrt"), "loop_segments"),
        (ALONE._replace(recompute="binomial"), "loop_binomial"),
    ],
)
def test_schedules_are_written_where_they_are_asked_for(options: Options, written: str) -> None:
    found = migrate(program(LOOPS["a list"]), options)
    assert f"x = {written}(one_step, many, x)" in found.after
    assert ("def first_part(" in found.after) == (options.recompute == "binomial")


def test_numbers_of_the_settings_are_written() -> None:
    options = ALONE._replace(recompute="binomial", snapshots=7, base=3)
    after = migrate(program(LOOPS["a list"]), options).after
    assert "snapshots=7):" in after
    assert "    if len(items) <= 3:\n" in after


def test_a_compiled_step_runs_in_order() -> None:
    after = migrate(program(LOOPS["a list"], compiled=True), ALONE).after
    assert "return loop_step(step, items[0], state) if len(items) else state" in after
    assert "def loop_step(" not in migrate(program(LOOPS["a list"]), ALONE).after


LINES = """
    x = dense[0](x)  # first
    x = dense[1](x)

    # then
    x = dense[2](x)
    x = dense[3](x)
    return x"""


def test_layers_line_after_line_are_a_list() -> None:
    after = rewritten(LINES)
    assert after == network(
        """
    # first

    # then
    x = run_halves([dense[0], dense[1], dense[2], dense[3]], x)
    return x"""
    )


# -- what stays as it is ------------------------------------------------------------------------

STEP = "        x = tf.tanh(tf.matmul(x, w))\n"
OVER = "\n    for i in range(9):\n"
LEFT = {
    "dropout": (OVER + "        x = L.Dropout(0.1)(x, training=True) + x\n    return x", "`"),
    "a layer that draws": (
        "\n    d = L.Dropout(0.1)" + OVER + "        x = d(tf.matmul(x, w))\n    return x",
        "`Dropout` draws anew",
    ),
    "a draw": (
        OVER + STEP + "        x = x + tf.random.gamma([4], 1.0)\n    return x",
        "`tf.random.gamma` draws anew",
    ),
    "a draw with a seed of its own": (
        OVER + STEP + "        x = x + tf.random.normal([4], seed=3)\n    return x",
        "`tf.random.normal` draws anew",
    ),
    "a draw that fills a list": (
        "\n    a = []" + OVER + STEP + "        a.append(tf.nn.dropout(x, 0.1))\n    return tf.stack(a)",
        "`tf.nn.dropout` draws anew",
    ),
    "a layer that each step makes": (
        OVER + "        x = L.Dense(4)(x) + tf.matmul(x, w)\n    return x",
        "each step makes `L.Dense` anew",
    ),
    "a function that makes a layer": (
        OVER + "        x = inner(x)\n    return x\n\n\ndef inner(x):\n"
        "    return L.Dense(4)(x) + tf.matmul(x, w)",
        "each step makes `L.Dense` anew",
    ),
    "moving statistics": (
        "\n    b = L.BatchNormalization()" + OVER + "        x = b(tf.matmul(x, w))\n    return x",
        "`BatchNormalization` is changed",
    ),
    "a variable is changed": (
        OVER + STEP + "        w.assign_add(w)\n    return x",
        "`assign_add` is changed",
    ),
    "an exit by a tensor": (
        "\n    while tf.reduce_max(x) > 1.0:\n" + STEP + "    return x",
        "it ends by what its own tensors hold",
    ),
    "a break by a tensor": (
        OVER + STEP + "        if tf.reduce_max(x) > 3.0:\n            break\n    return x",
        "`break`",
    ),
    "a return": (OVER + STEP + "        if i > 3:\n            return x\n    return x", "`return`"),
    "an else": (OVER + STEP + "    else:\n        x = -x\n    return x", "`else`"),
    "a print": (OVER + STEP + "        print(x)\n    return x", "nobody can see what `print(x)`"),
    "a long loop of the graph": (
        OVER.replace("range(9)", "tf.range(1000)") + STEP + "    return x", "it is one loop of the graph",
    ),
    "a loop of the graph that counts": (
        "\n    t = 0.0" + OVER.replace("range", "tf.range") + "        x = x + f(x, t)\n"
        "        t = t + 0.1\n    return x",
        "it is one loop of the graph",
    ),
    "a name that is bound again": (
        "\n    k = 2.0" + OVER + STEP + "        x = x * k\n    k = 3.0\n    return x * k",
        "`k` is bound again",
    ),
    "a name of the loop around": (
        "\n    for k in range(3):\n        for i in range(9):\n            x = x + f(x, k)\n"
        "        print(k)\n    return x",
        "`k` is bound again",
    ),
    "what the last step gave": (
        OVER + STEP + "        last = x * 2.0\n    return last",
        "`last` is read behind it",
    ),
    "the number of the last step": (OVER + STEP + "    return x * i", "`i` is read behind it"),
    "a whole number that becomes a tensor": (
        "\n    total = 0" + OVER + STEP + "        total = total + x\n    return total",
        "`total` goes from step to step",
    ),
    "two lists": (
        "\n    a, b = [], []" + OVER + STEP + "        a.append(x)\n        b.append(x)\n    return x",
        "it fills more than one list",
    ),
    "a list that is filled now and then": (
        "\n    a = []" + OVER + STEP + "        if i % 2:\n            a.append(x)\n    return x",
        "it fills more than one list, or not at every step",
    ),
    "an unknown function": (
        "\n    from elsewhere import g" + OVER + "        x = x + g(tf.matmul(x, w))\n    return x",
        "nobody can see what `g` does",
    ),
    "a list that is filled and read": (
        "\n    a = [x]" + OVER + STEP + "        a.append(tf.add_n(a) + x)\n    return x",
        "`a` is filled and read",
    ),
    "an exit by a shape": (
        "\n    while x.shape[0] > 1:\n        x = tf.tanh(tf.matmul(x, w))[::2]\n    return x",
        "it ends by what its own tensors hold",
    ),
    "a count of what the steps compute": (
        "\n    i = 0\n    while i < x.shape[0]:\n        x = tf.tanh(tf.matmul(x, w))[1:]\n        i += 1\n    return x",
        "numbers are counted between what its steps compute: `x`",
    ),
    "what only the first step begins": (
        OVER + STEP + "        if i == 0:\n            y = x\n        else:\n            y = y + x\n    return y",
        "`y` is not begun right before",
    ),
    "a dictionary with another name": (
        "\n    s = {'h': x}\n    other = s" + OVER
        + "        s['h'] = tf.tanh(tf.matmul(s['h'], w))\n    return other['h']",
        "`s` is not begun right before, or has another name, too",
    ),
    "a dictionary of the caller": (
        "\n    s = {'h': x}\n    inner(s)\n    return s['h']\n\n\ndef inner(s):" + OVER
        + "        s['h'] = tf.tanh(tf.matmul(s['h'], w))",
        "`s` is not begun right before, or has another name, too",
    ),
    "tensors of a list": (
        "\n    several = [tf.tanh(u) for u in many]\n    for u in several:\n"
        "        x = tf.matmul(x, u)\n    return x",
        "it runs over a tensor",
    ),
    "a list that grows and is read": (
        "\n    seen = [x]\n    for u in many:\n        y = tf.tanh(tf.matmul(tf.add_n(seen), u))\n"
        "        seen.append(y)\n    return tf.add_n(seen)",
        "`seen` is filled and read by the same step",
    ),
    "an attribute": (
        "\n    s = Kept()\n    s.x = x" + OVER + "        s.x = tf.tanh(tf.matmul(s.x, w))\n    return s.x"
        "\n\n\nclass Kept:\n    pass",
        "`s.x` is changed",
    ),
    "a function that is compiled by itself": (
        OVER + "        x = inner(x)\n    return x\n\n\n@tf.function\ndef inner(x):\n"
        "    return tf.tanh(tf.matmul(x, w))",
        "nobody can see what `inner` does",
    ),
    "a lambda over a tensor": (
        "\n    context = before(x)\n    g = lambda y: tf.tanh(tf.matmul(y, w) + context)" + OVER
        + "        x = g(x)\n    return x",
        "no gradient would reach `context`",
    ),
    "a TensorArray": (
        "\n    ys = tf.TensorArray(tf.float32, 9)" + OVER + STEP
        + "        ys = ys.write(i, x)\n    return ys.stack()",
        "nobody can see what `ys.write` does",
    ),
    "an attribute of what is unknown": (
        "\n    from elsewhere import c" + OVER + STEP + "        x = x * c\n    return x",
        "`c`",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LEFT)
def test_what_can_t_be_done_is_left_and_named_with_the_reason(name: str) -> None:
    body, words = LEFT[name]
    found = migrate(program(body), ALONE)
    assert found.after == found.before
    assert any(words in told for told in kept(found)), kept(found)


@pytest.mark.parametrize(
    "body",
    [
        "\n    for i in range(9):\n        y = tf.tanh(tf.matmul(x, w))\n    return x",
        "\n    n = 0\n    for i in range(9):\n        n += i\n    return tf.matmul(x, w) * n",
        "\n    for layer in dense:\n        layer.trainable = False\n    return tf.matmul(x, w)",
    ],
)
def test_loops_that_hand_on_no_tensor_are_no_matter(body: str) -> None:
    found = migrate(program(body), ALONE)
    assert found.after == found.before
    assert kept(found) == []


def test_nothing_is_said_or_done_unless_somebody_asks() -> None:
    for name in ("a print", "dropout"):
        notes = migrate(program(LEFT[name][0])).notes
        assert not [note for note in notes if note.code == RECOMPUTE]


def test_without_a_gradient_nothing_is_kept() -> None:
    text = program("\n    return tf.matmul(x, w)") + "\n\ndef other(x):" + LOOPS["a list"] + "\n"
    found = migrate(text, ALONE)
    assert (found.after, kept(found)) == (found.before, [])


@pytest.mark.parametrize(
    "call",
    [
        "functools.reduce(lambda x, u: tf.matmul(x, u), many, x)",
        "tf.foldl(lambda x, i: tf.matmul(x, w), tf.range(3), x)",
        "tf.while_loop(lambda x: True, lambda x: [tf.matmul(x, w)], [x], maximum_iterations=9)[0]",
        "[x := tf.matmul(x, u) for u in many][-1]",
    ],
)
def test_folds_are_named(call: str) -> None:
    found = migrate("import functools\n" + program(f"\n    return {call}"), ALONE)
    assert len(kept(found)) == 1
    assert found.after == found.before


def test_layers_that_run_a_cell_over_time_are_named() -> None:
    found = migrate(program("\n    return L.LSTM(4)(x)"), ALONE)
    assert found.after == found.before
    assert any(each.startswith("`tf.keras.layers.LSTM` keeps what each") for each in kept(found))


def test_what_it_is_worth_is_told() -> None:
    notes = migrate(program(LOOPS["a list"]), ALONE).notes
    assert notes[0].message == (
        "of 7 outputs of steps about 4 are kept, and each step is run 2.3 times forwards"
        " instead of once"
    )
    notes = migrate(program(LOOPS["while"]), ALONE._replace(recompute="binomial")).notes
    assert notes[0].message.startswith("of t outputs of steps about 6 are kept, and each step is")


def test_a_loop_of_the_graph_of_unknown_length_is_left_where_a_graph_may_be_made() -> None:
    body = OVER.replace("range(9)", "tf.range(tf.shape(x)[0])") + STEP + "    return x"
    for each in (body, body.replace("tf.range", "range")):  # of which AutoGraph makes the same
        left = migrate(program(each, compiled=True), ALONE)
        assert left.after == left.before
        assert "it is one loop of the graph" in kept(left)[0]
    after = migrate(program(body), ALONE).after
    assert "x = loop_halves(one_step, tf.unstack(tf.range(tf.shape(x)[0])), x)" in after


# -- small programs of the wild ---------------------------------------------------------------

CASES = sorted((Path(__file__).resolve().parents[2] / "data" / "loops").glob("*.py"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_small_programs_are_rewritten(case: Path) -> None:
    text = case.read_text("utf-8")
    found = migrate(text, ALONE)
    assert not found.blocked
    assert ("loop_halves(one_step, " in found.after) != ("run_halves([" in found.after)
    assert migrate(found.after, ALONE).after == found.after
    assert RECOMPUTE not in {step.code for step in migrate(text).steps}
