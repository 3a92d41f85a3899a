"""Trains the tagger of names and writes its model: `python training/pii/train.py --datasets <folder>`.

With `--leave-out <source>` it learns without that source and prints how well it does on it; nothing is written then unless
`--out` is given. Everything random hangs on `--seed`: the same folder and seed give the same bytes.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import sparse

import data
import lexicon as lx
import model
import tokens as tk
from crf import Crf
from pools import Filler, make_pools

HERE = Path(__file__).parent
MODEL = HERE.parent.parent / "packages/engine/models/pii-names"
WEIGHTS = {"btc": 1.0, "wikigold": 1.5, "presidio_generated": 1.0, "composed_pii": 0.25, "template": 0.7, "clean": 2.0, "traffic": 0.6}
RENAMED, RENAMED_TIMES, RENAMED_WEIGHT = ("btc", "wikigold", "presidio_generated"), 3, 0.3
TRAFFIC_ROWS, TRAFFIC_CHARS = 5_000, 900
ROUNDS, DECAY = 10, 1e-2
SURE = 0.93
WORD_FEATURES = [0, 1, 6, 7, 25, 26]


@dataclass
class Matrix:
    """Candidate tokens of some rows: `x` features, `gold` labels, `allowed` labels, `chains`, and where they stand."""

    x: sparse.csr_matrix
    gold: np.ndarray
    allowed: np.ndarray
    chains: np.ndarray
    weight: np.ndarray
    row_of: np.ndarray
    token_of: np.ndarray


class Prepared:
    """Rows as a corpus, with the offsets of each row's tokens."""

    def __init__(self, rows: list[data.Row], table: dict[int, int]) -> None:
        self.rows = rows
        self.corpus = tk.Corpus(table)
        self.placed = [self.corpus.add(row.text) for row in rows]
        self.bits = np.array(self.corpus.columns[6], dtype=np.uint32)
        self.labels = np.zeros(len(self.bits), dtype=np.int64)
        self.source_row = np.full(len(self.bits), -1, dtype=np.int64)
        for n, (row, (first, starts, ends)) in enumerate(zip(rows, self.placed)):
            self.source_row[first : first + len(starts)] = n
            self._label(row, first, starts, ends)

    def _label(self, row: data.Row, first: int, starts: list[int], ends: list[int]) -> None:
        for start, end, label in row.spans:
            for i, (a, b) in enumerate(zip(starts, ends)):
                if a < end and b > start:
                    self.labels[first + i] = label
        # A person's title is redacted with the name, so it is of the span wherever a source left it out.
        for i in range(len(starts) - 2, -1, -1):
            at = first + i
            ahead = at + 2 if self.corpus.columns[1][at + 1] == tk.STOP_SIGN and i + 2 < len(starts) else at + 1
            if self.labels[at] == 0 and self.bits[at] & tk.HONORIFIC and self.labels[ahead] == 1:
                self.labels[at:ahead] = 1

    def matrix(self, rnd: np.random.Generator | None) -> Matrix:
        """With `rnd`, words of names are now and then hidden from the features, so that the tagger does not learn them by heart."""
        rows = self.rows
        synthetic = np.array([row.is_filled or row.source in ("template", "composed_pii", "presidio_generated") for row in rows] + [False])
        drop_bits = drop_words = None
        if rnd is not None:
            entity = self.labels > 0
            drop_bits = entity & (synthetic & (rnd.random(len(rows) + 1) < 0.3))[self.source_row]
            drop_words = entity & (synthetic & (rnd.random(len(rows) + 1) < 0.5))[self.source_row]
        index, hashed = self.corpus.features(drop_bits)
        columns = (hashed % np.uint32(model.ROWS)).astype(np.int32)
        values = np.ones(columns.shape, dtype=np.float32)
        if drop_words is not None:
            values[np.ix_(drop_words[index], WORD_FEATURES)] = 0
        x = sparse.csr_matrix((values.ravel(), columns.ravel(), np.arange(len(index) + 1) * tk.FEATURES), shape=(len(index), model.ROWS))
        gold = self.labels[index]
        place = np.zeros(len(self.bits) + 1, dtype=np.int64)
        place[index] = np.arange(len(index))
        chains = np.array([(place[a], place[b - 1] + 1) for a, b in self.corpus.runs], dtype=np.int64)
        allowed = np.zeros((len(index), len(data.LABELS)), dtype=bool)
        allowed[np.arange(len(index)), gold] = True
        row_of = self.source_row[index]
        bits = self.bits[index]
        sources = np.array([row.source for row in rows])[row_of]
        for source, free in data.UNLABELLED.items():
            open_ = (gold == 0) & (sources == source)
            for label in free:
                known = {4: tk.STREET, 5: tk.NRP, 6: tk.JOB}.get(label)
                allowed[:, label] |= open_ & ((bits & known) > 0) if known else open_
        weight = np.array([WEIGHTS[rows[n].source] * (RENAMED_WEIGHT if rows[n].is_filled and rows[n].source in RENAMED else 1) for n in row_of[chains[:, 0]]])
        return Matrix(x, gold, allowed, chains, weight, row_of, index)

    def limits(self, matrix: Matrix, best: np.ndarray, limits: np.ndarray) -> np.ndarray:
        """What each token needs: more for words that no capital marks as a name, where names have capitals or where there are none to tell."""
        kind = np.array(self.corpus.columns[1])[matrix.token_of]
        case = np.array(self.corpus.case)[matrix.token_of]
        small = (case == 0) & np.isin(kind, (tk.LOWER, tk.LOWER_MIXED)) & (self.bits[matrix.token_of] & tk.CONNECTOR == 0)
        needed = np.where(small, model.DOUBTFUL_LIMIT, 0)
        needed = np.where(np.isin(kind, (tk.UNCASED, tk.HAN, tk.HIRAGANA, tk.KATAKANA)), model.UNCASED_LIMIT, needed)
        return np.maximum(limits[best], np.where(best <= 4, needed, 0))

    def spans(self, matrix: Matrix, marginals: np.ndarray, limits: np.ndarray) -> list[list[tuple[int, int, int, float]]]:
        """Found spans by row: start, end, label and the mean of the label's probability."""
        result: list[list[tuple[int, int, int, float]]] = [[] for _ in self.rows]
        best = 1 + marginals[:, 1:].argmax(axis=1)
        sure = marginals[np.arange(len(best)), best] >= self.limits(matrix, best, limits)
        for a, b in matrix.chains:
            i = a
            while i < b:
                if not sure[i]:
                    i += 1
                    continue
                j = i
                while j < b and sure[j] and best[j] == best[i]:
                    j += 1
                n = int(matrix.row_of[i])
                first, starts, ends = self.placed[n]
                label = int(best[i])
                start, end = starts[matrix.token_of[i] - first], ends[matrix.token_of[j - 1] - first]
                if label == 4 and not any(char.isdigit() for char in self.rows[n].text[start:end]):
                    i = j
                    continue
                result[n].append((start, end, label, float(marginals[i:j, label].mean())))
                i = j
        return result


def main() -> None:
    args = arguments()
    rows, traffic, table, crf = learn(args)
    report(args, table, crf, np.array([1.0, *model.LIMITS]))
    if args.leave_out is None or args.out is not None:
        out = Path(args.out) if args.out else MODEL
        out.mkdir(parents=True, exist_ok=True)
        size = model.write(out / "weights.bin", crf, table)
        print(f"{out / 'weights.bin'}: {size} bytes")
        sample = parity_texts(rows, traffic, random.Random(args.seed))
        (out / "parity.json").write_text(json.dumps(parity(sample, table, crf), ensure_ascii=True, indent=0) + "\n", encoding="utf-8")


def learn(args) -> tuple[list[data.Row], list[data.Row], dict[int, int], Crf]:
    """Two rounds: the first learns from labelled rows and says which traffic hardly names anybody, the second from both."""
    rnd = random.Random(args.seed)
    rows, traffic, table = gather(args, rnd)
    prepared = Prepared(rows, table)
    matrix = prepared.matrix(np.random.default_rng(args.seed))
    print(f"{len(rows)} rows, {matrix.x.shape[0]} candidate tokens, {len(table)} words", flush=True)
    first = Crf(model.ROWS, len(data.LABELS))
    first.fit(matrix.x, matrix.allowed, matrix.chains, matrix.weight, 6, DECAY, args.seed)
    silver = Prepared(traffic, table)
    silver_matrix = silver.matrix(None)
    open_traffic(silver, silver_matrix, first)
    joined = join(matrix, silver_matrix)
    crf = Crf(model.ROWS, len(data.LABELS))
    crf.fit(joined.x, joined.allowed, joined.chains, joined.weight, ROUNDS, DECAY, args.seed)
    return rows, traffic, table, model.quantise(crf)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--datasets", type=Path, required=True, help="folder that holds pii/ and benign_traffic/")
    parser.add_argument("--leave-out", choices=data.SOURCES, default=None, help="learn without this source and measure on it")
    parser.add_argument("--out", default=None, help="where the model goes; default: the engine's models")
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


def gather(args, rnd: random.Random) -> tuple[list[data.Row], list[data.Row], dict[int, int]]:
    pools = make_pools(args.seed)
    labelled = [row for row in data.labelled_rows(args.datasets, "train") if row.source != args.leave_out]
    filled = data.filled_rows(data.read_templates(HERE / "templates.jsonl"), Filler(pools, rnd), rnd)
    filled += data.renamed_rows([row for row in labelled if row.source in RENAMED], Filler(pools, rnd), RENAMED_TIMES)
    traffic = data.traffic_rows(args.datasets, 2_000)
    lexicon = lx.base_lexicon(pools, common_words(traffic, labelled))
    for row in labelled:
        if row.source in ("composed_pii", "presidio_generated"):
            names = [name for start, end, label in row.spans if label == 1 for name in lx.split(row.text[start:end])]
            names = [name for name in names if lx.is_listed(name) and len(name) > 2 and not lexicon.words.get(name, 0) & (tk.STOP | tk.CONNECTOR | tk.HONORIFIC)]
            lexicon.add(names[:1], tk.GIVEN)
            lexicon.add(names[1:], tk.SURNAME)
    traffic = [data.Row(row.text[:TRAFFIC_CHARS], row.source, [], row.lang) for row in rnd.sample(traffic, TRAFFIC_ROWS)]
    return labelled + filled, traffic, lexicon.table()


def common_words(traffic: list[data.Row], labelled: list[data.Row]) -> Counter:
    """Words in lower case, or of scripts without case, of ordinary text outside of names."""
    counts: Counter = Counter()
    for row in traffic + [row for row in labelled if row.source in ("btc", "wikigold")]:
        starts, ends, tokens = tk.tokenise(row.text)
        for start, end, token in zip(starts, ends, tokens):
            if token[1] in (tk.LOWER, tk.UNCASED) and not any(a < end and start < b for a, b, _ in row.spans):
                counts["".join(chr(tk.fold(char)) for char in row.text[start:end])] += 1
    return Counter(dict(counts.most_common(30_000)))


def open_traffic(prepared: Prepared, matrix: Matrix, crf: Crf) -> None:
    """Traffic does name people: a chain that may, by an earlier round and by its words, is left to be anything."""
    marginals = crf.predict(matrix.x, matrix.chains)
    bits = prepared.bits[matrix.token_of]
    named = (bits & tk.NAMEISH) > 0
    best = marginals.argmax(axis=1)
    # Jobs are no names and everywhere: traffic says nothing about them.
    matrix.allowed[:, data.LABELS.index("TITLE")] |= (bits & tk.JOB_HEAD) > 0
    for a, b in matrix.chains:
        chances = marginals[a:b]
        if ((bits[a:b] & tk.COMMON) > 0).all() and not named[a:b].any():
            continue
        # The little that the first round is sure of, and the lexicon agrees with, is learned as it is: contexts no template has.
        if named[a:b].any() and chances.max(axis=1).min() > SURE:
            matrix.allowed[a:b] = False
            matrix.allowed[np.arange(a, b), best[a:b]] = True
            continue
        foreign = prepared.rows[int(matrix.row_of[a])].lang != "en" and not named[a:b].any()
        if chances[:, 1:].max() > (0.9 if foreign else 0.35) or (named[a:b].any() and chances[:, 0].min() < 0.9):
            matrix.allowed[a:b] = True


def join(a: Matrix, b: Matrix) -> Matrix:
    return Matrix(
        sparse.vstack([a.x, b.x]).tocsr(),
        np.concatenate([a.gold, b.gold]),
        np.concatenate([a.allowed, b.allowed]),
        np.concatenate([a.chains, b.chains + a.x.shape[0]]),
        np.concatenate([a.weight, b.weight]),
        np.concatenate([a.row_of, b.row_of]),
        np.concatenate([a.token_of, b.token_of]),
    )


def report(args, table: dict[int, int], crf: Crf, limits: np.ndarray) -> None:
    """Overlap precision, recall and F2 by type of each source: what was left out, or `dev`."""
    split = "train" if args.leave_out else "dev"
    rows = [row for row in data.labelled_rows(args.datasets, split) if args.leave_out in (None, row.source)]
    prepared = Prepared(rows, table)
    matrix = prepared.matrix(None)
    marginals = crf.predict(matrix.x, matrix.chains)
    found = prepared.spans(matrix, marginals, limits)
    print_quality(prepared, found)
    traffic = Prepared(data.traffic_rows(args.datasets, 2_000)[-1500:], table)
    matrix = traffic.matrix(None)
    named = traffic.spans(matrix, crf.predict(matrix.x, matrix.chains), limits)
    shares = [sum(any(span[2] == label for span in spans) for spans in named) / len(named) for label in range(1, len(data.LABELS))]
    print("traffic with", ", ".join(f"{name} {share:.1%}" for name, share in zip(data.LABELS[1:], shares)))
    clean_report(prepared, found)


def clean_report(prepared: Prepared, found) -> None:
    for source in sorted({row.source for row in prepared.rows}):
        clean = [n for n, row in enumerate(prepared.rows) if row.source == source and not any(label in (1, 4) for *_, label in row.spans)]
        false = [n for n in clean if any(span[2] in (1, 4) for span in found[n])]
        print(f"{source}: {len(clean)} rows without person or address, {len(false)} with a false one ({len(false) / max(1, len(clean)):.1%})")


def print_quality(prepared: Prepared, found) -> None:
    for source in sorted({row.source for row in prepared.rows}):
        total = np.zeros(4)
        for label in range(1, len(data.LABELS)):
            if label in data.UNLABELLED[source] and label != 0:
                continue
            counts = np.zeros(4)
            for row, spans in zip(prepared.rows, found):
                if row.source != source:
                    continue
                gold = [span for span in row.spans if span[2] == label]
                mine = [span for span in spans if span[2] == label]
                counts += (len(gold), sum(any(overlap(g, m) for m in mine) for g in gold), len(mine), sum(any(overlap(g, m) for g in gold) for m in mine))
            total += counts
            if counts[0] > 0:
                print(f"{source:20} {data.LABELS[label]:14}", line(counts))
        print(f"{source:20} {'all':14}", line(total))


def overlap(a, b) -> bool:
    return a[0] < b[1] and b[0] < a[1]


def line(counts: np.ndarray) -> str:
    recall, precision = counts[1] / max(1, counts[0]), counts[3] / max(1, counts[2])
    f2 = 5 * precision * recall / max(1e-9, 4 * precision + recall)
    return f"labelled {int(counts[0]):5} found {int(counts[2]):5} P {precision:.3f} R {recall:.3f} F2 {f2:.3f}"


def parity_texts(rows: list[data.Row], traffic: list[data.Row], rnd: random.Random) -> list[str]:
    own = [row.text for row in rows if row.source in ("template", "clean")]
    return rnd.sample(own, 260) + [row.text[:300] for row in rnd.sample(traffic, 40)]


def parity(texts: list[str], table: dict[int, int], crf: Crf) -> list[dict]:
    """Texts with the first and last unit of every candidate token and the probabilities of its labels, in thousandths."""
    prepared = Prepared([data.Row(text, "clean") for text in texts], table)
    matrix = prepared.matrix(None)
    marginals = crf.predict(matrix.x, matrix.chains)
    result: list[dict] = [{"text": text, "tokens": []} for text in texts]
    for n, token, marginal in zip(matrix.row_of, matrix.token_of, marginals):
        first, starts, ends = prepared.placed[n]
        result[n]["tokens"].append([starts[token - first], ends[token - first], *(int(round(p * 1000)) for p in marginal)])
    return result


if __name__ == "__main__":
    main()
