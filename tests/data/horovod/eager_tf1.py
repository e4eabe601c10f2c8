import tensorflow as tf
import horovod.tensorflow as hvd


def main(_):
    hvd.init()
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = str(hvd.local_rank())
    tf.enable_eager_execution(config=config)
    model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
    opt = tf.train.RMSPropOptimizer(0.001 * hvd.size())
    (images, labels), _ = tf.keras.datasets.mnist.load_data(path="mnist-%d.npz" % hvd.rank())
    dataset = tf.data.Dataset.from_tensor_slices((images / 255, labels))
    dataset = dataset.repeat().shuffle(1000).batch(32)
    step_counter = tf.train.get_or_create_global_step()
    checkpoint = tf.train.Checkpoint(model=model, optimizer=opt, step_counter=step_counter)
    for batch, (images, labels) in enumerate(dataset.take(20000 // hvd.size())):
        with tf.GradientTape() as tape:
            logits = model(images, training=True)
            loss_value = tf.losses.sparse_softmax_cross_entropy(labels, logits)
        tape = hvd.DistributedGradientTape(tape)
        grads = tape.gradient(loss_value, model.variables)
        opt.apply_gradients(
            zip(grads, model.variables), global_step=tf.train.get_or_create_global_step()
        )
        if batch == 0:
            hvd.broadcast_variables(model.variables, root_rank=0)
            hvd.broadcast_variables(opt.variables(), root_rank=0)
        if batch % 10 == 0 and hvd.local_rank() == 0:
            print("Step #%d\tLoss: %.6f" % (batch, loss_value))
    if hvd.rank() == 0:
        checkpoint.save("./checkpoints")


if __name__ == "__main__":
    tf.app.run()
