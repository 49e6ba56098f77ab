#!/usr/bin/python3
"""Writes NAME.h5 beside this file for each model in models/trained: outputs for the first samples of its test set by ONNX Runtime.

Needs node, python3-h5py, python3-onnx and ORT_HOME (see run_model.mjs). Only for making the data anew; tests read the files.
"""
import glob
import hashlib
import json
import os

import h5py
import numpy
import onnx

import ort

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = os.path.join(HERE, "..", "..", "..", "models")


def samples(file, dims):
    """The first inputs of a test set as the network reads them, and what was done to them."""
    if "ids" in file:
        return file["ids"][:2].astype("int64"), "windows 0 and 1"
    if "audio" in file:
        frame, context, count = file.attrs["frame"], file.attrs["context"], 64
        sound = numpy.concatenate([numpy.zeros(context), file["audio"][:count * frame] / 32768]).astype("float32")
        windows = numpy.lib.stride_tricks.sliding_window_view(sound, context + frame)[::frame]
        return windows[:, None].copy(), "frames 0 to 63"
    if "text" in file:
        return (file["images"][:2].astype("float32") / numpy.float32(127.5) - 1)[:, None], "lines 0 and 1, -1 to 1"
    return (file["images"][:64].astype("float32") / 255).reshape([64] + dims), "images 0 to 63, divided by 255"


for model in sorted(glob.glob(os.path.join(MODELS, "trained", "*.onnx"))):
    name = os.path.basename(model)[:-5]
    with open(os.path.join(MODELS, "trained", "records", name + ".json")) as file:
        dataset = json.load(file)["data"]
    dims = [d.dim_value for d in onnx.load(model).graph.input[0].type.tensor_type.shape.dim][1:]
    with h5py.File(os.path.join(MODELS, "data", dataset)) as file:
        inputs, which = samples(file, dims)
    logits = ort.run(model, inputs)
    with h5py.File(os.path.join(HERE, name + ".h5"), "w", track_order=False) as file:
        file.create_dataset("logits", data=logits, track_times=False)
        file.attrs["source"] = f"onnxruntime-node {ort.VERSION}, one thread, no graph optimisation"
        file.attrs["data"] = f"{dataset}, {which}"
        file.attrs["model_sha256"] = hashlib.sha256(open(model, "rb").read()).hexdigest()
