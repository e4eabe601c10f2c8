# Sequence to sequence with attention: learns to write words backwards.
# Teacher forcing during training, greedy decoding afterwards.
import os
import time
import numpy as np
import tensorflow as tf

PAD, START, END = 0, 1, 2
VOCAB = 26 + 3
MAX_LEN = 4
BATCH_SIZE = 32
EPOCHS = 2
EMBEDDING_DIM = 16
UNITS = 24
CHECKPOINT_DIR = './seq2seq_checkpoints'

def make_pairs(n, seed=0):
    rng = np.random.RandomState(seed)
    source = np.full((n, MAX_LEN + 2), PAD, np.int32)
    target = np.full((n, MAX_LEN + 2), PAD, np.int32)
    for i in range(n):
        k = rng.randint(3, MAX_LEN + 1)
        letters = rng.randint(3, VOCAB, k)
        source[i, :k + 2] = [START, *letters, END]
        target[i, :k + 2] = [START, *letters[::-1], END]
    return source, target

source_train, target_train = make_pairs(320)
source_val, target_val = make_pairs(96, seed=1)

BUFFER_SIZE = len(source_train)
steps_per_epoch = len(source_train) // BATCH_SIZE

dataset = tf.data.Dataset.from_tensor_slices((source_train, target_train)).shuffle(BUFFER_SIZE)
dataset = dataset.batch(BATCH_SIZE, drop_remainder=True)

class Encoder(tf.keras.Model):
    def __init__(self, vocab_size, embedding_dim, enc_units, batch_sz):
        super(Encoder, self).__init__()
        self.batch_sz = batch_sz
        self.enc_units = enc_units
        self.embedding = tf.keras.layers.Embedding(vocab_size, embedding_dim)
        self.gru = tf.keras.layers.GRU(enc_units, return_sequences=True, return_state=True)

    def call(self, x, hidden):
        x = self.embedding(x)
        output, state = self.gru(x, initial_state=hidden)
        return output, state

    def initialize_hidden_state(self):
        return tf.zeros((self.batch_sz, self.enc_units))

class BahdanauAttention(tf.keras.layers.Layer):
    def __init__(self, units):
        super(BahdanauAttention, self).__init__()
        self.W1 = tf.keras.layers.Dense(units)
        self.W2 = tf.keras.layers.Dense(units)
        self.V = tf.keras.layers.Dense(1)

    def call(self, query, values):
        # hidden shape == (batch_size, hidden size)
        # hidden_with_time_axis shape == (batch_size, 1, hidden size)
        hidden_with_time_axis = tf.expand_dims(query, 1)
        score = self.V(tf.nn.tanh(self.W1(values) + self.W2(hidden_with_time_axis)))
        attention_weights = tf.nn.softmax(score, axis=1)
        context_vector = tf.reduce_sum(attention_weights * values, axis=1)
        return context_vector, attention_weights

class Decoder(tf.keras.Model):
    def __init__(self, vocab_size, embedding_dim, dec_units):
        super(Decoder, self).__init__()
        self.embedding = tf.keras.layers.Embedding(vocab_size, embedding_dim)
        self.cell = tf.keras.layers.GRUCell(dec_units)
        self.fc = tf.keras.layers.Dense(vocab_size)
        self.attention = BahdanauAttention(dec_units)

    def call(self, x, hidden, enc_output):
        context_vector, attention_weights = self.attention(hidden, enc_output)
        x = self.embedding(x)
        # x shape after concatenation == (batch_size, embedding_dim + hidden_size)
        x = tf.concat([context_vector, tf.squeeze(x, axis=1)], axis=-1)
        output, state = self.cell(x, [hidden])
        return self.fc(output), state[0], attention_weights

encoder = Encoder(VOCAB, EMBEDDING_DIM, UNITS, BATCH_SIZE)
decoder = Decoder(VOCAB, EMBEDDING_DIM, UNITS)

optimizer = tf.keras.optimizers.Adam(0.005)
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction='none')

def loss_function(real, pred):
    mask = tf.math.logical_not(tf.math.equal(real, PAD))
    loss_ = loss_object(real, pred)
    mask = tf.cast(mask, dtype=loss_.dtype)
    loss_ *= mask
    return tf.reduce_mean(loss_)

checkpoint_prefix = os.path.join(CHECKPOINT_DIR, "ckpt")
checkpoint = tf.train.Checkpoint(optimizer=optimizer, encoder=encoder, decoder=decoder)

@tf.function
def train_step(inp, targ, enc_hidden):
    loss = 0.0

    with tf.GradientTape() as tape:
        enc_output, enc_hidden = encoder(inp, enc_hidden)
        dec_hidden = enc_hidden
        dec_input = tf.expand_dims([START] * BATCH_SIZE, 1)

        # Teacher forcing - feeding the target as the next input
        for t in range(1, targ.shape[1]):
            # passing enc_output to the decoder
            predictions, dec_hidden, _ = decoder(dec_input, dec_hidden, enc_output)
            loss += loss_function(targ[:, t], predictions)
            # using teacher forcing
            dec_input = tf.expand_dims(targ[:, t], 1)

    batch_loss = (loss / int(targ.shape[1]))

    variables = encoder.trainable_variables + decoder.trainable_variables
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))

    return batch_loss

for epoch in range(EPOCHS):
    start = time.time()

    enc_hidden = encoder.initialize_hidden_state()
    total_loss = 0

    for (batch, (inp, targ)) in enumerate(dataset.take(steps_per_epoch)):
        batch_loss = train_step(inp, targ, enc_hidden)
        total_loss += batch_loss

        if batch % 5 == 0:
            print('Epoch {} Batch {} Loss {:.4f}'.format(epoch + 1, batch, batch_loss.numpy()))
    # saving (checkpoint) the model every 2 epochs
    if (epoch + 1) % 2 == 0:
        checkpoint.save(file_prefix=checkpoint_prefix)

    print('Epoch {} Loss {:.4f}'.format(epoch + 1, total_loss / steps_per_epoch))
    print('Time taken for 1 epoch {} sec\n'.format(time.time() - start))

def translate(sentence):
    """Greedy decoding of one sequence."""
    hidden = tf.zeros((1, UNITS))
    enc_out, dec_hidden = encoder(sentence[None], hidden)
    dec_input = tf.expand_dims([START], 0)
    result = []
    for t in range(MAX_LEN + 1):
        predictions, dec_hidden, _ = decoder(dec_input, dec_hidden, enc_out)
        predicted_id = int(tf.argmax(predictions[0]))
        if predicted_id == END:
            break
        result.append(predicted_id)
        # the predicted ID is fed back into the model
        dec_input = tf.expand_dims([predicted_id], 0)
    return result

# restoring the latest checkpoint
checkpoint.restore(tf.train.latest_checkpoint(CHECKPOINT_DIR))
hits = 0
for s, t in zip(source_val[:5], target_val[:5]):
    wanted = [i for i in t.tolist() if i > END]
    found = translate(s)
    hits += found == wanted
    print(wanted, '->', found)
print('exact:', hits, 'of 5')
