"""A function makes the data of each worker of a cluster; who saves is asked of the cluster.

Repair: A00.
"""

import tensorflow as tf

PER_WORKER = 4
options = tf.distribute.experimental.CommunicationOptions(
    implementation=tf.distribute.experimental.CommunicationImplementation.AUTO
)
if tf.config.list_physical_devices("GPU"):
    strategy = tf.distribute.MultiWorkerMirroredStrategy(communication_options=options)
else:
    strategy = tf.distribute.get_strategy()
global_batch = PER_WORKER * strategy.num_replicas_in_sync

x = tf.random.normal((64, 4), seed=1)
y = tf.reduce_sum(x, axis=1, keepdims=True)


def dataset_fn(size, context):
    batch = context.get_per_replica_batch_size(size)
    dataset = tf.data.Dataset.from_tensor_slices((x, y))
    dataset = dataset.shard(context.num_input_pipelines, context.input_pipeline_id)
    return dataset.shuffle(64).batch(batch, drop_remainder=True)


with strategy.scope():
    # All variables are mirrored.
    model = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.SGD(learning_rate=1e-2)
    seen = tf.keras.metrics.Mean()
data = strategy.distribute_datasets_from_function(lambda context: dataset_fn(global_batch, context))


@tf.function
def train_step(batch):
    def step_fn(inputs):
        features, labels = inputs
        with tf.GradientTape() as tape:
            errors = (model(features, training=True) - labels) ** 2
            loss = tf.nn.compute_average_loss(tf.squeeze(errors, 1))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        seen.update_state(loss * strategy.num_replicas_in_sync)
        return loss

    losses = strategy.run(step_fn, args=(batch,))
    return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)


for epoch in range(2):
    for batch in data:
        loss = train_step(batch)
    print(f"{epoch}: {loss:.3f} on {strategy.num_replicas_in_sync} replicas, {seen.result():.3f}")
if strategy.extended.should_save_checkpoint:
    model.save_weights("model.weights.h5")
