#!/usr/bin/env python3
"""A second verifier of evidence bundles, written from docs/reference/evidence.md alone: python3 verify.py bundle.zip <verifier key> [held.txt]

It says whether a bundle holds, not where it does not. Signatures are checked where the package `cryptography` is there; without it that is said.
"""
import base64, hashlib, json, re, sys, zipfile, zlib


class Wrong(Exception):
    pass


def need(holds, what):
    if not holds:
        raise Wrong(what)


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def leaf_hash(leaf):
    return sha(b"\x00", leaf)


def node_hash(left, right):
    return sha(b"\x01", left, right)


def unbase64(text, size=32):
    raw = base64.b64decode(text, validate=True)
    need(len(raw) == size and base64.b64encode(raw).decode() == text, f"{text!r} is not {size} bytes in base64")
    return raw


ORIGIN = re.compile(r"(.+)/(org|deployment)/([^/]+)(?:/([2-9]|[1-9][0-9]{1,8})-[0-9a-f]{8})?")
FILES = re.compile(
    r"manifest\.json|checkpoint\.txt|keys\.txt|range\.txt|consistency\.json|anchor\.json|hashes-[0-6]\.bin|disclosures\.jsonl"
    r"|events\.(jsonl|csv|parquet|ocsf\.jsonl|cloudevents\.jsonl)"
)


def check_note(note, key):
    """The checkpoint of a signed note: parts of the origin, origin, size, root."""
    text, _, signatures = note.rpartition("\n\n")
    text += "\n"
    origin, size, root = text.split("\n")[:3]
    need(re.fullmatch(r"0|[1-9][0-9]{0,15}", size), "the size is none")
    key_name, key_id, encoded = key.split("+", 2)
    public = unbase64(encoded, 33)
    need(public[0] == 1 and sha(key_name.encode(), b"\n", public)[:4].hex() == key_id, "the verifier key is none")
    own, held = ORIGIN.fullmatch(origin), ORIGIN.fullmatch(key_name)
    need(own and held, "the origin is none of ours")
    # The key of a log is that of its other epochs, and of the deployment's log.
    is_same = own.groups()[:3] == held.groups()[:3]
    need(is_same or (own[2] == "deployment" and own[1] == held[1]), "the key is of another log")
    key_id = sha(origin.encode(), b"\n", public)[:4].hex()
    lines = [line.split(" ") for line in signatures.strip("\n").split("\n")]
    signed = [base64.b64decode(line[2]) for line in lines if line[0] == "\u2014" and line[1] == origin]
    signed = [raw[4:] for raw in signed if raw[:4].hex() == key_id]
    need(signed, "the checkpoint is not signed by the key")
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        try:
            for signature in signed:
                Ed25519PublicKey.from_public_bytes(public[1:]).verify(signature, text.encode())
        except InvalidSignature:
            raise Wrong("the signature is not of the checkpoint")
    except ImportError:
        print("unsigned: the package cryptography is not there")
    return own, origin, int(size), unbase64(root)


def check_zip(path, bundle):
    """One entry behind the other, the same in both places, nothing else in the file."""
    at = 0
    with open(path, "rb") as file:
        for info in bundle.infolist():
            file.seek(at)
            head = file.read(30)
            need(info.header_offset == at and head[:4] == b"PK\x03\x04", f"{info.filename} is not where the directory says")
            name_length, extra_length = int.from_bytes(head[26:28], "little"), int.from_bytes(head[28:30], "little")
            need(file.read(name_length).decode() == info.filename and not info.flag_bits & ~0x800, "a header says otherwise")
            need(head[14:18] == info.CRC.to_bytes(4, "little") and info.external_attr >> 28 in (0, 8), "a header says otherwise")
            extra = file.read(extra_length)
            small = (info.compress_size.to_bytes(8, "little")[:4], info.file_size.to_bytes(8, "little")[:4])
            need(extra[:2] in (b"", b"\x01\x00") and (extra or (head[18:22], head[22:26]) == small), "a header says otherwise")
            at += 30 + name_length + extra_length + info.compress_size
        need(at == bundle.start_dir and not bundle.comment, "there is more in the file than its entries")
    names = [name.lower() for name in bundle.namelist()]
    need(len(set(names)) == len(names) and all(FILES.fullmatch(name) for name in bundle.namelist()), "names that are not of a bundle")


class Edge:
    """The roots of the whole subtrees of a tree that grows: pushed in order, two of one size merge."""

    def __init__(self):
        self.nodes, self.size = [], 0

    def push(self, leaves, digest):
        # A subtree of `leaves` leaves, which begins at a multiple of as many; the last of a tree may be cut off and merges with nothing.
        whole = leaves & (leaves - 1) == 0
        self.size += leaves
        while whole and self.nodes and self.nodes[-1][0] == leaves and (self.size // leaves) % 2 == 0:
            digest = node_hash(self.nodes.pop()[1], digest)
            leaves *= 2
        self.nodes.append((leaves, digest))

    def root(self):
        if not self.nodes:
            return sha(b"")
        digest = self.nodes[-1][1]
        for _, left in reversed(self.nodes[:-1]):
            digest = node_hash(left, digest)
        return digest


def left_sizes(start):
    return [1 << bit for bit in reversed(range(53)) if start >> bit & 1]


def right_sizes(end, size):
    sizes = []
    while end < size:
        sizes.append(size if end == 0 else min(end & -end, size - end))
        end += sizes[-1]
    return sizes


def is_consistent(m, old_root, n, new_root, proof):
    """RFC 9162, 2.1.4.2."""
    if m == n:
        return not proof and old_root == new_root
    if m == 0:
        return not proof and old_root == sha(b"")
    path = ([old_root] if m & (m - 1) == 0 else []) + proof
    if not path:
        return False
    fn, sn = m - 1, n - 1
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    fr = sr = path[0]
    for c in path[1:]:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            fr, sr = node_hash(c, fr), node_hash(c, sr)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            sr = node_hash(sr, c)
        fn, sn = fn >> 1, sn >> 1
    return fr == old_root and sr == new_root and sn == 0


def check_disclosures(envelope, line):
    """What is disclosed, by name, and what is said to be erased."""
    digests = set(envelope["private"])
    need(len(digests) == len(envelope["private"]), "a leaf commits to one value twice")
    shown = json.loads(line)
    need(list(shown) == ["id", "disclosures", "erased"], "a line of disclosures has other members")
    need(json.dumps(shown, separators=(",", ":"), ensure_ascii=False) == line, "a line of disclosures is written otherwise")
    need(shown["id"] == envelope["id"], "disclosures are of another event")
    values, erased = {}, shown["erased"]
    need(len(set(erased)) == len(erased), "a name is erased twice")
    for text in shown["disclosures"]:
        digest = base64.b64encode(sha(text.encode("utf-8"))).decode()
        need(digest in digests, "what is disclosed is not what the leaf commits to")
        digests.remove(digest)
        salt, name, value = json.loads(text)
        need(isinstance(salt, str) and name not in values and name not in erased, "a value is disclosed twice, or though it is erased")
        values[name] = value
    need(len(erased) <= len(digests), "more is erased than is committed to")
    data = values.get("data")
    if isinstance(data, dict) and "unparsed" in data:
        data = None  # A text, which says nothing by members.
    if envelope["kind"].startswith("inference.") and isinstance(data, dict):
        inner = lambda name, part: data[name].get(part) if isinstance(data.get(name), dict) else None
        for name in ("outcome", "score", "severity"):
            need(data.get(name) == envelope.get(name), f"{name} is another than in clear")
        need(inner("coverage", "status") == envelope.get("coverage"), "coverage is another than in clear")
        policy = data.get("policy")
        clear = {name: policy[name] for name in ("digest", "version") if name in policy} if isinstance(policy, dict) else None
        need(clear == envelope.get("policy"), "the policy is another than in clear")
    return values, erased


def check_anchor(anchor, key, log, size, roots, root):
    own_log, origin, own_size, own_root = check_note(anchor["checkpoint"], key)
    other_log, _, other_size, other_root = check_note(anchor["deployment"], key)
    need(own_log.groups()[:3] == log.groups()[:3] and other_log[2] == "deployment" and other_log[1] == log[1], "the anchor is of another log")
    need(anchor["size"] == other_size, "the anchor tells of another size")
    leaf = leaf_hash(sha(base64.b64decode(anchor["salt"]), anchor["checkpoint"].encode()))
    index, last, digest = anchor["index"], other_size - 1, leaf
    need(0 <= index <= last, "the anchor is outside its log")
    for sibling in map(unbase64, anchor["hashes"]):
        need(last > 0, "the proof of the anchor is too long")
        if index & 1 or index == last:
            digest = node_hash(sibling, digest)
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            digest = node_hash(digest, sibling)
        index, last = index >> 1, last >> 1
    need(last == 0 and digest == other_root, "the anchor is not in its log")
    if own_size in roots:
        return need(roots[own_size] == own_root, "the anchor is of another history")
    older, newer = sorted([(own_size, own_root), (size, root)], key=lambda one: one[0])
    need(is_consistent(*older, *newer, [unbase64(text) for text in anchor["consistency"]]), "the anchor is not consistent")


def verify(path, key, held):
    with zipfile.ZipFile(path) as bundle:
        names = bundle.namelist()
        check_zip(path, bundle)
        manifest = json.loads(bundle.read("manifest.json"))
        need(manifest["format"] == "svc-evidence@v1", "it is of another format")
        need(sorted(names) == sorted([*manifest["files"], "manifest.json"]), "files are not those that are listed")
        for name, listed in manifest["files"].items():
            raw = bundle.read(name)
            need(len(raw) == listed["bytes"] and sha(raw).hex() == listed["sha256"], f"{name} is damaged")
        read = lambda name: bundle.read(name).decode("utf-8")
        log, origin, size, root = check_note(read("checkpoint.txt"), key)
        need(manifest["origin"] == origin and manifest["tree_size"] == size, "the manifest is of another checkpoint")
        need(log[2] == "org" and log[3] == manifest["org_id"], "the log is of another organization")
        start, end, kinds = manifest["range"]["from"], manifest["range"]["to"], manifest["kinds"]
        need(0 <= start <= end <= size, "there is no such range")
        sides = read("range.txt").split("\n")
        parts = []
        for side, sizes in (("left", left_sizes(start)), ("right", right_sizes(end, size))):
            need(sides.pop(0) == f"{side} {len(sizes)}", "range.txt is not of this range")
            parts.append([(leaves, unbase64(sides.pop(0))) for leaves in sizes])
        need(sides == [""], "range.txt has more lines")
        lines = read("events.jsonl").split("\n")[:-1]
        has_disclosures = "disclosures.jsonl" in names
        disclosures = read("disclosures.jsonl").split("\n")[:-1] if has_disclosures else ["null"] * len(lines)
        need(len(lines) == end - start == len(disclosures), "there are not as many lines as leaves")
        edge, held_size = Edge(), None
        if held is not None:
            held_log, held_origin, held_size, held_root = check_note(held, key)
            need(held_log.groups()[:3] == log.groups()[:3], "the held checkpoint is of another log")
            need(int(held_log[4] or 1) <= int(log[4] or 1) and held_size <= size, "rolled back")
        roots = {0: edge.root()}

        def push(leaves, digest):
            edge.push(leaves, digest)
            roots[edge.size] = edge.root() if edge.size == held_size or edge.size == anchored else None

        anchor = json.loads(read("anchor.json")) if "anchor.json" in names else None
        anchored = int(anchor["checkpoint"].split("\n")[1]) if anchor else None
        for part in parts[0]:
            push(*part)
        disclosed_total, untold, pruned = 0, set(), set()
        for index, (line, disclosed) in enumerate(zip(lines, disclosures), start):
            need(line != "null", f"leaf {index} is missing")
            need(len(line) <= 65536, f"leaf {index} is too long")
            envelope = json.loads(line)
            need(envelope["v"] == 1 and envelope["sequence"] == index + 1, f"leaf {index} is of another sequence")
            need(envelope["org_id"] == manifest["org_id"], f"leaf {index} is of another log")
            push(1, leaf_hash(line.encode("utf-8")))
            if not has_disclosures:
                continue
            need((disclosed != "null") == (kinds is None or envelope["kind"] in kinds), f"leaf {index} is disclosed otherwise than asked")
            if disclosed == "null":
                continue
            disclosed_total += 1
            values, erased = check_disclosures(envelope, disclosed)
            untold |= {(envelope["id"], name) for name in erased}
            if envelope["kind"] == "audit.redacted":
                untold -= {(values["data"]["event_id"], name) for name in values["data"]["fields"]}
            if envelope["kind"] == "audit.pruned":
                pruned.add(values["data"]["to"])
        for part in parts[1]:
            push(*part)
        is_all = end == size and kinds is None and has_disclosures
        need(not (untold and is_all), "an erasure is not explained")
        need(start == 0 or manifest["since"] is not None or start in pruned or not is_all, "what is before is not explained")
        counts = {"events": len(lines), "disclosed": disclosed_total, "missing": 0}
        need(all(manifest[name] == count for name, count in counts.items()), "the manifest counts otherwise")
        need(edge.size == size and edge.root() == root, "the events do not lead to the signed root")
        roots = {at: digest for at, digest in roots.items() if digest is not None} | {size: root}
        if anchor is not None:
            check_anchor(anchor, key, log, size, roots, root)
        if held is None:
            return counts
        if held_size in roots:
            need(roots[held_size] == held_root, "forked")
            return counts
        proof = json.loads(read("consistency.json"))
        need(proof["from"] == held_size and proof["to"] == size, "the proof of consistency is of other sizes")
        need(is_consistent(held_size, held_root, size, root, [unbase64(text) for text in proof["hashes"]]), "not consistent")
        return counts


if __name__ == "__main__":
    bundle, key = sys.argv[1:3]
    held = open(sys.argv[3], encoding="utf-8").read() if len(sys.argv) > 3 else None
    try:
        print("holds", json.dumps(verify(bundle, key, held)))
    except (Wrong, KeyError, ValueError, IndexError, TypeError, AttributeError, RecursionError, zipfile.BadZipFile, zlib.error) as wrong:
        print("does not hold:", wrong)
        sys.exit(1)
