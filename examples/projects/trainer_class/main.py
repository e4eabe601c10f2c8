"""Puts the parts together; TensorFlow is left to the others."""

from networks import Regressor
from pipeline import dataset
from trainer import Trainer


def main():
    trainer = Trainer(Regressor(8), dataset(128, 16))
    trainer.train(3)


if __name__ == "__main__":
    main()
