#!/usr/bin/env python3
"""Writes the arrays in this folder with NumPy: /usr/bin/python3 hw/files/testdata/make.py

Made with Debian's NumPy 1.24.2. All numbers are exact in binary.

log.npz            a log of 5 rows as labs save it: t, q and tau of two joints (tau in Fortran's order),
                   and what is no column of that table: a rate, names, three rows of another array.
log_deflated.npz   the same by np.savez_compressed.
plain.npy          5 × 3 numbers, 10 i + j.
big_endian.npy     the same, as big-endian 32-bit floats.
fortran.npy        the same, in Fortran's order.
half.npy           the same, as 16-bit floats.
version_2.npy      the same, in version 2.0 of the format.
records.npy        5 structures: a time in ms, aligned; positions of two joints; a structure in it; text.
version_3.npy      3 structures with a field "θ", which needs version 3.0.
dictionary.npy     np.save of a dictionary, which is pickled.
dates.npy          5 dates of nanoseconds.
"""

from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def save(name, array, version=None):
    with open(HERE / name, "wb") as file:
        np.lib.format.write_array(file, array, version=version)


def main():
    i = np.arange(5.0)
    t = 0.125 * i
    q = np.stack([i + 0.5, -i], axis=1)
    tau = np.asfortranarray(np.stack([100 * i, 100 * i + 0.25], axis=1))
    arrays = {"t": t, "q": q.astype(np.float32), "tau": tau, "rate_hz": np.float64(8),
              "names": np.array(["shoulder", "elbow"]), "grip": np.array([1, 0, 1], dtype=bool)}
    np.savez(HERE / "log.npz", **arrays)
    np.savez_compressed(HERE / "log_deflated.npz", **arrays)

    plain = 10 * i[:, None] + np.arange(3.0)
    save("plain.npy", plain)
    save("big_endian.npy", plain.astype(">f4"))
    save("fortran.npy", np.asfortranarray(plain))
    save("half.npy", plain.astype(np.float16))
    save("version_2.npy", plain, (2, 0))

    pose = np.dtype([("x", "<i2"), ("y", ">i4")])
    kind = np.dtype([("mode", "i1"), ("t_ms", "u8"), ("q", "f8", (2,)), ("pose", pose), ("state", "U4")],
                    align=True)
    records = np.zeros(5, kind)
    records["mode"], records["t_ms"], records["q"] = -i, 125 * i, q
    records["pose"]["x"], records["pose"]["y"], records["state"] = -i, 70000 * i, "idle"
    save("records.npy", records)
    save("version_3.npy", np.array([(0.5,), (1.5,), (2.5,)], dtype=[("θ", "f8")]), (3, 0))
    np.save(HERE / "dictionary.npy", {"t": t, "q": q}, allow_pickle=True)
    save("dates.npy", np.datetime64("2026-11-26", "ns") + (t * 1e9).astype("timedelta64[ns]"))


if __name__ == "__main__":
    main()
