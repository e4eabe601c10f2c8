"""K-fold cross-validation on a table with numbers and categories."""

import csv
import io

import numpy as np
from tensorflow import keras
from tensorflow.keras import regularizers
from tensorflow.keras.layers import BatchNormalization, Dense, Dropout
from tensorflow.keras.models import Sequential

SEED = 7
N_SPLITS = 3
EPOCHS = 3
BATCH = 16

COLUMNS = ["age", "income", "tenure", "region", "plan", "churn"]
NUMERIC = ["age", "income", "tenure"]
CATEGORICAL = {"region": ["north", "south", "west"], "plan": ["basic", "plus"]}


def make_csv(rows=403):
    """What the download of the real table looks like."""
    rng = np.random.RandomState(SEED)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for _ in range(rows):
        age = rng.randint(18, 80)
        income = max(800, rng.normal(3000, 900))
        tenure = rng.exponential(4)
        region = rng.choice(CATEGORICAL["region"])
        plan = rng.choice(CATEGORICAL["plan"])
        score = 0.03 * (age - 45) - 0.6 * (tenure - 3) + (plan == "basic") + rng.normal(0, 0.5)
        writer.writerow([age, "%.2f" % income, "%.3f" % tenure, region, plan, int(score > 0)])
    out.seek(0)
    return out


def load_table(file):
    reader = csv.DictReader(file)
    features, target = [], []
    for row in reader:
        values = [float(row[name]) for name in NUMERIC]
        for name, choices in CATEGORICAL.items():
            values.extend(float(row[name] == choice) for choice in choices)  # one-hot
        features.append(values)
        target.append(float(row["churn"]))
    return np.array(features, dtype="float32"), np.array(target, dtype="float32")


def k_fold(n, n_splits, seed):
    """Yield the indices of training and of test rows, as scikit-learn does."""
    order = np.random.RandomState(seed).permutation(n)
    folds = np.array_split(order, n_splits)
    for i in range(n_splits):
        train = np.concatenate([fold for j, fold in enumerate(folds) if j != i])
        yield train, folds[i]


def build_model(n_features):
    model = Sequential()
    model.add(Dense(32, activation="relu", input_dim=n_features, kernel_regularizer=regularizers.l2(1e-4)))
    model.add(BatchNormalization())
    model.add(Dropout(0.2))
    model.add(Dense(16, activation="relu"))
    model.add(Dense(1, activation="sigmoid"))
    model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])
    return model


X, y = load_table(make_csv())
print("Table: %d rows, %d features, %.1f %% churn" % (X.shape[0], X.shape[1], 100 * y.mean()))

scores = []
for fold, (train_idx, test_idx) in enumerate(k_fold(len(X), N_SPLITS, SEED)):
    print("------------------------------------------------------------------")
    print("Fold", fold + 1)

    # scale with the statistics of the training rows
    mu = X[train_idx].mean(axis=0)
    sigma = X[train_idx].std(axis=0) + 1e-7
    X_train, X_test = (X[train_idx] - mu) / sigma, (X[test_idx] - mu) / sigma
    y_train, y_test = y[train_idx], y[test_idx]

    keras.backend.clear_session()
    model = build_model(X.shape[1])
    model.fit(X_train, y_train, epochs=EPOCHS, batch_size=BATCH, verbose=0)

    loss, acc = model.evaluate(X_test, y_test, verbose=0)
    print("  loss: %.4f - accuracy: %.2f%%" % (loss, acc * 100))
    scores.append(acc * 100)
    model.save_weights("fold_%d.weights.h5" % fold)

print("------------------------------------------------------------------")
print("Accuracy: %.2f%% (+/- %.2f%%)" % (np.mean(scores), np.std(scores)))
with open("folds.csv", "w") as f:
    f.write("fold,accuracy\n")
    for i, score in enumerate(scores):
        f.write("%d,%.4f\n" % (i, score))
