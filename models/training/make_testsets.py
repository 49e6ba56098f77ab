"""Writes the test sets as HDF5 (images uint8 [10000, 28, 28], labels uint8 [10000]): python3 make_testsets.py [--out FOLDER]"""
import argparse
import os

import h5py

import common

LICENCES = {
    "mnist": "CC BY-SA 3.0 (as stated by the Keras documentation)",
    "fashion": "MIT/Expat, Zalando SE",
}


def write_testset(name, path):
    images, labels = common.read_split(name, "test")
    with h5py.File(path, "w") as f:
        f.create_dataset("images", data=images, compression="gzip", compression_opts=9, chunks=(500, 28, 28))
        f.create_dataset("labels", data=labels)
        f.attrs["license"] = LICENCES[name]
        f.attrs["scaling"] = "x/255"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default=common.DEFAULT_OUT)
    out = parser.parse_args().out
    os.makedirs(out, exist_ok=True)
    for name in LICENCES:
        path = os.path.join(out, f"{name}_test.h5")
        write_testset(name, path)
        print(f"wrote {path}, {os.path.getsize(path)} bytes")


if __name__ == "__main__":
    main()
