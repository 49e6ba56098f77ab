"""ONNX Runtime for Python scripts that make reference data: it is only packaged for Node."""
import os
import subprocess
import tempfile

import numpy

VERSION = "1.30.0"


def run(model, inputs):
    """The first output of `model` for the float32 or int64 array `inputs`. ORT_HOME: see run_model.mjs."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run_model.mjs")
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "in.raw"), os.path.join(folder, "out.f32")
        kind = "int64" if inputs.dtype.kind == "i" else "float32"
        inputs.astype("<i8" if kind == "int64" else "<f4").tofile(source)
        dims = ",".join(map(str, inputs.shape))
        shape = subprocess.run(["node", script, model, source, dims, target, kind], check=True, capture_output=True, text=True).stdout
        return numpy.fromfile(target, "<f4").reshape([int(d) for d in shape.split(",")])
