"""What `from tensorflow.keras.… import *` brings, as far as it plays a role.

Plain data, from the installed packages of TensorFlow 2.4 to 2.15; several star imports in one file
are the habit of many Keras programs.
"""

from __future__ import annotations

from collections.abc import Iterable

from . import callbacks
from .names import KERAS, normal
from .optimizers import OPTIMIZER_RATES, SCHEDULE_RATES


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PARTS = "applications backend callbacks datasets layers losses metrics models optimizers utils"
_EXPORTS = {
    KERAS: frozenset([*_PARTS.split(), "preprocessing", "Input", "Model", "Sequential"]),
    f"{KERAS}.models": _names(
        "Model Sequential clone_model load_model model_from_config model_from_json save_model"
    ),
    f"{KERAS}.layers": _names(
        "AbstractRNNCell Activation ActivityRegularization Add AdditiveAttention AlphaDropout"
        " Attention Average AveragePooling1D AveragePooling2D AveragePooling3D AvgPool1D"
        " AvgPool2D AvgPool3D BatchNormalization Bidirectional CategoryEncoding CenterCrop"
        " Concatenate Conv1D Conv1DTranspose Conv2D Conv2DTranspose Conv3D Conv3DTranspose"
        " ConvLSTM1D ConvLSTM2D ConvLSTM3D Convolution1D Convolution1DTranspose Convolution2D"
        " Convolution2DTranspose Convolution3D Convolution3DTranspose Cropping1D Cropping2D"
        " Cropping3D Dense DenseFeatures DepthwiseConv1D DepthwiseConv2D Discretization Dot"
        " Dropout ELU EinsumDense Embedding Flatten GRU GRUCell GaussianDropout GaussianNoise"
        " GlobalAveragePooling1D GlobalAveragePooling2D GlobalAveragePooling3D GlobalAvgPool1D"
        " GlobalAvgPool2D GlobalAvgPool3D GlobalMaxPool1D GlobalMaxPool2D GlobalMaxPool3D"
        " GlobalMaxPooling1D GlobalMaxPooling2D GlobalMaxPooling3D GroupNormalization"
        " HashedCrossing Hashing Identity Input InputLayer InputSpec IntegerLookup LSTM"
        " LSTMCell Lambda Layer LayerNormalization LeakyReLU LocallyConnected1D"
        " LocallyConnected2D Masking MaxPool1D MaxPool2D MaxPool3D MaxPooling1D MaxPooling2D"
        " MaxPooling3D Maximum Minimum MultiHeadAttention Multiply Normalization PReLU Permute"
        " RNN RandomBrightness RandomContrast RandomCrop RandomFlip RandomHeight"
        " RandomRotation RandomTranslation RandomWidth RandomZoom ReLU RepeatVector Rescaling"
        " Reshape Resizing SeparableConv1D SeparableConv2D SeparableConvolution1D"
        " SeparableConvolution2D SimpleRNN SimpleRNNCell Softmax SpatialDropout1D"
        " SpatialDropout2D SpatialDropout3D SpectralNormalization StackedRNNCells StringLookup"
        " Subtract TextVectorization ThresholdedReLU TimeDistributed UnitNormalization"
        " UpSampling1D UpSampling2D UpSampling3D Wrapper ZeroPadding1D ZeroPadding2D"
        " ZeroPadding3D add average concatenate deserialize dot maximum minimum multiply"
        " serialize subtract"
    ),
    f"{KERAS}.losses": _names(
        "BinaryCrossentropy BinaryFocalCrossentropy CategoricalCrossentropy"
        " CategoricalFocalCrossentropy CategoricalHinge CosineSimilarity Hinge Huber KLD"
        " KLDivergence LogCosh Loss MAE MAPE MSE MSLE MeanAbsoluteError"
        " MeanAbsolutePercentageError MeanSquaredError MeanSquaredLogarithmicError Poisson"
        " SparseCategoricalCrossentropy SquaredHinge"
    ),
    f"{KERAS}.metrics": _names(
        "AUC Accuracy BinaryAccuracy BinaryCrossentropy BinaryIoU CategoricalAccuracy"
        " CategoricalCrossentropy CategoricalHinge CosineSimilarity F1Score FBetaScore"
        " FalseNegatives FalsePositives Hinge IoU KLD KLDivergence LogCoshError MAE MAPE MSE"
        " MSLE Mean MeanAbsoluteError MeanAbsolutePercentageError MeanIoU MeanMetricWrapper"
        " MeanRelativeError MeanSquaredError MeanSquaredLogarithmicError MeanTensor Metric"
        " OneHotIoU OneHotMeanIoU Poisson Precision PrecisionAtRecall R2Score Recall"
        " RecallAtPrecision RootMeanSquaredError SensitivityAtSpecificity"
        " SparseCategoricalAccuracy SparseCategoricalCrossentropy"
        " SparseTopKCategoricalAccuracy SpecificityAtSensitivity SquaredHinge Sum"
        " TopKCategoricalAccuracy TrueNegatives TruePositives"
    ),
    f"{KERAS}.applications": _names(
        "ConvNeXtBase ConvNeXtLarge ConvNeXtSmall ConvNeXtTiny ConvNeXtXLarge DenseNet121"
        " DenseNet169 DenseNet201 EfficientNetB0 EfficientNetB1 EfficientNetB2 EfficientNetB3"
        " EfficientNetB4 EfficientNetB5 EfficientNetB6 EfficientNetB7 EfficientNetV2B0"
        " EfficientNetV2B1 EfficientNetV2B2 EfficientNetV2B3 EfficientNetV2L EfficientNetV2M"
        " EfficientNetV2S InceptionResNetV2 InceptionV3 MobileNet MobileNetV2 MobileNetV3Large"
        " MobileNetV3Small NASNetLarge NASNetMobile RegNetX002 RegNetX004 RegNetX006"
        " RegNetX008 RegNetX016 RegNetX032 RegNetX040 RegNetX064 RegNetX080 RegNetX120"
        " RegNetX160 RegNetX320 RegNetY002 RegNetY004 RegNetY006 RegNetY008 RegNetY016"
        " RegNetY032 RegNetY040 RegNetY064 RegNetY080 RegNetY120 RegNetY160 RegNetY320"
        " ResNet101 ResNet101V2 ResNet152 ResNet152V2 ResNet50 ResNet50V2 ResNetRS101"
        " ResNetRS152 ResNetRS200 ResNetRS270 ResNetRS350 ResNetRS420 ResNetRS50 VGG16 VGG19"
        " Xception"
    ),
    f"{KERAS}.optimizers": frozenset([*OPTIMIZER_RATES, "Optimizer", "schedules", "legacy", "get"]),
    f"{KERAS}.optimizers.schedules": frozenset([*SCHEDULE_RATES, "LearningRateSchedule"]),
    f"{KERAS}.callbacks": callbacks.NAMES,
    f"{KERAS}.datasets": _names("boston_housing cifar10 cifar100 fashion_mnist imdb mnist reuters"),
    f"{KERAS}.utils": _names(
        "Progbar Sequence get_file image_dataset_from_directory normalize plot_model"
        " set_random_seed text_dataset_from_directory to_categorical"
    ),
    f"{KERAS}.preprocessing.image": _names(
        "DirectoryIterator ImageDataGenerator NumpyArrayIterator img_to_array load_img"
    ),
}


def exports(module: str, name: str) -> bool:
    """Whether a star import of a module, as it is spelled, is known to bind a name."""
    return name in _EXPORTS.get(normal(module), ())


def star_imported(name: str, modules: Iterable[str]) -> str | None:
    """The canonical name of what star imports of these canonical modules bind `name` to."""
    known = list(dict.fromkeys(modules))
    if len(known) == 1:
        return f"{known[0]}.{name}"
    exporting = [module for module in known if name in _EXPORTS.get(module, ())]
    return f"{exporting[-1]}.{name}" if exporting else None
