"""Names that Keras 3 alone has: a program that uses one can't run with Keras 2.

Told apart by the members of Keras 2.15 and 3.15; names that other versions of Keras 2 had under
another meaning (`keras.legacy`) are left out.
"""

from __future__ import annotations

from .names import KERAS

_PACKAGES = "config distillation distribution dtype_policies ops quantizers random tree"
_MEMBERS = (
    "DTypePolicy FloatDTypePolicy Function Initializer InputSpec KerasTensor Layer Loss Metric "
    "Operation Optimizer Quantizer Regularizer RematScope StatelessScope SymbolicScope Variable "
    "device name_scope "
    "callbacks.OrbaxCheckpoint callbacks.SwapEMAWeights "
    "layers.AugMix layers.AutoContrast layers.CutMix layers.FlaxLayer layers.JaxLayer "
    "layers.MelSpectrogram layers.MixUp layers.RMSNormalization layers.RandAugment "
    "layers.RandomErasing layers.RandomPerspective layers.STFTSpectrogram layers.TFSMLayer "
    "layers.TorchModuleWrapper "
    "losses.CTC losses.Circle losses.Dice losses.Tversky "
    "metrics.ConcordanceCorrelation metrics.PearsonCorrelation "
    "optimizers.Lamb optimizers.Muon optimizers.ScheduleFreeAdamW "
    "utils.PyDataset"
)
MEMBERS = frozenset((*_PACKAGES.split(), *_MEMBERS.split()))  # below `keras`
LAST_WORDS = frozenset(member.rpartition(".")[2] for member in MEMBERS)


def is_new(name: str) -> bool:
    """Whether a canonical name is one of Keras 3, or of a package that Keras 3 alone has."""
    root, _, member = name.partition(f"{KERAS}.")
    while member and not root:
        if member in MEMBERS:
            return True
        member = member.rpartition(".")[0]
    return False
