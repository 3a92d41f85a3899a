#!/usr/bin/env python3
"""A second verifier of evidence bundles, written from docs/reference/evidence.md alone: python3 verify.py bundle.zip <verifier key> [held.txt]

It says whether a bundle holds, not where it does not. Signatures are checked where the package `cryptography` is there; without it that is said.
"""
import base64, hashlib, json, re, sys, zipfile


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


def check_note(note, key):
    """The checkpoint of a signed note: origin, size, root."""
    text, _, signatures = note.rpartition("\n\n")
    text += "\n"
    name, key_id, encoded = key.split("+", 2)
    public = unbase64(encoded, 33)
    need(public[0] == 1 and sha(name.encode(), b"\n", public)[:4].hex() == key_id, "the verifier key is none")
    lines = [line.split(" ") for line in signatures.strip("\n").split("\n")]
    own = [base64.b64decode(line[2]) for line in lines if line[0] == "\u2014" and line[1] == name]
    own = [raw[4:] for raw in own if raw[:4].hex() == key_id]
    need(own, "the checkpoint is not signed by the key")
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        try:
            Ed25519PublicKey.from_public_bytes(public[1:]).verify(own[0], text.encode())
        except InvalidSignature:
            raise Wrong("the signature is not of the checkpoint")
    except ImportError:
        print("unsigned: the package cryptography is not there")
    origin, size, root = text.split("\n")[:3]
    need(origin == name, "the key is of another log")
    need(re.fullmatch(r"0|[1-9][0-9]{0,15}", size), "the size is none")
    return origin, int(size), unbase64(root)


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
    digests = set(envelope["private"])
    need(len(digests) == len(envelope["private"]), "a leaf commits to one value twice")
    need(line["id"] == envelope["id"], "disclosures are of another event")
    names = list(line["erased"])
    for text in line["disclosures"]:
        digest = base64.b64encode(sha(text.encode("utf-8"))).decode()
        need(digest in digests, "what is disclosed is not what the leaf commits to")
        digests.remove(digest)
        salt, name, _ = json.loads(text)
        need(isinstance(salt, str) and name not in names, "a value is disclosed twice, or though it is erased")
        names.append(name)
    need(len(line["erased"]) <= len(digests), "more is erased than is committed to")


def verify(path, key, held):
    with zipfile.ZipFile(path) as bundle:
        names = bundle.namelist()
        need(len(set(names)) == len(names), "two files have one name")
        manifest = json.loads(bundle.read("manifest.json"))
        need(manifest["format"] == "svc-evidence@v1", "it is of another format")
        need(set(names) == set(manifest["files"]) | {"manifest.json"}, "files are not those that are listed")
        for name, listed in manifest["files"].items():
            raw = bundle.read(name)
            need(len(raw) == listed["bytes"] and sha(raw).hex() == listed["sha256"], f"{name} is damaged")
        read = lambda name: bundle.read(name).decode("utf-8")
        origin, size, root = check_note(read("checkpoint.txt"), key)
        need(manifest["origin"] == origin and manifest["tree_size"] == size, "the manifest is of another checkpoint")
        start, end = manifest["range"]["from"], manifest["range"]["to"]
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
        edge, held_size, held_root = Edge(), None, None
        if held is not None:
            held_origin, held_size, held_root = check_note(held, key)
            need(held_size <= size, "rolled back")
        roots = {0: edge.root()}

        def push(leaves, digest):
            edge.push(leaves, digest)
            if edge.size == held_size:
                roots[held_size] = edge.root()

        for part in parts[0]:
            push(*part)
        counts = {"events": 0, "withheld": 0, "missing": 0}
        for index, (line, disclosed) in enumerate(zip(lines, disclosures), start):
            need(line != "null", f"leaf {index} is missing")
            if line.startswith('"'):
                need(manifest["kinds"] is not None and disclosed == "null", f"leaf {index} is withheld")
                counts["withheld"] += 1
                push(1, unbase64(json.loads(line)))
                continue
            envelope = json.loads(line)
            counts["events"] += 1
            need(envelope["v"] == 1 and envelope["sequence"] == index + 1, f"leaf {index} is of another sequence")
            need(envelope["org_id"] == manifest["org_id"] and f"/org/{envelope['org_id']}" in origin, f"leaf {index} is of another log")
            push(1, leaf_hash(line.encode("utf-8")))
            if has_disclosures:
                check_disclosures(envelope, json.loads(disclosed))
        for part in parts[1]:
            push(*part)
        need(all(manifest[name] == count for name, count in counts.items()), "the manifest counts otherwise")
        need(edge.size == size and edge.root() == root, "the events do not lead to the signed root")
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
    except (Wrong, KeyError, ValueError, IndexError, TypeError, zipfile.BadZipFile) as wrong:
        print("does not hold:", wrong)
        sys.exit(1)
