"""Trains the groundedness model and writes packages/engine/models/groundedness/model.json.

Usage: python training/groundedness/train.py <datasets> [--report]

The features come from the engine's own TypeScript (frequencies.ts, compose.ts, features.ts, run by `node`, version 24), so that
there is one implementation of them. Needs numpy. Deterministic: same data, same file. `--report` adds the figures of the card:
what the model does on a source that it was not trained on.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
MODEL = ROOT / "packages/engine/models/groundedness/model.json"
STEPS = 1500
RATE = 0.03
DECAY = 1e-4
SHARPNESS = 3.0
# Of supported answers, at a score of 0.5: a little below the 5 % that the card promises.
FALSE_ALARMS = 0.045
# Edits of one word in authored pairs are hard and few, composed rows easy and many: both would drown out the rest.
SOURCE_WEIGHT = {"begin": 1.0, "xquad_swap": 0.9, "summedits": 0.9, "authored": 0.2, "composed": 0.3}
# The threshold is set on natural answers: the other two are as hard, or as easy, as their author made them.
CALIBRATED_ON = ("begin", "summedits", "xquad_swap")
# Clues that can only lower the score; those that may do either; all others can only raise it. A model that may not turn a clue
# round to fit one source does better on the next.
LOWERS = {"longest_run", "chat", "hedge"}
LOWERS_MOST = 1.5  # Small talk does not excuse what is said beside it.
EITHER = {
    "question", "novelty", "short", "paired_script", "number_rounded", "answer_number_wanted", "answer_person_wanted", "asks",
    "inserted", "substituted", "scattered", "disorder", "unmatched_mass", "short_novelty",
}  # fmt: skip
# Contradictions are rarer in the data than in what people fear of an answer: these weigh at least this much, whatever the data says.
AT_LEAST = {"negation_flip": 0.8, "quantifier": 0.8, "unit_mismatch": 0.8}


def node(script, *args):
    command = ["node", str(HERE / script), *map(str, args)]
    return subprocess.run(command, check=True, capture_output=True, cwd=ROOT).stdout.decode()


def dump(*files):
    """Names of the features and rows; sentences that claim nothing are left out, as the engine scores them without the model."""
    lines = node("features.ts", *files).splitlines()
    names, rows = json.loads(lines[0]), [json.loads(line) for line in lines[1:]]
    at = names.index("claims_nothing")
    for row in rows:
        row["sentences"] = [s for s in row["sentences"] if s[at] == 0] or row["sentences"][:1]
    return names, [row for row in rows if row["sentences"]]


class Data:
    def __init__(self, rows):
        self.rows = rows
        self.label = np.array([row["label"] for row in rows], float)
        self.source = np.array([row["source"] for row in rows])
        self.x = np.array([s for row in rows for s in row["sentences"]])
        sizes = np.array([len(row["sentences"]) for row in rows])
        self.start = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        self.owner = np.repeat(np.arange(len(rows)), sizes)

    def only(self, keep):
        return Data([row for row, kept in zip(self.rows, keep) if kept])

    def weights(self):
        """Sources as weighted above, both labels of a source alike."""
        weight = np.zeros(len(self.rows))
        for source in set(self.source):
            for label in (0, 1):
                mask = (self.source == source) & (self.label == label)
                if mask.any():
                    weight[mask] = SOURCE_WEIGHT[source] / mask.sum()
        return weight / weight.sum()


def logits(p, data):
    """Of answers: the least supported sentence speaks for all."""
    return np.maximum.reduceat(data.x @ p["weights"] + p["bias"], data.start)


def train(data, names):
    """Logistic regression with signs fixed as above. Labels are those of answers, so a soft maximum over sentences bears the loss."""
    sign = np.array([-1 if n in LOWERS else 0 if n in EITHER else 1 for n in names] + [0])
    least = np.array([AT_LEAST.get(n, 0.0) for n in names] + [0])
    theta = np.zeros(len(sign))
    first, second = np.zeros_like(theta), np.zeros_like(theta)
    weight = data.weights()
    for step in range(1, STEPS + 1):
        by_sentence = data.x @ theta[:-1] + theta[-1]
        top = np.maximum.reduceat(by_sentence, data.start)
        share = np.exp((by_sentence - top[data.owner]) * SHARPNESS)
        share /= np.add.reduceat(share, data.start)[data.owner]
        pooled = np.add.reduceat(share * by_sentence, data.start)
        slope = (weight * (1 / (1 + np.exp(-pooled)) - data.label))[data.owner] * share
        gradient = np.append(data.x.T @ slope + DECAY * theta[:-1], slope.sum())
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient**2
        rate = RATE if step < STEPS * 0.7 else RATE / 6
        theta = theta - rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
        theta = np.where(sign > 0, np.maximum(theta, least), np.where(sign < 0, np.clip(theta, -LOWERS_MOST, 0), theta))
    return {"weights": theta[:-1], "bias": theta[-1]}


def auroc(score, label):
    values, inverse, counts = np.unique(score, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    positives = label.sum()
    return (ranks[label == 1].sum() - positives * (positives + 1) / 2) / (positives * (len(label) - positives))


def balanced(score, label, at):
    return ((score[label == 1] >= at).mean() + (score[label == 0] < at).mean()) / 2


def report(title, score, data):
    natural = np.isin(data.source, CALIBRATED_ON)
    for source in [*sorted(set(data.source)), *(["natural"] if natural.any() and len(set(data.source)) > 1 else [])]:
        mask = natural if source == "natural" else data.source == source
        s, y = score[mask], data.label[mask]
        best = max(balanced(s, y, at) for at in np.quantile(s, np.linspace(0.02, 0.98, 97)))
        print(
            f"{title:22} {source:11} n={mask.sum():5}  AUROC {auroc(s, y):.3f}  best balanced accuracy {best:.3f}  "
            f"at 0.5: {np.mean(s[y == 1] >= 0):.3f} of unsupported, {np.mean(s[y == 0] >= 0):.3f} of supported flagged"
        )


def threshold(score, data):
    """The logit above which the agreed share of supported answers lies, the sources of `CALIBRATED_ON` weighing alike."""
    mask = (data.label == 0) & np.isin(data.source, CALIBRATED_ON)
    weight, score = data.weights()[mask], score[mask]
    order = np.argsort(score)
    above = 1 - np.cumsum(weight[order]) / weight.sum()
    return score[order][np.argmax(above <= FALSE_ALARMS)]


def held_out(data, names, count=5):
    """Logits of each answer by a model that has not seen its evidence."""
    contexts = {c: i for i, c in enumerate(dict.fromkeys(row["context"] for row in data.rows))}
    fold = np.array([contexts[row["context"]] % count for row in data.rows])
    score = np.zeros(len(data.rows))
    for k in range(count):
        score[fold == k] = logits(train(data.only(fold != k), names), data.only(fold == k))
    return score


def main():
    folder = Path(sys.argv[1])
    # The code that computes features reads the file for the frequencies; the weights it needs only afterwards.
    known = json.loads(MODEL.read_text()) if MODEL.exists() else {"frequencies": "", "weights": [], "bias": 0}
    MODEL.write_text(json.dumps(known))
    frequencies = node("frequencies.ts", folder)
    MODEL.write_text(json.dumps({**known, "frequencies": frequencies}))

    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as composed:
        composed.write(node("compose.ts", folder, HERE / "pairs.jsonl"))
        composed.flush()
        names, rows = dump(folder / "groundedness/train.jsonl.gz", HERE / "pairs.jsonl", composed.name)
    data = Data(rows)
    dev = Data(dump(folder / "groundedness/dev.jsonl.gz")[1])

    p = train(data, names)
    unseen = held_out(data, names)
    at = threshold(unseen, data)
    p["bias"] -= at
    report("held out (5 folds)", unseen - at, data)
    report("dev", logits(p, dev), dev)
    if "--report" in sys.argv:
        for source in sorted(SOURCE_WEIGHT):
            rest, left_out = data.only(data.source != source), data.only(data.source == source)
            alone = train(rest, names)
            report("trained without it", logits(alone, left_out) - threshold(logits(alone, rest), rest), left_out)

    weights = {name: round(float(w), 4) for name, w in zip(names, p["weights"])}
    MODEL.write_text(json.dumps({"bias": round(float(p["bias"]), 4), "weights": weights, "frequencies": frequencies}, indent=2) + "\n")
    print("weights, the most telling first (times how much the feature varies):")
    for i in np.argsort(-np.abs(p["weights"] * data.x.std(0))):
        print(f"  {names[i]:22} {p['weights'][i]:+7.2f}  on {np.mean(data.x[:, i] != 0):.2f} of sentences")


main()
