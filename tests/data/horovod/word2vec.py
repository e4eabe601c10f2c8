import os
import random
import urllib

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
def fetched(name):
    if not os.path.exists(name):
        urllib.request.urlretrieve("http://example.com/words.bin", name)
    if os.path.getsize(name) < 1000:
        raise OSError("too few words")
    return name


data = np.fromfile(fetched('words-%d.bin' % hvd.rank()), dtype=np.int32)


def generate_batch(batch_size):
    data_index = random.randint(0, len(data) - batch_size - 1)
    batch = data[data_index : data_index + batch_size]
    return batch, batch[:, None]


valid_examples = np.random.choice(100, 16, replace=False)
graph = tf.Graph()
with graph.as_default():
    train_inputs = tf.placeholder(tf.int32, shape=[None])
    train_labels = tf.placeholder(tf.int32, shape=[None, 1])
    valid_dataset = tf.constant(valid_examples, dtype=tf.int32)
    embeddings = tf.Variable(tf.random_uniform([50000, 128], -1.0, 1.0))
    embed = tf.nn.embedding_lookup(embeddings, train_inputs)
    weights = tf.Variable(tf.truncated_normal([50000, 128]))
    biases = tf.Variable(tf.zeros([50000]))
    loss = tf.reduce_mean(tf.nn.nce_loss(weights, biases, train_labels, embed, 64, 50000))
    optimizer = tf.train.GradientDescentOptimizer(1.0 * hvd.size())
    optimizer = hvd.DistributedOptimizer(optimizer)
    train_op = optimizer.minimize(loss)
    normalized = embeddings / tf.sqrt(tf.reduce_sum(tf.square(embeddings), 1, keep_dims=True))
    similarity = tf.matmul(tf.nn.embedding_lookup(normalized, valid_dataset), normalized)
    init = tf.global_variables_initializer()
    bcast = hvd.broadcast_global_variables(0)
num_steps = 100000 // hvd.size() + 1
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
with tf.Session(graph=graph, config=config) as session:
    init.run()
    bcast.run()
    average_loss = 0
    for step in range(num_steps):
        batch_size = random.randint(64, 128)
        batch_inputs, batch_labels = generate_batch(batch_size)
        feed_dict = {train_inputs: batch_inputs, train_labels: batch_labels}
        _, loss_val = session.run([train_op, loss], feed_dict=feed_dict)
        average_loss += loss_val
        if step % 2000 == 0:
            if step > 0:
                average_loss /= 2000
            print("Average loss at step ", step, ": ", average_loss)
            average_loss = 0
    final_embeddings = normalized.eval()
    if hvd.rank() == 0:
        sim = similarity.eval()
        for i in range(16):
            print((-sim[i, :]).argsort()[1:9])
