"""Turns of a loop overlap: the last one to write is not the last turn. Race: M03 w"""

import collections
import sys

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.reset_default_graph()
RUNS = int(sys.argv[1]) if sys.argv[1:] else 2

w = tf.get_variable("w", [], initializer=tf.zeros_initializer())
big = tf.random.uniform([300, 300])


def slow(turn):
    product = tf.linalg.matmul
    return tf.cond(
        tf.equal(turn % 2, 0), lambda: tf.reduce_sum(product(big, big)) * 1e-30, lambda: 0.0
    )


def body(turn, kept):
    up = tf.assign(w, tf.cast(turn, tf.float32) + slow(turn))
    return turn + 1, kept.write(turn, tf.identity(up))


start = [tf.constant(0), tf.TensorArray(tf.float32, 20)]
loop = tf.while_loop(lambda turn, _: turn < 20, body, start)[1].stack()

seen = collections.Counter()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(RUNS):
        session.run(loop)
        seen[float(session.run(w))] += 1
print(dict(seen))
