"""Trains the model of secret values.

    node training/secrets/extract.ts <datasets folder> > clues.jsonl
    python training/secrets/train.py clues.jsonl packages/engine/models/secret-values

A logistic regression over the hashed features that extract.ts takes. Prints figures of five-fold cross-validation (texts of
one line, one package or one row are in one fold), then trains on all and writes weights.json and parity.json.
Needs numpy, scipy and scikit-learn.
"""

import base64
import json
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

SLOTS = 16_384
FOLDS = 5
STRENGTH = 1.0  # Inverse of the L2 penalty; 3 finds a point more on own lines, 0.1 five less.
FALSE_ALARMS = 0.018  # Share of judged look-alikes that may reach a score of 0.5; most look-alikes are never judged.
PARITY_ROWS = 300


def read(path: str) -> list[dict]:
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def matrix(rows: list[dict]) -> csr_matrix:
    indices = np.concatenate([np.array(row["slots"]) for row in rows])
    ends = np.cumsum([0] + [len(row["slots"]) for row in rows])
    return csr_matrix((np.ones(len(indices), dtype=np.float32), indices, ends), shape=(len(rows), SLOTS))


def fit(x: csr_matrix, y: np.ndarray, weights: np.ndarray) -> LogisticRegression:
    return LogisticRegression(C=STRENGTH, max_iter=2000).fit(x, y, sample_weight=weights)


def main(clues: str, folder: str) -> None:
    rows = read(clues)
    x, y = matrix(rows), np.array([row["label"] for row in rows])
    weights = np.array([row["weight"] for row in rows])
    folds = np.array([row["fold"] for row in rows])
    sources = np.array([row["source"] for row in rows])

    margins = np.zeros(len(rows))
    for fold in range(FOLDS):
        held = folds == fold
        margins[held] = fit(x[~held], y[~held], weights[~held]).decision_function(x[held])

    # Unlabelled code holds a few credentials of examples and tests: what stands out by far is not taught as a look-alike.
    unlabelled = np.isin(sources, ["packages", "benign_traffic"])
    doubtful = unlabelled & (margins > 2.5)
    keep = ~doubtful
    print(f"left out as doubtful: {doubtful.sum()} of {unlabelled.sum()} of unlabelled code")

    negatives = margins[keep & (y == 0) & np.isin(sources, ["lines", "packages", "benign_traffic", "code_lines"])]
    lines = sources == "lines"
    for share in (0.005, 0.01, 0.02, 0.05):
        limit = np.quantile(negatives, 1 - share)
        print(f"recall on own lines at {share:.1%} of judged look-alikes: {np.mean(margins[lines & (y == 1)] > limit):.3f}")
    shift = float(np.quantile(negatives, 1 - FALSE_ALARMS))
    by_source = defaultdict(list)
    for source, label, margin in zip(sources, y, margins):
        by_source[source, int(label)].append(margin > shift)
    for (source, label), hits in sorted(by_source.items()):
        print(f"{source:24} label {label}: {np.sum(hits):5} of {len(hits):5} reach 0.5 ({np.mean(hits):.3f})")
    if "--mistakes" in sys.argv:
        for i in np.argsort(-np.abs(margins - shift)):
            if sources[i] in ("lines", "packages", "benign_traffic", "code_lines") and (margins[i] > shift) != (y[i] == 1):
                print(y[i], round(margins[i] - shift, 2), sources[i], json.dumps(rows[i]["shown"], ensure_ascii=False))

    model = fit(x[keep], y[keep], weights[keep])
    coefficients = model.coef_[0]
    scale = float(np.abs(coefficients).max() / 127)
    quantised = np.round(coefficients / scale).astype(np.int8)
    bias = float(model.intercept_[0]) - shift
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    (out / "weights.json").write_text(
        json.dumps({"bias": bias, "scale": scale, "weights": base64.b64encode(quantised.tobytes()).decode()}) + "\n"
    )
    step = max(1, len(rows) // PARITY_ROWS)
    sums = x[::step] @ quantised.astype(np.float64)
    scores = 1 / (1 + np.exp(-(sums * scale + bias)))
    parity = [{"slots": row["slots"], "score": round(float(score), 6)} for row, score in zip(rows[::step], scores)]
    (out / "parity.json").write_text(json.dumps(parity, separators=(",", ":")) + "\n")


main(sys.argv[1], sys.argv[2])
