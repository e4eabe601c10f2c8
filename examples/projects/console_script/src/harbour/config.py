from dataclasses import dataclass


@dataclass
class Config:
    batch_size: int = 16
    epochs: int = 2
    rate: float = 0.02
    hidden: int = 8
