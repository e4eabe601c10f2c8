"""Beside a network goes the moving mean of its weights, in a copy that nothing trains."""

import tensorflow as tf


def network():
    return tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(4,))])


class MeanTeacher:
    def __init__(self):
        self.student, self.teacher = network(), network()
        self.teacher.set_weights(self.student.get_weights())
        self.optimizer = tf.keras.optimizers.SGD(0.1)

    @tf.function
    def learn(self, batch):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self.student(batch) - self.ask(batch)) ** 2)
        gradients = tape.gradient(loss, self.student.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.student.trainable_variables))

    def ask(self, batch):
        return self.teacher(batch) + 1.0

    def follow(self):
        for mean, weight in zip(self.teacher.variables, self.student.variables):
            mean.assign(0.9 * mean + 0.1 * weight)


pair = MeanTeacher()
for _ in range(4):
    pair.learn(tf.random.normal([8, 4]))
    pair.follow()
