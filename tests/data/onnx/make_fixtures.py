#!/usr/bin/python3
"""Writes the small ONNX models beside this file, each with NAME.h5: an input and what ONNX Runtime makes of it.

They cover what changed between opsets 9 and 18, and each operator's attributes. The packaged onnx writes opsets up to 17; above
that the number is set by hand. Needs node, python3-h5py, python3-onnx and ORT_HOME (see ../logits/run_model.mjs).
"""
import os
import sys

import h5py
import numpy
from onnx import TensorProto, helper, numpy_helper

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "logits"))
import ort  # noqa: E402

RANDOM = numpy.random.RandomState(20)


def normal(*shape):
    return RANDOM.standard_normal(shape).astype("float32")


def fixture(name, opset, nodes, shape, constants=None, batch=3, output="y"):
    """`nodes` read "x" of [N, *shape] and make `output`; `constants` maps names to arrays."""
    initializers = [numpy_helper.from_array(numpy.asarray(value), key) for key, value in (constants or {}).items()]
    graph = helper.make_graph(nodes, name, [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", *shape])],
                              [helper.make_tensor_value_info(output, TensorProto.FLOAT, None)], initializers)
    model = helper.make_model(graph, producer_name="make_fixtures.py", opset_imports=[helper.make_opsetid("", opset)], ir_version=7)
    path = os.path.join(HERE, name + ".onnx")
    with open(path, "wb") as file:
        file.write(model.SerializeToString())
    inputs = normal(batch, *shape)
    with h5py.File(os.path.join(HERE, name + ".h5"), "w") as file:
        file.create_dataset("x", data=inputs, track_times=False)
        file.create_dataset("y", data=ort.run(path, inputs), track_times=False)
        file.attrs["source"] = f"onnxruntime-node {ort.VERSION}, one thread, no graph optimisation"


def one(name, opset, op, shape, constants=None, inputs=("x",), **attributes):
    """A model of a single node."""
    fixture(name, opset, [helper.make_node(op, list(inputs), ["y"], name="node", **attributes)], shape, constants)


def pointwise():
    for opset in (9, 13, 18):
        for op in ("Relu", "Sigmoid", "Tanh"):
            one(f"{op.lower()}_{opset}", opset, op, [40])
    one("leakyrelu_9", 9, "LeakyRelu", [40])
    one("leakyrelu_16", 16, "LeakyRelu", [40], alpha=0.25)
    one("hardsigmoid_9", 9, "HardSigmoid", [40])
    one("hardsigmoid_18", 18, "HardSigmoid", [40], alpha=0.4, beta=0.3)
    one("hardswish_14", 14, "HardSwish", [40])
    one("clip_9", 9, "Clip", [40], min=-0.5, max=0.75)
    one("clip_9_low_only", 9, "Clip", [40], min=-0.5)
    bounds = {"low": numpy.float32(-0.5), "high": numpy.float32(0.75)}
    for opset in (11, 12, 13, 18):
        one(f"clip_{opset}", opset, "Clip", [40], bounds, ("x", "low", "high"))
    one("clip_13_high_only", 13, "Clip", [40], {"high": numpy.float32(0.75)}, ("x", "", "high"))
    nodes = [helper.make_node("Sigmoid", ["x"], ["s"], name="gate"), helper.make_node("Mul", ["s", "x"], ["y"], name="product")]
    fixture("silu_13", 13, nodes, [40])


def arithmetic():
    channel = {"c": normal(4, 1, 1)}
    for opset in (9, 13, 14, 18):
        one(f"add_{opset}", opset, "Add", [4, 3, 5], channel, ("x", "c"))
    one("mul_7d", 13, "Mul", [4, 1, 5], {"c": normal(1, 4, 3, 1)}, ("c", "x"))
    one("sub_constant_first", 13, "Sub", [4, 3, 5], {"c": normal(5)}, ("c", "x"))
    one("div_constant", 13, "Div", [4, 3, 5], {"c": numpy.float32(3)}, ("x", "c"))
    one("add_itself", 13, "Add", [7], None, ("x", "x"))
    nodes = [helper.make_node("GlobalAveragePool", ["x"], ["p"]), helper.make_node("Mul", ["p", "x"], ["m"]),
             helper.make_node("Sub", ["m", "p"], ["y"])]
    fixture("broadcast_channels", 13, nodes, [4, 3, 5])


def matrices():
    one("gemm_9", 9, "Gemm", [6], {"w": normal(6, 4), "b": normal(4)}, ("x", "w", "b"), alpha=0.5, beta=2.0)
    one("gemm_11_without_bias", 11, "Gemm", [6], {"w": normal(4, 6)}, ("x", "w"), transB=1)
    one("gemm_13_scalar_bias", 13, "Gemm", [6], {"w": normal(4, 6), "b": normal(1)}, ("x", "w", "b"), transB=1)
    one("gemm_18_row_bias", 18, "Gemm", [6], {"w": normal(4, 6), "b": normal(1, 4)}, ("x", "w", "b"), transB=1)
    one("matmul_13", 13, "MatMul", [6], {"w": normal(6, 4)}, ("x", "w"))
    one("matmul_rank4", 13, "MatMul", [2, 3, 6], {"w": normal(6, 4)}, ("x", "w"))
    nodes = [helper.make_node("MatMul", ["x", "w"], ["m"]), helper.make_node("Add", ["b", "m"], ["y"])]
    fixture("matmul_add", 13, nodes, [3, 6], {"w": normal(6, 4), "b": normal(4)})
    nodes = [helper.make_node("Transpose", ["w"], ["t"], perm=[1, 0]), helper.make_node("MatMul", ["x", "t"], ["y"])]
    fixture("matmul_transposed_constant", 13, nodes, [6], {"w": normal(4, 6)})


def convolutions():
    def conv(name, opset, shape, weights, bias=True, **attributes):
        constants = {"w": normal(*weights)}
        if bias:
            constants["b"] = normal(weights[0])
        one("conv_" + name, opset, "Conv", shape, constants, ("x", "w", "b") if bias else ("x", "w"), **attributes)

    conv("plain", 9, [3, 7, 6], (4, 3, 3, 3), bias=False)
    conv("strides_pads", 11, [3, 9, 8], (4, 3, 3, 3), strides=[2, 3], pads=[1, 0, 2, 1])
    conv("dilations", 13, [2, 11, 10], (3, 2, 3, 2), dilations=[2, 3], pads=[2, 3, 2, 3])
    conv("groups", 13, [6, 5, 5], (4, 3, 3, 3), group=2, pads=[1, 1, 1, 1])
    conv("depthwise", 18, [5, 6, 6], (5, 1, 3, 3), group=5, pads=[1, 1, 1, 1], strides=[2, 2])
    conv("depthwise_multiplier", 13, [3, 6, 6], (6, 1, 3, 3), group=3)
    conv("pointwise", 13, [20, 6, 7], (18, 20, 1, 1))
    conv("pointwise_strided", 13, [5, 7, 7], (4, 5, 1, 1), strides=[2, 2])
    conv("wide_kernel", 13, [2, 9, 9], (3, 2, 5, 7), pads=[2, 3, 2, 3])
    conv("kernel_5", 13, [2, 9, 9], (3, 2, 5, 5), kernel_shape=[5, 5])
    for mode in ("SAME_UPPER", "SAME_LOWER", "VALID"):
        conv(mode.lower(), 13, [2, 8, 7], (3, 2, 4, 2), auto_pad=mode, strides=[3, 2])


def pools():
    shape = [3, 8, 7]
    one("maxpool_9", 9, "MaxPool", shape, kernel_shape=[2, 2], strides=[2, 2])
    one("maxpool_10_ceil_dilations", 10, "MaxPool", shape, kernel_shape=[3, 2], strides=[2, 2], ceil_mode=1, dilations=[2, 1])
    one("maxpool_12_pads", 12, "MaxPool", shape, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    one("maxpool_18_same", 18, "MaxPool", shape, kernel_shape=[3, 3], strides=[2, 2], auto_pad="SAME_UPPER")
    one("averagepool_9", 9, "AveragePool", shape, kernel_shape=[2, 3])
    one("averagepool_10_ceil", 10, "AveragePool", shape, kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1)
    one("averagepool_11_pads", 11, "AveragePool", shape, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    one("averagepool_11_count_pads", 11, "AveragePool", shape, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1], count_include_pad=1)
    one("averagepool_11_count_pads_ceil", 11, "AveragePool", shape, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 0, 1, 0],
        count_include_pad=1, ceil_mode=1)
    one("averagepool_11_ceil_pads", 11, "AveragePool", [1, 6, 6], kernel_shape=[2, 2], strides=[3, 3], pads=[1, 1, 1, 1], ceil_mode=1)
    one("averagepool_18_same_lower", 18, "AveragePool", shape, kernel_shape=[2, 2], auto_pad="SAME_LOWER")
    one("globalaveragepool_9", 9, "GlobalAveragePool", shape)


def normalizations():
    def statistics():
        return {"g": normal(4), "b": normal(4), "m": normal(4), "v": numpy.abs(normal(4)) + 0.1}

    names = ("x", "g", "b", "m", "v")
    one("batchnorm_9", 9, "BatchNormalization", [4, 3, 2], statistics(), names, epsilon=0.01, momentum=0.8)
    one("batchnorm_14", 14, "BatchNormalization", [4], statistics(), names, training_mode=0)
    one("batchnorm_15", 15, "BatchNormalization", [4, 5], statistics(), names)
    for name, weights, attributes in (("conv", (4, 3, 3, 3), {}), ("depthwise", (4, 1, 3, 3), {"group": 4})):
        nodes = [helper.make_node("Conv", ["x", "w", "c"], ["h"], name="conv", **attributes),
                 helper.make_node("BatchNormalization", ["h", "g", "b", "m", "v"], ["y"], name="norm")]
        channels = weights[1] * attributes.get("group", 1)
        fixture(f"batchnorm_after_{name}", 15, nodes, [channels, 5, 5], {"w": normal(*weights), "c": normal(4), **statistics()})
    nodes = [helper.make_node("Gemm", ["x", "w"], ["h"], name="gemm"),
             helper.make_node("BatchNormalization", ["h", "g", "b", "m", "v"], ["y"], name="norm")]
    fixture("batchnorm_after_gemm", 13, nodes, [6], {"w": normal(6, 4), **statistics()})
    nodes = [helper.make_node("Conv", ["x", "w"], ["h"], name="conv"),
             helper.make_node("BatchNormalization", ["h", "g", "b", "m", "v"], ["n"], name="norm"),
             helper.make_node("Add", ["h", "n"], ["y"], name="both")]
    fixture("batchnorm_beside_reader", 13, nodes, [3, 5, 5], {"w": normal(4, 3, 1, 1), **statistics()})


def softmaxes():
    for opset in (9, 11, 12, 13, 18):
        one(f"softmax_{opset}", opset, "Softmax", [3, 4, 2])
    one("softmax_12_axis_2", 12, "Softmax", [3, 4, 2], axis=2)
    one("softmax_13_axis_2", 13, "Softmax", [3, 4, 2], axis=2)
    one("softmax_13_axis_minus_3", 13, "Softmax", [3, 4, 2], axis=-3)


def shapes():
    one("flatten_9", 9, "Flatten", [3, 4, 2])
    one("flatten_11_negative", 11, "Flatten", [3, 4, 2], axis=-3)
    for opset in (9, 13, 18):
        one(f"reshape_{opset}", opset, "Reshape", [3, 4, 2], {"s": numpy.array([0, -1, 3], "int64")}, ("x", "s"))
    one("reshape_14_allowzero", 14, "Reshape", [3, 4, 2], {"s": numpy.array([-1, 6, 4], "int64")}, ("x", "s"), allowzero=1)
    one("reshape_13_all", 13, "Reshape", [3, 4, 2], {"s": numpy.array([-1, 24], "int64")}, ("x", "s"))
    one("squeeze_9", 9, "Squeeze", [1, 4, 1], axes=[1, 3])
    one("squeeze_11_negative", 11, "Squeeze", [1, 4, 1], axes=[-1])
    one("squeeze_13", 13, "Squeeze", [1, 4, 1], {"a": numpy.array([1], "int64")}, ("x", "a"))
    one("squeeze_13_all", 13, "Squeeze", [1, 4, 1])
    one("unsqueeze_9", 9, "Unsqueeze", [4], axes=[1, 3])
    one("unsqueeze_13", 13, "Unsqueeze", [4], {"a": numpy.array([-1, 1], "int64")}, ("x", "a"))
    one("transpose_9", 9, "Transpose", [3, 4, 2], perm=[0, 3, 1, 2])
    one("transpose_18", 18, "Transpose", [3, 4, 2], perm=[0, 2, 1, 3])
    one("identity_16", 16, "Identity", [5])
    one("dropout_9", 9, "Dropout", [5], ratio=0.3)
    one("dropout_12", 12, "Dropout", [5], {"r": numpy.float32(0.3)}, ("x", "r"))
    one("dropout_13_mode", 13, "Dropout", [5], {"r": numpy.float32(0.3), "t": numpy.array(False)}, ("x", "r", "t"))


def constants():
    def nodes(**value):
        return [helper.make_node("Constant", [], ["c"], **value), helper.make_node("Add", ["x", "c"], ["y"])]

    fixture("constant_9", 9, nodes(value=numpy_helper.from_array(normal(5), "c")), [5])
    fixture("constant_12_float", 12, nodes(value_float=0.5), [5])
    fixture("constant_12_floats", 12, nodes(value_floats=[0.5, 1, 2, 3, 4.0]), [5])
    field = helper.make_tensor("c", TensorProto.FLOAT, [5], [0.5, 1, 2, 3, 4.0])
    fixture("constant_float_data", 13, nodes(value=field), [5])
    fixed = [helper.make_node("Constant", [], ["s"], value_ints=[-1, 6]), helper.make_node("Reshape", ["x", "s"], ["y"])]
    fixture("constant_12_ints", 12, fixed, [2, 3])
    folded = [helper.make_node("Mul", ["c", "d"], ["e"]), helper.make_node("Identity", ["e"], ["f"]),
              helper.make_node("Add", ["x", "f"], ["y"])]
    fixture("constant_folded", 13, folded, [5], {"c": normal(5), "d": normal(1)})


for make in (pointwise, arithmetic, matrices, convolutions, pools, normalizations, softmaxes, shapes, constants):
    make()
