"""The built-in models, by name. Each has `features(x)` [n, D], the penultimate layer, and `head`, the last linear layer."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from votewise.errors import VotewiseError
from votewise.importing import is_import_path
from votewise.text import find_model, is_text_model, pretrained
from votewise.training.kernels.winograd import Conv3x3
from votewise.training.objects import find


class Net(nn.Module):
    """A body that returns pooled feature maps or features, followed by a linear head.

    `seen` is the layer of the body whose maps Grad-CAM uses; None if the body has no maps.
    """

    def __init__(self, body: nn.Sequential, width: int, classes: int, seen: int | None = None) -> None:
        super().__init__()
        self.body = body
        self.head = nn.Linear(width, classes)
        self._seen = seen

    @property
    def seen(self) -> nn.Module | None:
        return None if self._seen is None else self.body[self._seen]

    def features(self, x: Tensor) -> Tensor:
        """The penultimate layer [n, D]."""
        last: Tensor = self.body(x)
        return last.mean(dim=(2, 3)) if last.ndim == 4 else last

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.features(x))  # type: ignore[no-any-return]  # calling a module gives Any in torch's stubs


class Block(nn.Module):
    """The basic residual block of He et al. 2016."""

    def __init__(self, inside: int, outside: int, stride: int) -> None:
        super().__init__()
        self.conv1 = Conv3x3(inside, outside) if stride == 1 else nn.Conv2d(inside, outside, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(outside)
        self.conv2 = Conv3x3(outside, outside)
        self.norm2 = nn.BatchNorm2d(outside)
        self.shortcut: nn.Module = nn.Identity()
        if stride != 1 or inside != outside:
            self.shortcut = nn.Sequential(nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside))

    def forward(self, x: Tensor) -> Tensor:
        y = self.norm1(self.conv1(x)).relu_()  # in place, to save memory traffic
        return self.norm2(self.conv2(y)).add_(self.shortcut(x)).relu_()  # type: ignore[no-any-return]  # calling a module gives Any in torch's stubs


def _resnet(channels: int, classes: int, widths: tuple[int, ...], blocks: int, stem_stride: int) -> Net:
    layers: list[nn.Module] = [
        nn.Conv2d(
            channels, widths[0], 3, stem_stride, 1, bias=False
        ),  # no 7 x 7 stem and no max-pool: images are 32 x 32
        nn.BatchNorm2d(widths[0]),
        nn.ReLU(inplace=True),
    ]
    inside = widths[0]
    for stage, width in enumerate(widths):
        for block in range(blocks):
            layers.append(Block(inside, width, 2 if stage and not block else 1))
            inside = width
    return Net(nn.Sequential(*layers), inside, classes, seen=-1)


def resnet18(shape: tuple[int, ...], classes: int) -> Net:
    """The CIFAR ResNet-18: a 3 x 3 stem with stride 1 and four stages of two blocks."""
    return _resnet(shape[-1], classes, (64, 128, 256, 512), blocks=2, stem_stride=1)


def resnet8(shape: tuple[int, ...], classes: int) -> Net:
    """A stem with stride 2 and three stages of one block: 1/45 of the operations of ResNet-18."""
    return _resnet(shape[-1], classes, (32, 64, 128), blocks=1, stem_stride=2)


def digits(shape: tuple[int, ...], classes: int) -> Net:
    """Three small convolutions for 10 x 10 images; Grad-CAM uses the 5 x 5 maps of the second."""

    def layer(inside: int, outside: int, stride: int = 1) -> list[nn.Module]:
        return [nn.Conv2d(inside, outside, 3, stride, 1, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True)]

    body = nn.Sequential(*layer(shape[-1], 16), nn.MaxPool2d(2), *layer(16, 32), *layer(32, 64, stride=2))
    return Net(body, 64, classes, seen=6)


def mlp(shape: tuple[int, ...], classes: int) -> Net:
    """Two hidden layers, for features [D] or small images."""
    width = 1
    for side in shape:
        width *= side
    return Net(
        nn.Sequential(nn.Flatten(), nn.Linear(width, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU()), 256, classes
    )


def linear(shape: tuple[int, ...], classes: int) -> Net:
    """Logistic regression, for features [D] computed by another model."""
    width = 1
    for side in shape:
        width *= side
    return Net(nn.Sequential(nn.Flatten()), width, classes)


BUILDERS: dict[str, Callable[[tuple[int, ...], int], Net]] = {
    builder.__name__: builder for builder in (resnet18, resnet8, digits, mlp, linear)
}


def torchvision_init(model: nn.Module) -> None:
    """Initial weights of a modified torchvision ResNet: convolutions from N(0, 2 / fan_out), except the stem, which is replaced after initialisation."""
    for module in list(model.modules())[1:]:
        if isinstance(module, nn.Conv2d) and module is not model.body[0]:  # type: ignore[index]  # body is a Sequential
            nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")


def build(name: str, shape: tuple[int, ...], classes: int, source: str | None = None) -> nn.Module:
    """The model with this name or import path, with initial weights.

    Args:
        name: A key of `BUILDERS`, "package.module:object", or a text model, whose encoder keeps its pre-trained weights.
        shape: Shape of one input: (H, W, C) for an image, or (D,).
        classes: Number of logits C.
        source: Expected SHA-256 of the source of a custom model; None: not checked.
    """
    if is_import_path(name):
        model: nn.Module = find(name, source)(shape, classes)
        if not isinstance(model, nn.Module):
            raise VotewiseError(
                f"{name}{shape, classes} must return a torch.nn.Module, got {type(model).__name__}",
                remedy="name a function or class that returns a model",
            )
        if not any(parameter.requires_grad for parameter in model.parameters()):
            raise VotewiseError(f"{name} has no parameters to train", remedy="use a model with trainable parameters")
    elif is_text_model(name):
        return pretrained(find_model(name), classes, source)
    elif len(shape) != 3 and name not in ("mlp", "linear"):
        raise VotewiseError(f"{name} needs images, but the inputs have shape {shape}", remedy="use model = 'mlp'")
    elif name == "digits" and min(shape[:2]) < 2:
        raise VotewiseError(
            f"digits needs images of at least 2×2, got {shape[0]}×{shape[1]}", remedy="use model = 'mlp'"
        )
    else:
        model = BUILDERS[name](shape, classes)
    if len(shape) == 3:  # same memory layout as the images
        model.to(memory_format=torch.channels_last)  # type: ignore[call-overload]  # torch's stubs do not know it
    return model
