#!/usr/bin/python3
"""Writes NAME.h5 beside this file for each model in models/trained: the logits of the first 64 test images by ONNX Runtime.

Needs node, python3-h5py, python3-onnx and ORT_HOME (see run_model.mjs). Only for making the data anew; tests read the files.
"""
import glob
import hashlib
import os

import h5py
import onnx

import ort

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = os.path.join(HERE, "..", "..", "..", "models")
SAMPLES = 64

for model in sorted(glob.glob(os.path.join(MODELS, "trained", "*.onnx"))):
    name = os.path.basename(model)[:-5]
    dataset = "fashion_test.h5" if "fashion" in name else "mnist_test.h5"
    with h5py.File(os.path.join(MODELS, "data", dataset)) as file:
        images = file["images"][:SAMPLES]
    dims = [d.dim_value for d in onnx.load(model).graph.input[0].type.tensor_type.shape.dim][1:]
    logits = ort.run(model, (images.astype("float32") / 255).reshape([SAMPLES] + dims))
    with h5py.File(os.path.join(HERE, name + ".h5"), "w", track_order=False) as file:
        file.create_dataset("logits", data=logits, track_times=False)
        file.attrs["source"] = f"onnxruntime-node {ort.VERSION}, one thread, no graph optimisation"
        file.attrs["data"] = f"{dataset}, images 0 to {SAMPLES - 1}, divided by 255"
        file.attrs["model_sha256"] = hashlib.sha256(open(model, "rb").read()).hexdigest()
