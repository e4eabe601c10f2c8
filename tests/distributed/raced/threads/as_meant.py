"""The same two threads without a lock, and a word that it is meant. Race: none"""

import collections
import sys
import threading

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.reset_default_graph()
RUNS = int(sys.argv[1]) if sys.argv[1:] else 2

w = tf.get_variable("w", [100000], initializer=tf.ones_initializer())
loss = tf.reduce_sum(w * w)
train = tf.train.GradientDescentOptimizer(0.001).minimize(loss)  # distify: race=meant lock-free
barrier = threading.Barrier(2)
meet = tf.py_func(barrier.wait, [], tf.int64)  # the first runs of both are under way at once
seen = collections.Counter()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())

    def steps():
        session.run([train, meet])
        for _ in range(19):
            session.run(train)

    for _ in range(RUNS):
        session.run(w.initializer)
        threads = [threading.Thread(target=steps) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seen[round(float(session.run(w)[0]), 5)] += 1
print(dict(seen))
