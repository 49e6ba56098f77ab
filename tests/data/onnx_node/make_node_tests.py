#!/usr/bin/python3
"""Packs the node tests of the ONNX standard that use supported operators into node_tests.h5 beside this file.

usage: make_node_tests.py FOLDER, where FOLDER is .../libonnx-testdata/data/node of Debian's package libonnx-testdata (1.12.0). The list of
supported operators is read from models/operators/catalog.cpp. Left out: strings, sequences, bfloat16, tensors without elements, and files
over 100 kB. Opsets below 9, which the import refuses, are written as 9: the operators in question did not change between. Needs python3-onnx and python3-h5py. Only for making the data anew.
"""
import os
import re
import sys

import h5py
import numpy
import onnx
from onnx import numpy_helper

HERE = os.path.dirname(os.path.abspath(__file__))
CATALOG = os.path.join(HERE, "..", "..", "..", "models", "operators", "catalog.cpp")
LICENCE = ("MIT (Expat), copyright Facebook, Inc., Microsoft Corporation, ONNX Project Contributors; from "
           "https://github.com/onnx/onnx 1.12.0, onnx/backend/test/data/node, container changed to HDF5")


def tensor(path):
    """What a .pb file holds as float32 or int64, or None."""
    message = onnx.TensorProto()
    with open(path, "rb") as file:
        message.ParseFromString(file.read())
    if not message.data_type or message.data_type in (onnx.TensorProto.STRING, onnx.TensorProto.BFLOAT16):
        return None
    array = numpy_helper.to_array(message)
    if array.size == 0 or array.size * array.itemsize > 100000:
        return None
    return array.astype("float32" if array.dtype.kind == "f" else "int64")


def read_case(folder, supported):
    model = onnx.load(os.path.join(folder, "model.onnx"))
    if any(node.domain or node.op_type not in supported for node in model.graph.node):
        return None
    data = os.path.join(folder, "test_data_set_0")
    try:
        inputs = [tensor(os.path.join(data, f"input_{i}.pb")) for i in range(len(model.graph.input))]
        output = tensor(os.path.join(data, "output_0.pb"))
    except Exception:  # a sequence or an optional, no tensor
        return None
    if output is None or any(array is None for array in inputs):
        return None
    return model, inputs, output


def write(group, path, array, value):
    dataset = group.create_dataset(path, data=array.reshape(-1), track_times=False)
    dataset.attrs["shape"] = ",".join(map(str, array.shape))
    dataset.attrs["kind"] = "float" if array.dtype.kind == "f" else "integer"
    dataset.attrs["name"] = value.name


with open(CATALOG) as catalog:
    SUPPORTED = set(re.findall(r'OperatorEntry\{"(\w+)"', catalog.read()))
with h5py.File(os.path.join(HERE, "node_tests.h5"), "w") as file:
    file.attrs["source"] = "libonnx-testdata 1.12.0-2 of Debian"
    file.attrs["licence"] = LICENCE
    for name in sorted(os.listdir(sys.argv[1])):
        case = read_case(os.path.join(sys.argv[1], name), SUPPORTED)
        if case is None:
            continue
        model, inputs, output = case
        model.opset_import[0].version = max(model.opset_import[0].version, 9)
        group = file.create_group(name[len("test_"):])
        group.create_dataset("model", data=numpy.frombuffer(model.SerializeToString(), "uint8"), track_times=False)
        for number, array in enumerate(inputs):
            write(group, f"input_{number}", array, model.graph.input[number])
        write(group, "output", output, model.graph.output[0])
