package svc

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// CheckpointRule is what a checkpoint breaks. It is stable, for programs.
type CheckpointRule string

const (
	// No key that is trusted has signed.
	CheckpointUnknownKey CheckpointRule = "unknown_key"
	// A signature under a trusted key is not of this text.
	CheckpointSignatureMismatch CheckpointRule = "signature_mismatch"
	// What came, or what was remembered, is not in its form.
	CheckpointMalformed CheckpointRule = "malformed"
	// The log is shorter than it was.
	CheckpointRollback CheckpointRule = "rollback"
	// Another root for the same size.
	CheckpointFork CheckpointRule = "fork"
	// It is not proved that the log goes on from what was seen.
	CheckpointInconsistent CheckpointRule = "inconsistent"
	// The log began anew without what was seen, or is another one.
	CheckpointOriginChanged CheckpointRule = "origin_changed"
	// Of an event: its proof does not lead to the root.
	CheckpointNotIncluded CheckpointRule = "not_included"
	// Of an event: what is disclosed is not what the log commits to.
	CheckpointDisclosureMismatch CheckpointRule = "disclosure_mismatch"
)

// CheckpointError says that what the service shows does not fit what it has shown before, or what it has signed.
// Keep both: they are evidence.
type CheckpointError struct {
	Rule    CheckpointRule
	message string
}

func (e *CheckpointError) Error() string {
	return "svc: checkpoint: " + string(e.Rule) + ": " + e.message
}
func (e *CheckpointError) isSvcError() {}

// CheckpointStore keeps one text: a [FileStore], a [MemoryStore], or your own.
type CheckpointStore interface {
	// Load returns what was saved last. Where nothing was, its error is fs.ErrNotExist by errors.Is.
	Load() (string, error)
	Save(text string) error
}

// MemoryStore keeps its text for as long as the process runs. The zero value is empty and ready.
type MemoryStore struct {
	mu   sync.Mutex
	text *string
}

// Load returns what was saved last.
func (s *MemoryStore) Load() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.text == nil {
		return "", fs.ErrNotExist
	}
	return *s.text, nil
}

// Save keeps a text in place of the one before.
func (s *MemoryStore) Save(text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = &text
	return nil
}

// FileStore keeps its text in the file of this path, which its owner alone may read. The folder must be there.
type FileStore string

// Load reads the file.
func (s FileStore) Load() (string, error) {
	text, err := os.ReadFile(string(s))
	return string(text), err
}

// Save replaces the file as a whole: whoever reads it meanwhile, or after a crash, has the old or the new one.
func (s FileStore) Save(text string) (err error) {
	folder := filepath.Dir(string(s))
	// Mode 0600.
	file, err := os.CreateTemp(folder, "."+filepath.Base(string(s))+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = file.Close()
			_ = os.Remove(file.Name())
		}
	}()
	if _, err = file.WriteString(text); err != nil {
		return err
	}
	if err = file.Sync(); err != nil {
		return err
	}
	if err = file.Close(); err != nil {
		return err
	}
	if err = os.Rename(file.Name(), string(s)); err != nil {
		return err
	}
	// Not every system lets a folder be synced; the file is whole all the same.
	if opened, err := os.Open(folder); err == nil {
		_ = opened.Sync()
		_ = opened.Close()
	}
	return nil
}

// Checkpoint is the state of a log, checked.
type Checkpoint struct {
	// Which log: <deployment>/org/<org_id>.
	Origin string
	// Leaves, which are events.
	Size int64
	// Of the tree: 32 bytes.
	Root []byte
	// As it was signed.
	Note string
	// Nothing was remembered, so there was nothing to compare it with.
	IsFirst bool
}

// CheckpointMemory remembers the last checkpoint of the audit trail, and demands that the next grew out of it.
// A service that lies can show you one history and somebody else another; it cannot show you one that goes on
// from what you hold. So check now and then, with the same store. It is safe for concurrent use: one check at a
// time.
type CheckpointMemory struct {
	store CheckpointStore
	// nil: those of the service at first use.
	keys []string
	mu   sync.Mutex
}

// NewCheckpointMemory returns a memory that keeps what it has seen in a store. keys: verifier keys that you got
// by a way that you trust, such as the lines of a file; empty ones are left out. An error says that one is no key,
// or that there is none: an empty file must not come to trust whoever answers. See [TrustOnFirstUse].
func NewCheckpointMemory(store CheckpointStore, keys ...string) (*CheckpointMemory, error) {
	memory := &CheckpointMemory{store: store}
	for _, key := range trimmed(keys) {
		if _, err := parseVerifier(key); err != nil {
			return nil, errorf("%s", err)
		}
		memory.keys = append(memory.keys, key)
	}
	if len(memory.keys) == 0 {
		return nil, errorf("there is no key; TrustOnFirstUse trusts those that the service has when it is first checked")
	}
	return memory, nil
}

// trimmed are lines that are not empty.
func trimmed(lines []string) []string {
	kept := []string{}
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" {
			kept = append(kept, line)
		}
	}
	return kept
}

// TrustOnFirstUse returns a memory without keys: those that the service has when it is first checked are trusted
// from then on, and kept in the store. That protects from a service that changes its mind, not from one that lied
// that first time.
func TrustOnFirstUse(store CheckpointStore) *CheckpointMemory {
	return &CheckpointMemory{store: store}
}

// remembered is what the store holds: clients of all languages can share it.
type remembered struct {
	Keys []string `json:"keys"`
	Note string   `json:"note"`
}

// Check reads the latest checkpoint, holds it against the one that is remembered, and remembers it. It fails with
// a [*CheckpointError], with what a request failed with, or with what the store did; what is remembered then
// stays as it is.
func (m *CheckpointMemory) Check(ctx context.Context, client *Client) (*Checkpoint, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	held, before, err := m.recall()
	if err != nil {
		return nil, err
	}
	keys := m.keys
	if len(keys) == 0 {
		keys = held.Keys
	}
	if len(keys) == 0 {
		if keys, err = keysInForce(ctx, client); err != nil {
			return nil, err
		}
	}
	note, err := client.Audit.GetCheckpoint(ctx, AuditGetCheckpointQuery{})
	if err != nil {
		return nil, err
	}
	now, err := openCheckpoint(note, keys)
	if err != nil {
		return nil, err
	}
	if now.IsFirst = before == nil; !now.IsFirst {
		if err := requireGrowth(ctx, client, before, now); err != nil {
			return nil, err
		}
	}
	saved, err := encode(remembered{keys, note})
	if err != nil {
		return nil, err
	}
	if err := m.store.Save(string(saved)); err != nil {
		return nil, &plainError{"the checkpoint cannot be remembered: " + err.Error(), err}
	}
	return now, nil
}

// recall reads what the store holds; where that is nothing there is no checkpoint. To take anything else for
// nothing would be to forget what was seen.
func (m *CheckpointMemory) recall() (held remembered, checkpoint *Checkpoint, err error) {
	text, err := m.store.Load()
	if errors.Is(err, fs.ErrNotExist) {
		return remembered{}, nil, nil
	}
	if err != nil {
		return remembered{}, nil, &plainError{"what was remembered cannot be read: " + err.Error(), err}
	}
	if decodeInto([]byte(text), &held) != nil || len(held.Keys) == 0 {
		return remembered{}, nil, broken(CheckpointMalformed, "the store holds what no checkpoint memory has written")
	}
	for _, key := range held.Keys {
		if _, err := parseVerifier(key); err != nil {
			return remembered{}, nil, broken(CheckpointMalformed, "the store holds %s", err)
		}
	}
	checkpoint, _, err = parseCheckpoint(held.Note)
	return held, checkpoint, err
}

// keysInForce leaves out those that sign no more: they need not be believed from now on.
func keysInForce(ctx context.Context, client *Client) ([]string, error) {
	listed, err := client.Audit.ListKeys(ctx)
	if err != nil {
		return nil, err
	}
	keys := []string{}
	for _, key := range listed.Keys {
		if key.Status != KeyStatusRetired {
			keys = append(keys, key.VerifierKey)
		}
	}
	return keys, nil
}

// requireGrowth fails unless the log of now goes on from before.
func requireGrowth(ctx context.Context, client *Client, before, now *Checkpoint) error {
	if logOf(before.Origin) != logOf(now.Origin) {
		return broken(CheckpointOriginChanged, "the log that was seen is %s; %s is another one", before.Origin, now.Origin)
	}
	fault := func(rule CheckpointRule, format string, args ...any) error {
		// After a restore a log has a new name. Whether it still holds what was seen is all that counts.
		if before.Origin != now.Origin {
			return broken(CheckpointOriginChanged, "the log was %s and is %s, which does not hold what was seen: %s",
				before.Origin, now.Origin, fmt.Sprintf(format, args...))
		}
		return broken(rule, format, args...)
	}
	if now.Size < before.Size {
		return fault(CheckpointRollback, "the log had %d events and has %d", before.Size, now.Size)
	}
	if now.Size == before.Size {
		if !bytes.Equal(now.Root, before.Root) {
			return fault(CheckpointFork, "the log has two histories of %d events, and both are signed", now.Size)
		}
		return nil
	}
	query := AuditProveConsistencyQuery{From: before.Size, To: &now.Size}
	proof, err := client.Audit.ProveConsistency(ctx, query)
	if err != nil {
		return err
	}
	hashes, areHashes := hashesOf(proof.Hashes)
	if !areHashes || !isConsistent(before.Size, before.Root, now.Size, now.Root, hashes) {
		return fault(CheckpointInconsistent, "it is not proved that the log of %d events begins with the %d that were seen",
			now.Size, before.Size)
	}
	return nil
}

func broken(rule CheckpointRule, format string, args ...any) *CheckpointError {
	return &CheckpointError{rule, fmt.Sprintf(format, args...)}
}

// ProvedEvent is what a proof shows, once it is checked.
type ProvedEvent struct {
	// Of the log: the event is its leaf Sequence-1.
	Checkpoint *Checkpoint
	EventID    string
	Sequence   int64
	// What the log holds of the event, as JSON. What it commits to without telling is in Disclosed.
	Envelope json.RawMessage
	// By name: subject, data, …: as JSON. Only what the proof brought along.
	Disclosed map[string]json.RawMessage
}

// VerifyEventProof checks what [AuditService.ProveEvent] answered, as svc-verify does:
// the envelope is the leaf, the leaf is in the tree, the tree is signed by one of the keys, and what is disclosed
// is what the leaf commits to. It fails with a [*CheckpointError]. It does not show that others see the same log:
// that is what a [CheckpointMemory] is for.
func VerifyEventProof(proof *EventProof, keys ...string) (*ProvedEvent, error) {
	if proof == nil {
		return nil, broken(CheckpointMalformed, "there is no proof")
	}
	checkpoint, err := openCheckpoint(proof.Checkpoint, trimmed(keys))
	if err != nil {
		return nil, err
	}
	leaf := sha256.Sum256([]byte("\x00" + proof.Envelope))
	hashes, areHashes := hashesOf(proof.Hashes)
	isThere := areHashes && proof.TreeSize == checkpoint.Size && bytes.Equal(hashOf(proof.Root), checkpoint.Root) &&
		bytes.Equal(hashOf(proof.LeafHash), leaf[:]) &&
		isIncluded(leaf[:], proof.LeafIndex, checkpoint.Size, hashes, checkpoint.Root)
	if !isThere {
		return nil, broken(CheckpointNotIncluded, "the proof does not lead from the envelope to the root that was signed")
	}
	var envelope map[string]json.RawMessage
	var held struct {
		ID       string   `json:"id"`
		Sequence int64    `json:"sequence"`
		Private  []string `json:"private"`
	}
	data := []byte(proof.Envelope)
	isOfEvent := utf8.Valid(data) && json.Unmarshal(data, &envelope) == nil && decodeInto(data, &held) == nil &&
		held.ID == proof.EventID && held.Sequence == proof.LeafIndex+1 && proof.Sequence == proof.LeafIndex+1
	if !isOfEvent {
		return nil, broken(CheckpointMalformed, "the envelope is of another event than it is said to be")
	}
	disclosed, err := disclosedOf(proof.Disclosures, held.Private)
	if err != nil {
		return nil, err
	}
	return &ProvedEvent{checkpoint, held.ID, held.Sequence, data, disclosed}, nil
}

// disclosedOf returns values by name. A disclosure is ["salt","name",value], and its SHA-256 is among the digests,
// once.
func disclosedOf(disclosures, digests []string) (map[string]json.RawMessage, error) {
	left := map[string]bool{}
	for _, digest := range digests {
		left[digest] = true
	}
	disclosed := map[string]json.RawMessage{}
	for _, text := range disclosures {
		sum := sha256.Sum256([]byte(text))
		digest := base64.StdEncoding.EncodeToString(sum[:])
		var parts []json.RawMessage
		var name *string
		isWhole := json.Unmarshal([]byte(text), &parts) == nil && len(parts) == 3 &&
			json.Unmarshal(parts[1], &name) == nil && name != nil
		if !isWhole || !left[digest] {
			return nil, broken(CheckpointDisclosureMismatch, "what is disclosed is not what the log commits to")
		}
		if _, isThere := disclosed[*name]; isThere {
			return nil, broken(CheckpointDisclosureMismatch, "%q is disclosed twice", *name)
		}
		delete(left, digest)
		disclosed[*name] = parts[2]
	}
	return disclosed, nil
}

// ---- Signed notes (c2sp.org/signed-note) and checkpoints (c2sp.org/tlog-checkpoint)

const (
	algEd25519    = 1
	noteBytesMax  = 1_000_000
	signaturesMax = 100
	keyIDBytes    = 4
	// What a number holds in every language that reads these logs.
	sizeMax = 1<<53 - 1
)

var epoch = regexp.MustCompile(`/(?:[2-9]|[1-9][0-9]{1,8})-[0-9a-f]{8}$`)

// logOf leaves out the epoch: <log>/<epoch>-<8 hex digits> is the log, begun anew.
func logOf(origin string) string {
	return epoch.ReplaceAllString(origin, "")
}

type verifier struct {
	name      string
	publicKey ed25519.PublicKey
}

var verifierForm = regexp.MustCompile(`^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$`)

// parseVerifier reads <name>+<key id>+<base64 of 1 and the public key>.
func parseVerifier(key string) (verifier, error) {
	parts := verifierForm.FindStringSubmatch(key)
	if parts == nil {
		return verifier{}, fmt.Errorf("%q, which is not a verifier key", key)
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(parts[3])
	if err != nil || len(raw) != 1+ed25519.PublicKeySize || raw[0] != algEd25519 {
		return verifier{}, fmt.Errorf("%q, which is not the verifier key of an Ed25519 key", key)
	}
	v := verifier{parts[1], raw[1:]}
	if fmt.Sprintf("%08x", v.idAs(v.name)) != parts[2] {
		return verifier{}, fmt.Errorf("the verifier key %q, whose id is not of its name and bytes: it was cut or changed", key)
	}
	return v, nil
}

// idAs is the id of the key where it signs under a name.
func (v verifier) idAs(name string) uint32 {
	sum := sha256.Sum256(append([]byte(name+"\n\x01"), v.publicKey...))
	return binary.BigEndian.Uint32(sum[:keyIDBytes])
}

type noteSignature struct {
	name      string
	keyID     uint32
	signature []byte
}

// openCheckpoint returns the checkpoint of a note that a key of its log has signed. A key counts for all origins
// of its log, and for no other log.
func openCheckpoint(note string, keys []string) (*Checkpoint, error) {
	checkpoint, signatures, err := parseCheckpoint(note)
	if err != nil {
		return nil, err
	}
	known := map[uint32]ed25519.PublicKey{}
	for _, key := range keys {
		v, err := parseVerifier(key)
		if err != nil {
			return nil, broken(CheckpointMalformed, "there is %s", err)
		}
		if logOf(v.name) == logOf(checkpoint.Origin) {
			known[v.idAs(checkpoint.Origin)] = v.publicKey
		}
	}
	text := []byte(note[:strings.LastIndex(note, "\n\n")+1])
	isSigned := false
	for _, s := range signatures {
		publicKey, isKnown := known[s.keyID]
		if s.name != checkpoint.Origin || !isKnown {
			continue
		}
		if len(s.signature) != ed25519.SignatureSize || !ed25519.Verify(publicKey, text, s.signature) {
			return nil, broken(CheckpointSignatureMismatch, "the signature of %s by key %08x is not of this checkpoint", s.name, s.keyID)
		}
		isSigned = true
	}
	if !isSigned {
		return nil, broken(CheckpointUnknownKey, "no key that is trusted has signed the checkpoint of %s; was the key exchanged?",
			checkpoint.Origin)
	}
	return checkpoint, nil
}

// parseCheckpoint checks the form alone, and not who signed.
func parseCheckpoint(note string) (*Checkpoint, []noteSignature, error) {
	malformed := broken(CheckpointMalformed, "it is not a checkpoint: origin, size and root, an empty line, and signatures")
	end := strings.LastIndex(note, "\n\n")
	if len(note) > noteBytesMax || end < 0 || !strings.HasSuffix(note, "\n") || !utf8.ValidString(note) {
		return nil, nil, malformed
	}
	text, below := note[:end], strings.Split(strings.TrimSuffix(note[end+2:], "\n"), "\n")
	isControl := func(r rune) bool { return r < ' ' && r != '\n' }
	if strings.ContainsFunc(text, isControl) || len(below) > signaturesMax {
		return nil, nil, malformed
	}
	signatures := make([]noteSignature, len(below))
	for i, line := range below {
		name, encoded, isWhole := strings.Cut(strings.TrimPrefix(line, "— "), " ")
		raw, err := base64.StdEncoding.Strict().DecodeString(encoded)
		isNamed := strings.HasPrefix(line, "— ") && isWhole && name != "" && !strings.ContainsAny(name, "+ \t")
		if !isNamed || strings.Contains(encoded, "\r") || err != nil || len(raw) <= keyIDBytes {
			return nil, nil, malformed
		}
		signatures[i] = noteSignature{name, binary.BigEndian.Uint32(raw), raw[keyIDBytes:]}
	}
	lines := strings.Split(text, "\n")
	// After the third line there may be more, which hold anything but nothing.
	if len(lines) < 3 || slices.Contains(lines, "") {
		return nil, nil, malformed
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	root := hashOf(lines[2])
	if err != nil || size < 0 || size > sizeMax || strconv.FormatInt(size, 10) != lines[1] || root == nil {
		return nil, nil, malformed
	}
	return &Checkpoint{Origin: lines[0], Size: size, Root: root, Note: note}, signatures, nil
}

// hashOf reads the one text that stands for a hash; nil for any other.
func hashOf(encoded string) []byte {
	hash, err := base64.StdEncoding.Strict().DecodeString(encoded)
	if err != nil || len(hash) != sha256.Size || base64.StdEncoding.EncodeToString(hash) != encoded {
		return nil
	}
	return hash
}

func hashesOf(encoded []string) ([][]byte, bool) {
	hashes := make([][]byte, len(encoded))
	for i, one := range encoded {
		if hashes[i] = hashOf(one); hashes[i] == nil {
			return nil, false
		}
	}
	return hashes, true
}

// ---- Proofs (RFC 9162 §2.1.3.2 and §2.1.4.2)

// isIncluded tells whether a hash is the leaf of that index in the tree of size.
func isIncluded(leaf []byte, index, size int64, proof [][]byte, root []byte) bool {
	if index < 0 || index >= size {
		return false
	}
	node, last, hash := index, size-1, leaf
	for _, sibling := range proof {
		if last == 0 {
			return false
		}
		if node&1 == 1 || node == last {
			hash = nodeHash(sibling, hash)
			for node&1 == 0 && node != 0 {
				node, last = node>>1, last>>1
			}
		} else {
			hash = nodeHash(hash, sibling)
		}
		node, last = node>>1, last>>1
	}
	return last == 0 && bytes.Equal(hash, root)
}

// isConsistent tells whether the tree of newSize, which is larger, has that of oldSize as its beginning.
func isConsistent(oldSize int64, oldRoot []byte, newSize int64, newRoot []byte, proof [][]byte) bool {
	if oldSize == 0 {
		empty := sha256.Sum256(nil)
		return len(proof) == 0 && bytes.Equal(oldRoot, empty[:])
	}
	path := proof
	if bits.OnesCount64(uint64(oldSize)) == 1 {
		path = append([][]byte{oldRoot}, proof...)
	}
	if len(path) == 0 {
		return false
	}
	node, last := oldSize-1, newSize-1
	for node&1 == 1 {
		node, last = node>>1, last>>1
	}
	oldHash, newHash := path[0], path[0]
	for _, sibling := range path[1:] {
		if last == 0 {
			return false
		}
		if node&1 == 1 || node == last {
			oldHash, newHash = nodeHash(sibling, oldHash), nodeHash(sibling, newHash)
			for node&1 == 0 && node != 0 {
				node, last = node>>1, last>>1
			}
		} else {
			newHash = nodeHash(newHash, sibling)
		}
		node, last = node>>1, last>>1
	}
	return last == 0 && bytes.Equal(oldHash, oldRoot) && bytes.Equal(newHash, newRoot)
}

func nodeHash(left, right []byte) []byte {
	sum := sha256.Sum256(slices.Concat([]byte{1}, left, right))
	return sum[:]
}
