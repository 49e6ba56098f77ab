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


def elementary():
    for op, opset in (("Abs", 9), ("Cos", 9), ("Cosh", 9), ("Erf", 9), ("Exp", 13), ("Neg", 13), ("Sin", 9), ("Softplus", 9), ("Elu", 9)):
        one(f"{op.lower()}_{opset}", opset, op, [40])
    one("elu_18", 18, "Elu", [40], alpha=0.7)
    one("mish_18", 18, "Mish", [40])
    one("prelu_9_one_slope", 9, "PRelu", [4, 5], {"s": numpy.array([0.3], "float32")}, ("x", "s"))
    one("prelu_16", 16, "PRelu", [4, 5, 3], {"s": numpy.array([0.1, -0.2, 0.3, 0.4], "float32").reshape(4, 1, 1)}, ("x", "s"))
    for op in ("Log", "Sqrt", "Reciprocal"):
        nodes = [helper.make_node("Abs", ["x"], ["a"]), helper.make_node("Add", ["a", "c"], ["b"]), helper.make_node(op, ["b"], ["y"])]
        fixture(f"{op.lower()}_13", 13, nodes, [40], {"c": numpy.float32(0.1)})
    for opset in (12, 13):
        nodes = [helper.make_node("Abs", ["x"], ["a"]), helper.make_node("Pow", ["a", "e"], ["y"])]
        fixture(f"pow_{opset}", opset, nodes, [40], {"e": numpy.float32(1.7)})
    one("pow_13_square", 13, "Pow", [40], {"e": numpy.float32(2)}, ("x", "e"))
    one("pow_15_integer_exponent", 15, "Pow", [40], {"e": numpy.int64(3)}, ("x", "e"))
    for op in ("Min", "Max"):
        one(f"{op.lower()}_13", 13, op, [4, 5], {"c": normal(5), "d": normal(1)}, ("x", "c", "d"))
    nodes = [helper.make_node("Abs", ["x"], ["a"]), helper.make_node("Add", ["a", "c"], ["b"]), helper.make_node("Div", ["x", "b"], ["y"])]
    fixture("div_computed", 13, nodes, [7], {"c": numpy.float32(1)})


def choices():
    for op, opset in (("Greater", 13), ("GreaterOrEqual", 16), ("Less", 13), ("LessOrEqual", 12), ("Equal", 13)):
        nodes = [helper.make_node("Mul", ["x", "two"], ["t"]), helper.make_node("Cast", ["t"], ["i"], to=TensorProto.INT32),
                 helper.make_node("Cast", ["i"], ["r"], to=TensorProto.FLOAT), helper.make_node(op, ["r", "zero"], ["b"]),
                 helper.make_node("Where", ["b", "x", "other"], ["y"])]
        fixture(f"{op.lower()}_{opset}", opset, nodes, [4, 5], {"two": numpy.float32(2), "zero": numpy.float32(0), "other": normal(5)})
    nodes = [helper.make_node("Cast", ["x"], ["b"], to=TensorProto.BOOL), helper.make_node("Cast", ["b"], ["y"], to=TensorProto.FLOAT)]
    fixture("cast_bool", 13, nodes, [5])
    one("where_constant_mask", 13, "Where", [3, 3], {"m": numpy.tril(numpy.ones((3, 3), bool)), "o": numpy.float32(-1e9)}, ("m", "x", "o"))


def reductions():
    for op in ("ReduceMean", "ReduceL2", "ReduceMax", "ReduceMin", "ReduceSumSquare"):
        one(f"{op.lower()}_13", 13, op, [3, 4, 2], axes=[1, -1])
        one(f"{op.lower()}_18", 18, op, [3, 4, 2], {"a": numpy.array([2], "int64")}, ("x", "a"), keepdims=0)
    one("reducesum_11", 11, "ReduceSum", [3, 4, 2], axes=[2], keepdims=0)
    one("reducesum_13", 13, "ReduceSum", [3, 4, 2], {"a": numpy.array([-2, -1], "int64")}, ("x", "a"))
    one("reducesum_13_nothing", 13, "ReduceSum", [3, 4], noop_with_empty_axes=1)


def attention():
    """Products of computed matrices, with broadcasting; a constant on the left; embedding of the number of a sample's largest element."""
    nodes = [helper.make_node("Transpose", ["x"], ["t"], perm=[0, 1, 3, 2]), helper.make_node("MatMul", ["x", "t"], ["s"]),
             helper.make_node("Softmax", ["s"], ["p"], axis=-1), helper.make_node("MatMul", ["p", "x"], ["y"])]
    fixture("matmul_computed", 13, nodes, [2, 5, 3])
    one("matmul_constant_first", 13, "MatMul", [5, 3], {"c": normal(4, 5)}, ("c", "x"))
    one("matmul_stack_of_constants", 13, "MatMul", [2, 4, 3], {"c": normal(2, 3, 5)}, ("x", "c"))
    one("gather_13_negative", 13, "Gather", [4, 5], {"i": numpy.array([[0, -1], [2, 1]], "int64")}, ("x", "i"), axis=2)
    one("gather_9_one", 9, "Gather", [4, 5], {"i": numpy.int64(-1)}, ("x", "i"), axis=1)
    nodes = [helper.make_node("Clip", ["x", "low", "high"], ["c"]), helper.make_node("Cast", ["c"], ["i"], to=TensorProto.INT64),
             helper.make_node("Gather", ["table", "i"], ["y"])]
    fixture("gather_embedding", 13, nodes, [6], {"low": numpy.float32(-2), "high": numpy.float32(2.9), "table": normal(3, 4)})


def parts():
    one("slice_9", 9, "Slice", [4, 5], starts=[1, -3], ends=[3, 100], axes=[1, 2])
    one("slice_13_steps", 13, "Slice", [6, 5], {"s": numpy.array([4, 0], "int64"), "e": numpy.array([-100, 2**63 - 1], "int64"),
                                                "a": numpy.array([1, 0], "int64"), "t": numpy.array([-2, 1], "int64")}, ("x", "s", "e", "a", "t"))
    one("slice_10_forwards", 10, "Slice", [6, 5], {"s": numpy.array([1], "int64"), "e": numpy.array([-1], "int64"),
                                                   "a": numpy.array([-1], "int64"), "t": numpy.array([2], "int64")}, ("x", "s", "e", "a", "t"))
    for opset, extra in ((11, {"split": [1, 3]}), (13, {})):
        inputs, constants = ["x"], {}
        if opset == 13:
            inputs, constants = ["x", "s"], {"s": numpy.array([1, 3], "int64")}
        nodes = [helper.make_node("Split", inputs, ["a", "b"], axis=1, **extra), helper.make_node("Mul", ["b", "a"], ["y"])]
        fixture(f"split_{opset}", opset, nodes, [4, 5], constants)
    nodes = [helper.make_node("Split", ["x"], ["a", "b"], axis=-1), helper.make_node("Concat", ["b", "a", "b"], ["y"], axis=-1)]
    fixture("split_even_concat_13", 13, nodes, [3, 6])
    nodes = [helper.make_node("Shape", ["x"], ["s"]), helper.make_node("Gather", ["s", "zero"], ["n"], axis=0),
             helper.make_node("Concat", ["n", "rest"], ["target"], axis=0), helper.make_node("Expand", ["token", "target"], ["t"]),
             helper.make_node("Concat", ["t", "x"], ["y"], axis=1)]
    fixture("concat_token_of_all_samples", 13, nodes, [4, 3], {"zero": numpy.array([0], "int64"), "rest": numpy.array([1, 3], "int64"),
                                                               "token": normal(1, 1, 3)})
    one("expand_13", 13, "Expand", [1, 3], {"s": numpy.array([1, 4, 1], "int64")}, ("x", "s"))
    one("pad_9_reflect", 9, "Pad", [3, 5], mode="reflect", pads=[0, 0, 2, 0, 0, 1])
    one("pad_13_constant", 13, "Pad", [3, 5], {"p": numpy.array([0, 1, 0, 0, 0, 2], "int64"), "v": numpy.float32(0.25)}, ("x", "p", "v"))
    one("pad_18_edge_axes", 18, "Pad", [3, 5], {"p": numpy.array([2, 1], "int64"), "a": numpy.array([2], "int64")}, ("x", "p", "", "a"), mode="edge")


def sizes():
    """What exporters compute from shapes with a free batch."""
    nodes = [helper.make_node("Shape", ["x"], ["s"]), helper.make_node("Gather", ["s", "zero"], ["n"]),
             helper.make_node("Unsqueeze", ["n", "axis"], ["u"]), helper.make_node("Mul", ["u", "two"], ["m"]),
             helper.make_node("Concat", ["m", "rest"], ["t"], axis=0), helper.make_node("Reshape", ["x", "t"], ["r"]),
             helper.make_node("Div", ["m", "two"], ["h"]), helper.make_node("Concat", ["h", "rest6"], ["b"], axis=0),
             helper.make_node("Reshape", ["r", "b"], ["y"])]
    ints = {"zero": 0, "axis": [0], "two": [2], "rest": [3], "rest6": [6]}
    fixture("shape_13_batch", 13, nodes, [6], {k: numpy.array(v, "int64") for k, v in ints.items()})
    one_shape = [helper.make_node("Shape", ["x"], ["s"], start=1), helper.make_node("ConstantOfShape", ["s"], ["c"], value=numpy_helper.from_array(normal(1))),
                 helper.make_node("Add", ["x", "c"], ["y"])]
    fixture("constantofshape_15", 15, one_shape, [4, 3])
    nodes = [helper.make_node("Shape", ["x"], ["s"]), helper.make_node("ConstantOfShape", ["s"], ["c"]), helper.make_node("Add", ["x", "c"], ["y"])]
    fixture("constantofshape_9_zeros", 9, nodes, [4, 3])
    ints = {"start": numpy.int64(1), "limit": numpy.int64(8), "delta": numpy.int64(2)}
    nodes = [helper.make_node("Range", ["start", "limit", "delta"], ["r"]), helper.make_node("Cast", ["r"], ["f"], to=TensorProto.FLOAT),
             helper.make_node("Mul", ["x", "f"], ["y"])]
    fixture("range_13", 13, nodes, [3, 4], ints)
    nodes = [helper.make_node("ConstantOfShape", ["shape"], ["o"], value=numpy_helper.from_array(numpy.array([-1e4], "float32"))),
             helper.make_node("Trilu", ["o", "one"], ["m"], upper=1), helper.make_node("Add", ["x", "m"], ["s"]), helper.make_node("Softmax", ["s"], ["y"], axis=-1)]
    fixture("trilu_14_causal_mask", 14, nodes, [4, 4], {"shape": numpy.array([4, 4], "int64"), "one": numpy.int64(1)})
    lower = [helper.make_node("Trilu", ["c"], ["m"], upper=0), helper.make_node("Mul", ["x", "m"], ["y"])]
    fixture("trilu_16_lower", 16, lower, [3, 4], {"c": normal(3, 4)})


def recurrent():
    def layer(name, op, gates, opset=14, directions=1, batch_first=False, inputs=("X", "W", "R", "B"), output=0, extra=None, hidden=4, **attributes):
        """x of [N, 5, 3] through a layer; its output with the batch in front again."""
        constants = {"W": normal(directions, gates * hidden, 3), "R": normal(directions, gates * hidden, hidden),
                     "B": normal(directions, 2 * gates * hidden), **(extra or {})}
        constants = {k: v for k, v in constants.items() if k in inputs}
        nodes = [helper.make_node("Transpose", ["x"], ["X"], perm=[1, 0, 2])]
        if batch_first:
            nodes, inputs = [], ["x" if i == "X" else i for i in inputs]
            attributes["layout"] = 1
        outputs = ["Y", "Yh", "Yc"][:3 if op == "LSTM" else 2]
        nodes.append(helper.make_node(op, list(inputs), outputs, name="layer", hidden_size=hidden, **attributes))
        order = [2, 0, 1, 3] if output == 0 else [1, 0, 2]
        if batch_first:
            nodes.append(helper.make_node("Identity", [outputs[output]], ["y"]))
        else:
            nodes.append(helper.make_node("Transpose", [outputs[output]], ["y"], perm=order))
        fixture(name, opset, nodes, [5, 3], constants)

    for op, gates in (("LSTM", 4), ("GRU", 3), ("RNN", 1)):
        low = op.lower()
        layer(f"{low}_9_forward", op, gates, opset=9)
        layer(f"{low}_14_reverse", op, gates, direction="reverse")
        layer(f"{low}_14_bidirectional", op, gates, directions=2, direction="bidirectional")
        layer(f"{low}_14_last_state", op, gates, directions=2, direction="bidirectional", output=1)
        layer(f"{low}_14_clip", op, gates, clip=0.9)
        layer(f"{low}_without_bias", op, gates, inputs=("X", "W", "R"))
        layer(f"{low}_initial_state", op, gates, inputs=("X", "W", "R", "B", "", "h") if op != "LSTM" else ("X", "W", "R", "B", "", "h", "c"),
              extra={"h": numpy.repeat(normal(1, 1, 4), 3, 1), "c": numpy.repeat(normal(1, 1, 4), 3, 1)})
        layer(f"{low}_lengths", op, gates, directions=2, direction="bidirectional", inputs=("X", "W", "R", "B", "lengths"),
              extra={"lengths": numpy.array([2, 5, 3], "int32")})
    layer("lstm_14_last_cell", "LSTM", 4, output=2)
    layer("lstm_peepholes", "LSTM", 4, inputs=("X", "W", "R", "B", "", "", "", "P"), extra={"P": normal(1, 12)})
    layer("lstm_input_forget", "LSTM", 4, input_forget=1)
    layer("lstm_activations", "LSTM", 4, activations=["HardSigmoid", "Relu", "Elu"], activation_alpha=[0.3, 0.8], activation_beta=[0.4])
    layer("gru_reset_after", "GRU", 3, linear_before_reset=1)
    layer("gru_reset_after_bidirectional", "GRU", 3, directions=2, direction="bidirectional", linear_before_reset=1)
    layer("rnn_relu", "RNN", 1, activations=["Relu"])


def lines():
    """Signals of one dimension."""
    one("conv_1d", 13, "Conv", [3, 9], {"w": normal(4, 3, 3), "b": normal(4)}, ("x", "w", "b"), pads=[1, 2], strides=[2], dilations=[2])
    one("conv_1d_depthwise", 13, "Conv", [3, 9], {"w": normal(3, 1, 4)}, ("x", "w"), pads=[3, 0], group=3)
    one("maxpool_1d", 13, "MaxPool", [3, 9], kernel_shape=[2], strides=[2])
    one("averagepool_1d", 13, "AveragePool", [3, 9], kernel_shape=[3], strides=[2], pads=[1, 1])


def norms():
    names = ("x", "g", "b")
    one("layernormalization_17", 17, "LayerNormalization", [4, 6], {"g": normal(6), "b": normal(6)}, names)
    one("layernormalization_17_axis", 17, "LayerNormalization", [4, 6], {"g": normal(4, 6)}, names[:2], axis=1, epsilon=0.01)


def branches():
    """Graphs inside of nodes, with numbers of their own so that those above stay as they are."""
    global RANDOM
    RANDOM = numpy.random.RandomState(21)
    value = helper.make_tensor_value_info

    def branch(name, nodes, output, inputs=()):
        graph_outputs = [value(o, kind, shape) for o, kind, shape in output]
        return helper.make_graph(nodes, name, [value(i, kind, shape) for i, kind, shape in inputs], graph_outputs)

    yes = branch("yes", [helper.make_node("Mul", ["h", "w"], ["t"])], [("t", TensorProto.FLOAT, None)])
    no = branch("no", [helper.make_node("Sub", ["h", "w"], ["e"])], [("e", TensorProto.FLOAT, None)])
    rank = [helper.make_node("Relu", ["x"], ["h"]), helper.make_node("Shape", ["h"], ["s"]), helper.make_node("Gather", ["s", "one"], ["d"]),
            helper.make_node("Equal", ["d", "three"], ["c"]), helper.make_node("If", ["c"], ["y"], then_branch=yes, else_branch=no)]
    for name, size in (("if_13_then", 3), ("if_13_else", 4)):
        fixture(name, 13, rank, [size], {"w": normal(size), "one": numpy.array(1), "three": numpy.array(3)})
    turn = [helper.make_node("Mul", ["h", "w"], ["p"]), helper.make_node("Add", ["p", "x"], ["n"]), helper.make_node("Identity", ["go"], ["on"])]
    body = branch("body", turn, [("on", TensorProto.BOOL, []), ("n", TensorProto.FLOAT, None), ("p", TensorProto.FLOAT, None)],
                  [("i", TensorProto.INT64, []), ("go", TensorProto.BOOL, []), ("h", TensorProto.FLOAT, None)])
    for name, outputs in (("loop_11_carried", ["y", "all"]), ("loop_13_stacked", ["last", "all"])):
        nodes = [helper.make_node("Loop", ["turns", "yes", "x"], outputs, body=body)]
        if "y" not in outputs:
            nodes.append(helper.make_node("Transpose", ["all"], ["y"], perm=[1, 0, 2]))
        fixture(name, int(name.split("_")[1]), nodes, [3], {"w": normal(3), "turns": numpy.array(3), "yes": numpy.array(True)})


for make in (pointwise, arithmetic, matrices, convolutions, pools, normalizations, softmaxes, shapes, constants, elementary, choices,
             reductions, attention, parts, sizes, recurrent, lines, norms, branches):
    make()
