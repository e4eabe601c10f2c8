"""Everything but the call of `fit` stands somewhere else."""

from network import build
from table import load
from watch import make_callbacks


def main():
    (x_train, y_train), (x_test, y_test) = load()
    model = build(width=8, rate=0.01)
    model.fit(
        x_train,
        y_train,
        validation_data=(x_test, y_test),
        batch_size=16,
        epochs=3,
        callbacks=make_callbacks("table"),
        verbose=2,
    )


if __name__ == "__main__":
    main()
