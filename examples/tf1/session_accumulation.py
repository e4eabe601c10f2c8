"""Gradients of four batches are added up in variables before a step; offsets go round the data."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.set_random_seed(6)

batch_size = 16
parts = 4
num_steps = 40

rng = np.random.RandomState(3)
train_dataset = rng.rand(640, 8).astype(np.float32)
train_labels = (train_dataset.mean(axis=1) > 0.5).astype(np.int32)

x = tf.placeholder(tf.float32, shape=(batch_size, 8))
y = tf.placeholder(tf.int32, shape=(batch_size,))
logits = tf.layers.dense(tf.layers.dense(x, 16, tf.nn.relu), 2)
loss = tf.losses.sparse_softmax_cross_entropy(y, logits)

optimizer = tf.train.AdamOptimizer(0.005)
variables = tf.trainable_variables()
sums = [tf.Variable(tf.zeros_like(v.initialized_value()), trainable=False) for v in variables]
zero_ops = [s.assign(tf.zeros_like(s)) for s in sums]
gradients = optimizer.compute_gradients(loss, variables)
add_ops = [s.assign_add(g) for s, (g, _) in zip(sums, gradients)]
train_op = optimizer.apply_gradients([(s / parts, v) for s, v in zip(sums, variables)])

with tf.Session() as sess:
    tf.global_variables_initializer().run()
    for step in range(num_steps):
        sess.run(zero_ops)
        for part in range(parts):
            offset = ((step * parts + part) * batch_size) % (train_labels.shape[0] - batch_size)
            batch_data = train_dataset[offset:(offset + batch_size), :]
            batch_labels = train_labels[offset:(offset + batch_size)]
            _, l = sess.run([add_ops, loss], feed_dict={x: batch_data, y: batch_labels})
        sess.run(train_op)
        if step % 10 == 0:
            print("Minibatch loss at step %d: %f" % (step, l))
