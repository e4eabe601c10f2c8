import tensorflow.compat.v1 as tf
import horovod.tensorflow as hvd

tf.disable_v2_behavior()
hvd.init()
config = tf.ConfigProto()
config.gpu_options.visible_device_list = str(hvd.local_rank())
w = tf.get_variable("w", [3, 1])
x = tf.random.normal([8, 3], seed=hvd.rank())
loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
opt = tf.train.AdamOptimizer(0.01 * hvd.size())
grads = opt.compute_gradients(loss)
grads = [(hvd.allreduce(g), v) for g, v in grads]
train = opt.apply_gradients(grads)
saver = tf.train.Saver()
with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
    if hvd.rank() == 0:
        saver.restore(sess, "m")
    sess.run(hvd.broadcast_global_variables(0))
    for i in range(1000 // hvd.size()):
        sess.run(train)
        if i % 100 == 0 and hvd.rank() == 0:
            saver.save(sess, "m", global_step=i)
