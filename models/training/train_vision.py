"""Trains one image classifier and exports it: python3 train_vision.py resnet8 --data fashion --seed 1"""
import argparse
import os
import time

import torch
import torch.nn as nn

import common

# Names of attributes become names of nodes and weights in the exported file: the shipped files have these.


def mlp():
    return nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 10))


def lenet():
    return nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10))


def cnn():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(1568, 128), nn.ReLU(), nn.Linear(128, 10))


def convolution(inputs, outputs, kernel, *, stride=1, groups=1):
    """Convolution without bias and batch norm, which the export folds into one Conv with bias."""
    return [nn.Conv2d(inputs, outputs, kernel, stride=stride, padding=kernel // 2, groups=groups, bias=False),
            nn.BatchNorm2d(outputs)]


def pooled_classifier(channels):
    return [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, 10)]


def cnn_silu():
    return nn.Sequential(
        *convolution(1, 16, 3), nn.SiLU(), *convolution(16, 32, 3, stride=2), nn.SiLU(),
        *convolution(32, 32, 3), nn.SiLU(), *convolution(32, 64, 3, stride=2), nn.SiLU(), *pooled_classifier(64))


class SqueezeExcite(nn.Module):
    """Scales each channel by a sigmoid gate computed from the channel means: squeeze (a), expand (b)."""

    def __init__(self, channels, squeezed):
        super().__init__()
        self.a, self.b = nn.Conv2d(channels, squeezed, 1), nn.Conv2d(squeezed, channels, 1)
        self.act, self.pool = nn.SiLU(), nn.AdaptiveAvgPool2d(1)

    def forward(self, x):
        return x * torch.sigmoid(self.b(self.act(self.a(self.pool(x)))))


class InvertedBottleneck(nn.Module):
    """MBConv of EfficientNet: expand, depthwise 3x3, squeeze-excite, project; with a skip where the shape stays."""

    def __init__(self, inputs, outputs, stride, expansion=4):
        super().__init__()
        inner = inputs * expansion
        self.body = nn.Sequential(
            *convolution(inputs, inner, 1), nn.SiLU(),
            *convolution(inner, inner, 3, stride=stride, groups=inner), nn.SiLU(),
            SqueezeExcite(inner, max(4, inputs // 4)), *convolution(inner, outputs, 1))
        self.has_skip = stride == 1 and inputs == outputs

    def forward(self, x):
        return x + self.body(x) if self.has_skip else self.body(x)


def mbnet():
    return nn.Sequential(
        *convolution(1, 16, 3, stride=2), nn.SiLU(),
        InvertedBottleneck(16, 24, 2), InvertedBottleneck(24, 24, 1),
        InvertedBottleneck(24, 40, 2), InvertedBottleneck(40, 40, 1),
        *convolution(40, 96, 1), nn.SiLU(), *pooled_classifier(96))


class ResidualBlock(nn.Module):
    """Two 3x3 convolutions beside a skip, which is a 1x1 convolution where the shape changes."""

    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.body = nn.Sequential(*convolution(inputs, outputs, 3, stride=stride), nn.ReLU(),
                                  *convolution(outputs, outputs, 3))
        same = stride == 1 and inputs == outputs
        self.skip = nn.Identity() if same else nn.Sequential(*convolution(inputs, outputs, 1, stride=stride))
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(self.body(x) + self.skip(x))


def resnet8():
    return nn.Sequential(
        *convolution(1, 16, 3), nn.ReLU(),
        ResidualBlock(16, 16, 2), ResidualBlock(16, 32, 2), ResidualBlock(32, 64, 2), *pooled_classifier(64))


IMAGE, FLAT = (1, 28, 28), (784,)
NETWORKS = {  # name: (constructor, shape of one input, epochs, peak learning rate, activations)
    "mlp": (mlp, FLAT, 10, 2e-3, "ReLU"),
    "lenet": (lenet, IMAGE, 8, 4e-3, "ReLU"),
    "cnn": (cnn, IMAGE, 5, 3e-3, "ReLU"),
    "cnn_silu": (cnn_silu, IMAGE, 3, 5e-3, "SiLU"),
    "mbnet": (mbnet, IMAGE, 4, 5e-3, "SiLU, sigmoid"),
    "resnet8": (resnet8, IMAGE, 4, 5e-3, "ReLU"),
}
BATCH = 128
WEIGHT_DECAY = 1e-2


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("network", choices=NETWORKS)
    parser.add_argument("--data", default="mnist", choices=common.IMAGE_FOLDERS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, help="instead of the network's own number")
    parser.add_argument("--limit", type=int, help="train and test on the first images only: a trial run")
    parser.add_argument("--out", default=common.DEFAULT_OUT, help="folder for NAME.onnx and NAME.json")
    return parser.parse_args()


def main():
    args = arguments()
    constructor, shape, epochs, lr, activations = NETWORKS[args.network]
    epochs = args.epochs or epochs
    common.fix_seeds(args.seed)
    data = common.load_tensors(args.data, args.limit)
    model = constructor()
    start = time.time()
    history = common.train(model, data, shape, epochs=epochs, lr=lr, batch=BATCH, weight_decay=WEIGHT_DECAY, seed=args.seed)
    seconds = time.time() - start
    accuracy, nll = common.evaluate(model, *data["test"], shape)

    name = f"{args.network}_{args.data}"
    os.makedirs(args.out, exist_ok=True)
    onnx_path = os.path.join(args.out, name + ".onnx")
    metadata = dict(task=f"{args.data} classification", input="float32, uint8/255", seed=args.seed,
                    float_accuracy=f"{accuracy:.4f}", activations=activations,
                    train_script=f"train_vision.py {args.network} --data {args.data} --seed {args.seed}")
    counts = common.export(model, onnx_path, shape, metadata)
    common.write_record(
        onnx_path, os.path.join(args.out, name + ".json"), name=name,
        metric=dict(test_accuracy=accuracy, test_nll=nll, test_samples=len(data["test"][0])),
        params=sum(p.numel() for p in model.parameters()), ops=counts, activations=activations, seed=args.seed,
        epochs=epochs, lr=lr, batch=BATCH, weight_decay=WEIGHT_DECAY, train_seconds=seconds, threads=1, history=history,
        input_shape=["N", *shape], opset=common.OPSET)
    print(f"{name}: accuracy {accuracy:.4f}, wrote {onnx_path}")


if __name__ == "__main__":
    main()
