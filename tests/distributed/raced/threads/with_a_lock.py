"""The same two threads, one of them at a time. Race: none"""

import collections
import sys
import threading

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.reset_default_graph()
RUNS = int(sys.argv[1]) if sys.argv[1:] else 2

w = tf.get_variable("w", [100000], initializer=tf.ones_initializer())
loss = tf.reduce_sum(w * w)
train = tf.train.GradientDescentOptimizer(0.001).minimize(loss)
seen = collections.Counter()
lock = threading.Lock()
with tf.Session() as session:
    session.run(tf.global_variables_initializer())

    def steps():
        for _ in range(20):
            with lock:
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
