"""What a program itself calls a value that it prints."""

from __future__ import annotations

import ast

import pytest

from distify.codemods.facts.output.hoisted_values import spoken_of

NAMES = {
    "print('Test loss:', f())": "test loss",
    "print('loss', f())": "loss",
    "print('Accuracy (%):', f())": "accuracy",
    "print('epoch', n, 'mean loss =', f())": "mean loss",
    "print('vocabulary --->', f())": "vocabulary",
    "print(model.evaluate(x, y))": "scores",
    "print('Test loss:', model.evaluate(x, y))": "scores",
    "print('Test loss:', model.evaluate(x, y)[0])": "test loss",
    "print(n, model.predict(x)[:3])": "predictions",
    "print(sess.run(loss))": "loss value",
    "print('a', sess.run(loss, feed_dict={x: a}))": "loss value",
    "print(loss.eval({x: a}))": "loss value",
    "print(sess.run([loss, step]))": "values",
    "print(self.sess.run(self.loss))": "loss value",
    "print('loss', float(f()))": "loss",
    "print('loss', round(f().numpy(), 3))": "loss",
    "print(f'step {n}, loss: {f():.3f}')": "loss",
    "print('step %d, loss %.4f' % (n, f()))": "loss",
    "print('loss: %s' % f())": "loss",
    "print(get_accuracy(x))": "accuracy",
    "print(compute_test_loss())": "test loss",
    "print(next(batches))": "batch",
    "print(next(rows))": "item",
}
NONE = [
    "print(f())",
    "print('a batch looks like', f())",  # a sentence
    "print('so it looks in the end:', f())",
    "print('saved', f())",  # what happens
    "print('Restoring', f())",
    "print('done', f())",
    "print('n', f())",  # says nothing
    "print('max:', f())",  # Python's own
    "print('class', f())",
    "print('---', f())",
    "print('3d:', f())",
    "print('%', f())",
    "print('', f())",
    "print(name, f())",
    "print(b'loss', f())",
    "print(end=f())",
    "print('loss', *f())",
    "print(sess.run(a + b))",
    "print('loss', f()[0])",  # that of its first part
    "print('loss', f().history)",
    "print('prediction', np.argmax(f()))",
    "print('step %d: %s' % (n, f()))",
    "print(f'{f()}')",
    "print(next_step())",
]


def named(text: str) -> str:
    """The name for `f()` in the last argument, or for all of that."""
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    last = [*call.args, *(k.value for k in call.keywords)][-1]
    value = last.value if isinstance(last, ast.Starred) else last
    parts = [n for n in ast.walk(value) if isinstance(n, ast.Call) and ast.unparse(n) == "f()"]
    return spoken_of(call, value, parts[0] if parts else value)


@pytest.mark.parametrize(("text", "name"), NAMES.items(), ids=NAMES)
def test_a_value_has_the_name_that_the_program_gives_it(text: str, name: str) -> None:
    assert named(text) == name


@pytest.mark.parametrize("text", NONE)
def test_where_nothing_is_said_there_is_no_name(text: str) -> None:
    assert not named(text)
