"""Runs detectors of River over streams of numbers that arrive on standard input.

A job is the length of its header (4 bytes, little-endian), the header (JSON) and `count` numbers (64-bit floats, little-endian):

    {"count": 40000, "first_from": 20000 | null,
     "detectors": [{"name": "ADWIN", "class": "ADWIN", "options": {"delta": 0.002}, "limit": 40000 | null}]}

The answer is one line of JSON: for each name `alarms`, the indices at which it found drift, and `seconds` of the processor. With `first_from` a
detector ends at its first alarm at or after that index; with `limit` it sees so many numbers at most. A job of `{"datasets": true}` is answered with
the folder of River's data sets and its version.
"""

import array
import json
import os
import struct
import sys
import time


def run(detector, values, first_from):
    alarms = []
    update = detector.update
    started = time.process_time()
    for index, value in enumerate(values):
        update(value)
        if detector.drift_detected:
            alarms.append(index)
            if first_from is not None and index >= first_from:
                break
    return {"alarms": alarms, "seconds": time.process_time() - started}


def answer(job, values):
    from river import drift

    answers = {}
    for wanted in job["detectors"]:
        detector = getattr(drift, wanted["class"])(**wanted["options"])
        limit = wanted.get("limit")
        seen = values if limit is None else values[:limit]
        answers[wanted["name"]] = run(detector, seen, job["first_from"])
    return answers


def about():
    import river
    from river import datasets

    return {"version": river.__version__, "folder": os.path.dirname(datasets.__file__)}


def main():
    source = sys.stdin.buffer
    while len(length := source.read(4)) == 4:
        job = json.loads(source.read(struct.unpack("<I", length)[0]))
        if job.get("datasets"):
            print(json.dumps(about()), flush=True)
            continue
        values = array.array("d")
        values.frombytes(source.read(8 * job["count"]))
        if sys.byteorder == "big":
            values.byteswap()
        print(json.dumps(answer(job, values)), flush=True)


main()
