"""A convolutional network on digits, as tutorials write it; `next_batch` draws its examples."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

# Training Parameters
learning_rate = 0.001
num_steps = 60
batch_size = 32
display_step = 10

# Network Parameters
num_input = 784  # MNIST data input (img shape: 28*28)
num_classes = 10  # MNIST total classes (0-9 digits)
dropout = 0.75  # Dropout, probability to keep units


class DataSet(object):
    """Digits that are drawn here, served as tensorflow.examples.tutorials.mnist does."""

    def __init__(self, num_examples, seed):
        draw = np.random.RandomState(seed)
        digits = draw.randint(num_classes, size=num_examples)
        images = 0.3 * draw.rand(num_examples, num_input)
        for image, digit in zip(images, digits):
            image[digit * 70:(digit + 1) * 70] += 0.7
        self.images = images.astype("float32")
        self.labels = np.eye(num_classes, dtype="float32")[digits]
        self.num_examples = num_examples

    def next_batch(self, batch_size):
        chosen = np.random.choice(self.num_examples, batch_size, replace=False)
        return self.images[chosen], self.labels[chosen]


train = DataSet(1000, seed=1)
test = DataSet(256, seed=2)

# tf Graph input
X = tf.placeholder(tf.float32, [None, num_input])
Y = tf.placeholder(tf.float32, [None, num_classes])
keep_prob = tf.placeholder(tf.float32)  # dropout (keep probability)


# Create some wrappers for simplicity
def conv2d(x, W, b, strides=1):
    # Conv2D wrapper, with bias and relu activation
    x = tf.nn.conv2d(x, W, strides=[1, strides, strides, 1], padding='SAME')
    x = tf.nn.bias_add(x, b)
    return tf.nn.relu(x)


def maxpool2d(x, k=2):
    # MaxPool2D wrapper
    return tf.nn.max_pool(x, ksize=[1, k, k, 1], strides=[1, k, k, 1],
                          padding='SAME')


# Create model
def conv_net(x, weights, biases, dropout):
    # MNIST data input is a 1-D vector of 784 features (28*28 pixels)
    x = tf.reshape(x, shape=[-1, 28, 28, 1])

    # Convolution Layer
    conv1 = conv2d(x, weights['wc1'], biases['bc1'])
    # Max Pooling (down-sampling)
    conv1 = maxpool2d(conv1, k=2)

    # Convolution Layer
    conv2 = conv2d(conv1, weights['wc2'], biases['bc2'])
    # Max Pooling (down-sampling)
    conv2 = maxpool2d(conv2, k=2)

    # Fully connected layer
    fc1 = tf.reshape(conv2, [-1, weights['wd1'].get_shape().as_list()[0]])
    fc1 = tf.add(tf.matmul(fc1, weights['wd1']), biases['bd1'])
    fc1 = tf.nn.relu(fc1)
    # Apply Dropout
    fc1 = tf.nn.dropout(fc1, dropout)

    # Output, class prediction
    out = tf.add(tf.matmul(fc1, weights['out']), biases['out'])
    return out


# Store layers weight & bias
weights = {
    # 5x5 conv, 1 input, 4 outputs
    'wc1': tf.Variable(tf.random_normal([5, 5, 1, 4])),
    # 5x5 conv, 4 inputs, 8 outputs
    'wc2': tf.Variable(tf.random_normal([5, 5, 4, 8])),
    # fully connected, 7*7*8 inputs, 32 outputs
    'wd1': tf.Variable(tf.random_normal([7*7*8, 32])),
    # 32 inputs, 10 outputs (class prediction)
    'out': tf.Variable(tf.random_normal([32, num_classes]))
}

biases = {
    'bc1': tf.Variable(tf.random_normal([4])),
    'bc2': tf.Variable(tf.random_normal([8])),
    'bd1': tf.Variable(tf.random_normal([32])),
    'out': tf.Variable(tf.random_normal([num_classes]))
}

# Construct model
logits = conv_net(X, weights, biases, keep_prob)
prediction = tf.nn.softmax(logits)

# Define loss and optimizer
loss_op = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(
    logits=logits, labels=Y))
optimizer = tf.train.AdamOptimizer(learning_rate=learning_rate)
train_op = optimizer.minimize(loss_op)

# Evaluate model
correct_pred = tf.equal(tf.argmax(prediction, 1), tf.argmax(Y, 1))
accuracy = tf.reduce_mean(tf.cast(correct_pred, tf.float32))

# Initialize the variables (i.e. assign their default value)
init = tf.global_variables_initializer()

# Start training
with tf.Session() as sess:

    # Run the initializer
    sess.run(init)

    for step in range(1, num_steps+1):
        batch_x, batch_y = train.next_batch(batch_size)
        # Run optimization op (backprop)
        sess.run(train_op, feed_dict={X: batch_x, Y: batch_y, keep_prob: dropout})
        if step % display_step == 0 or step == 1:
            # Calculate batch loss and accuracy
            loss, acc = sess.run([loss_op, accuracy], feed_dict={X: batch_x,
                                                                 Y: batch_y,
                                                                 keep_prob: 1.0})
            print("Step " + str(step) + ", Minibatch Loss= " +
                  "{:.4f}".format(loss) + ", Training Accuracy= " +
                  "{:.3f}".format(acc))

    print("Optimization Finished!")

    # Calculate accuracy for the MNIST test images
    print("Testing Accuracy:",
          sess.run(accuracy, feed_dict={X: test.images,
                                        Y: test.labels,
                                        keep_prob: 1.0}))
