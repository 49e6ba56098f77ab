#!/usr/bin/python3
"""Writes block_*.onnx beside this file: one block of each architecture family as PyTorch exports it with a free batch, each with NAME.h5 like
the small models of make_fixtures.py. Weights are random. Needs python3-torch 1.13, node, python3-h5py and ORT_HOME (see ../logits/run_model.mjs).
"""
import math
import os
import sys

import h5py
import torch
from torch import nn
from torch.nn import functional as F

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "logits"))
import ort  # noqa: E402

torch.manual_seed(3)
T, W, H = 6, 16, 4


def heads(x):
    return x.view(x.shape[0], x.shape[1], H, -1).transpose(1, 2)


class Bert(nn.Module):
    """Post-norm encoder layer, GELU with erf, a learned position."""

    def __init__(self):
        super().__init__()
        self.position = nn.Embedding(T, W)
        self.q, self.k, self.v, self.o = (nn.Linear(W, W) for _ in range(4))
        self.n1, self.n2 = nn.LayerNorm(W), nn.LayerNorm(W)
        self.up, self.down = nn.Linear(W, 2 * W), nn.Linear(2 * W, W)

    def forward(self, x):
        x = x + self.position(torch.arange(x.shape[1]).unsqueeze(0).expand(x.shape[0], -1))
        scores = heads(self.q(x)) @ heads(self.k(x)).transpose(-1, -2) / math.sqrt(W // H)
        mixed = (scores.softmax(-1) @ heads(self.v(x))).transpose(1, 2).contiguous()
        x = self.n1(x + self.o(mixed.view(x.shape[0], x.shape[1], W)))
        return self.n2(x + self.down(F.gelu(self.up(x))))


class Gpt2(nn.Module):
    """Pre-norm, one product for queries, keys and values, causal mask, GELU with tanh spelled out."""

    def __init__(self):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(W), nn.LayerNorm(W)
        self.qkv, self.o = nn.Linear(W, 3 * W), nn.Linear(W, W)
        self.up, self.down = nn.Linear(W, 4 * W), nn.Linear(4 * W, W)
        self.register_buffer("mask", torch.tril(torch.ones(8, 8, dtype=torch.bool)).view(1, 1, 8, 8))

    def forward(self, x):
        q, k, v = self.qkv(self.n1(x)).split(W, dim=2)
        scores = heads(q) @ heads(k).transpose(-1, -2) * (W // H) ** -0.5
        scores = torch.where(self.mask[:, :, :x.shape[1], :x.shape[1]], scores, torch.tensor(torch.finfo(torch.float32).min))
        mixed = (scores.softmax(-1) @ heads(v)).transpose(1, 2).reshape(x.shape)
        x = x + self.o(mixed)
        u = self.up(self.n2(x))
        return x + self.down(0.5 * u * (1 + torch.tanh(math.sqrt(2 / math.pi) * (u + 0.044715 * torch.pow(u, 3)))))


class Rms(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(W) + 0.5)

    def forward(self, x):
        return self.scale * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))


class Llama(nn.Module):
    """RMSNorm, rotary embedding from positions, two heads of keys for four of queries, SwiGLU."""

    def __init__(self):
        super().__init__()
        self.n1, self.n2 = Rms(), Rms()
        self.q, self.o = nn.Linear(W, W, bias=False), nn.Linear(W, W, bias=False)
        self.k, self.v = nn.Linear(W, W // 2, bias=False), nn.Linear(W, W // 2, bias=False)
        self.gate, self.up, self.down = nn.Linear(W, 24, bias=False), nn.Linear(W, 24, bias=False), nn.Linear(24, W, bias=False)
        self.register_buffer("frequency", 1 / 10000 ** (torch.arange(0, 4, 2).float() / 4))

    def rotate(self, x, angles):
        turned = torch.cat((-x[..., 2:], x[..., :2]), -1)
        return x * angles.cos() + turned * angles.sin()

    def forward(self, x):
        n, t = x.shape[0], x.shape[1]
        h = self.n1(x)
        angles = (self.frequency[:, None] @ torch.arange(t).float()[None]).transpose(0, 1)
        angles = torch.cat((angles, angles), -1)[None, None]
        q = self.rotate(self.q(h).view(n, t, 4, 4).transpose(1, 2), angles)
        k = self.rotate(self.k(h).view(n, t, 2, 4).transpose(1, 2), angles)
        v = self.v(h).view(n, t, 2, 4).transpose(1, 2)
        k, v = (a[:, :, None].expand(n, 2, 2, t, 4).reshape(n, 4, t, 4) for a in (k, v))
        mask = torch.full((t, t), float("-inf")).triu(1)
        mixed = ((q @ k.transpose(2, 3) / 2 + mask).softmax(-1) @ v).transpose(1, 2).reshape(n, t, W)
        x = x + self.o(mixed)
        h = self.n2(x)
        return x + self.down(F.silu(self.gate(h)) * self.up(h))


class ResMlp(nn.Module):
    """Affine instead of norms, a linear layer across the patches, layer scales."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Parameter(torch.rand(W)), nn.Parameter(torch.rand(W))
        self.s1, self.s2 = nn.Parameter(torch.rand(W)), nn.Parameter(torch.rand(W))
        self.across, self.up, self.down = nn.Linear(T, T), nn.Linear(W, 4 * W), nn.Linear(4 * W, W)

    def forward(self, x):
        h = self.a * x + self.b
        x = x + self.s1 * self.across(h.transpose(1, 2)).transpose(1, 2)
        return x + self.s2 * self.down(F.gelu(self.up(self.a * x + self.b)))


class Mamba(nn.Module):
    """Selective scan, unrolled over the steps."""

    def __init__(self, inner=8, state=4):
        super().__init__()
        self.inner, self.state = inner, state
        self.enter, self.leave = nn.Linear(W, 2 * inner, bias=False), nn.Linear(inner, W, bias=False)
        self.conv = nn.Conv1d(inner, inner, 4, groups=inner, padding=3)
        self.select, self.step = nn.Linear(inner, 1 + 2 * state, bias=False), nn.Linear(1, inner)
        self.log_a = nn.Parameter(torch.log(torch.arange(1, state + 1).float()).repeat(inner, 1))
        self.d = nn.Parameter(torch.ones(inner))

    def forward(self, x):
        u, z = self.enter(x).chunk(2, dim=-1)
        u = F.silu(self.conv(u.transpose(1, 2))[:, :, :T].transpose(1, 2))
        d, b, c = self.select(u).split([1, self.state, self.state], dim=-1)
        d = F.softplus(self.step(d))
        decay = torch.exp(d.unsqueeze(-1) * -torch.exp(self.log_a))
        drive = d.unsqueeze(-1) * b.unsqueeze(2) * u.unsqueeze(-1)
        h, outputs = torch.zeros(x.shape[0], self.inner, self.state), []
        for t in range(T):
            h = decay[:, t] * h + drive[:, t]
            outputs.append((h * c[:, t].unsqueeze(1)).sum(-1))
        return self.leave((torch.stack(outputs, 1) + u * self.d) * F.silu(z))


class Mbconv(nn.Module):
    """EfficientNet's block with its batch norms, squeeze and excite."""

    def __init__(self):
        super().__init__()
        self.expand, self.n1 = nn.Conv2d(4, 12, 1, bias=False), nn.BatchNorm2d(12)
        self.depth, self.n2 = nn.Conv2d(12, 12, 5, padding=2, stride=2, groups=12, bias=False), nn.BatchNorm2d(12)
        self.squeeze, self.excite = nn.Conv2d(12, 3, 1), nn.Conv2d(3, 12, 1)
        self.project, self.n3 = nn.Conv2d(12, 6, 1, bias=False), nn.BatchNorm2d(6)
        for norm in (self.n1, self.n2, self.n3):
            norm.running_mean.uniform_(-0.5, 0.5)
            norm.running_var.uniform_(0.5, 2)

    def forward(self, x):
        h = F.silu(self.n2(self.depth(F.silu(self.n1(self.expand(x))))))
        h = h * torch.sigmoid(self.excite(F.silu(self.squeeze(F.adaptive_avg_pool2d(h, 1)))))
        return self.n3(self.project(h))


class Stacked(nn.Module):
    """Two bidirectional layers that read the batch first; the last step of both directions."""

    def __init__(self, kind):
        super().__init__()
        self.layers, self.head = kind(W, 5, num_layers=2, bidirectional=True, batch_first=True), nn.Linear(10, 3)

    def forward(self, x):
        return self.head(self.layers(x)[0][:, -1])


class Patches(nn.Module):
    """Patch embedding with a class token; dilated and grouped convolutions in front."""

    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Conv2d(2, 4, 3, padding=2, dilation=2), nn.PReLU(4), nn.Conv2d(4, 4, 3, padding=1, groups=2), nn.Hardswish(),
                                   nn.MaxPool2d(3, stride=2, padding=1, ceil_mode=True))
        self.embed, self.token = nn.Conv2d(4, W, 2, stride=2), nn.Parameter(torch.rand(1, 1, W))
        self.position, self.norm = nn.Parameter(torch.rand(1, 5, W)), nn.LayerNorm(W)

    def forward(self, x):
        h = self.embed(self.first(x)).flatten(2).transpose(1, 2)
        h = torch.cat((self.token.expand(x.shape[0], -1, -1), h), 1) + self.position
        return self.norm(h)[:, 0]


def block(name, module, shape, opset):
    module.eval()
    path = os.path.join(HERE, f"block_{name}.onnx")
    x = torch.randn(3, *shape)
    torch.onnx.export(module, x[:2], path, opset_version=opset, input_names=["x"], output_names=["y"],
                      dynamic_axes={"x": {0: "N"}, "y": {0: "N"}}, do_constant_folding=True)
    with h5py.File(os.path.join(HERE, f"block_{name}.h5"), "w") as file:
        file.create_dataset("x", data=x.numpy(), track_times=False)
        file.create_dataset("y", data=ort.run(path, x.numpy()), track_times=False)
        file.attrs["source"] = f"onnxruntime-node {ort.VERSION}, one thread, no graph optimisation"


block("bert", Bert(), (T, W), 12)
block("gpt2", Gpt2(), (T, W), 13)
block("llama", Llama(), (T, W), 15)
block("resmlp", ResMlp(), (T, W), 11)
block("mamba", Mamba(), (T, W), 13)
block("mbconv", Mbconv(), (4, 9, 9), 14)
block("lstm", Stacked(nn.LSTM), (T, W), 14)
block("gru", Stacked(nn.GRU), (T, W), 11)
block("patches", Patches(), (2, 8, 8), 14)
