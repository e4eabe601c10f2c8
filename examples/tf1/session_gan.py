"""A small GAN: two optimizers, each for the variables of its own network."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

NOISE = 4
BATCH = 16


def generator(noise):
    with tf.variable_scope("generator"):
        hidden = tf.layers.dense(noise, 16, activation=tf.nn.relu)
        return tf.layers.dense(hidden, 2)


def discriminator(samples, reuse=False):
    with tf.variable_scope("discriminator", reuse=reuse):
        hidden = tf.layers.dense(samples, 16, activation=tf.nn.leaky_relu, name="hidden")
        return tf.layers.dense(hidden, 1, name="logit")


def real_samples(count):
    angles = np.random.uniform(0, 2 * np.pi, size=count)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


real = tf.placeholder(tf.float32, [None, 2])
noise = tf.placeholder(tf.float32, [None, NOISE])

fake = generator(noise)
real_logits = discriminator(real)
fake_logits = discriminator(fake, reuse=True)

cross_entropy = tf.nn.sigmoid_cross_entropy_with_logits
d_loss = tf.reduce_mean(
    cross_entropy(labels=tf.ones_like(real_logits), logits=real_logits)
    + cross_entropy(labels=tf.zeros_like(fake_logits), logits=fake_logits)
)
g_loss = tf.reduce_mean(cross_entropy(labels=tf.ones_like(fake_logits), logits=fake_logits))

d_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, "discriminator")
g_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, "generator")
d_train = tf.train.AdamOptimizer(2e-4, beta1=0.5).minimize(d_loss, var_list=d_vars)
g_train = tf.train.AdamOptimizer(1e-3, beta1=0.5).minimize(g_loss, var_list=g_vars)

with tf.Session() as sess:
    tf.global_variables_initializer().run()

    for step in range(100):
        z = np.random.normal(size=(BATCH, NOISE))
        _, d_value = sess.run([d_train, d_loss], feed_dict={real: real_samples(BATCH), noise: z})
        _, g_value = sess.run([g_train, g_loss], feed_dict={noise: z})
        if step % 25 == 0:
            print("step", step, "discriminator", d_value, "generator", g_value)

    drawn = sess.run(fake, feed_dict={noise: np.random.normal(size=(3, NOISE))})
    print("drawn:", drawn.tolist())
