package svc

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

func TestStoresTellNothingFromAnEmptyText(t *testing.T) {
	for name, store := range map[string]CheckpointStore{
		"memory": &MemoryStore{},
		"file":   FileStore(filepath.Join(t.TempDir(), "checkpoint.json")),
	} {
		if _, err := store.Load(); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: nothing is %v", name, err)
		}
		for _, want := range []string{"", "first", "second"} {
			if err := store.Save(want); err != nil {
				t.Fatal(err)
			}
			if got, err := store.Load(); got != want || err != nil {
				t.Errorf("%s: %q is %q, %v", name, want, got, err)
			}
		}
	}
}

func TestAFileStoreIsForItsOwnerAndIsWholeAtAllTimes(t *testing.T) {
	folder := t.TempDir()
	store := FileStore(filepath.Join(folder, "checkpoint.json"))
	// As it was before this library had it.
	if err := os.WriteFile(string(store), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var saving sync.WaitGroup
	for writer := range 4 {
		saving.Add(1)
		go func() {
			defer saving.Done()
			for range 25 {
				if err := store.Save(strings.Repeat(strconv.Itoa(writer), 100_000)); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	done := make(chan struct{})
	go func() { saving.Wait(); close(done) }()
	for isDone := false; !isDone; {
		select {
		case <-done:
			isDone = true
		default:
		}
		text, err := store.Load()
		if err != nil {
			t.Fatal(err)
		}
		if text != "" && text != strings.Repeat(text[:1], 100_000) {
			t.Fatalf("it holds %d bytes of two texts", len(text))
		}
	}
	info, err := os.Stat(string(store))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
	if left, _ := os.ReadDir(folder); len(left) != 1 {
		t.Errorf("it leaves %v behind", left)
	}
	if err := FileStore(filepath.Join(folder, "no", "such")).Save("x"); err == nil {
		t.Error("it saves where there is no folder")
	}
}

func TestAMemoryWithoutKeysIsAskedForByItsName(t *testing.T) {
	var none []string
	var ours Error
	for _, keys := range [][]string{none, {}, {""}, {" ", "\n"}} {
		if _, err := NewCheckpointMemory(&MemoryStore{}, keys...); !errors.As(err, &ours) {
			t.Errorf("%q: %v", keys, err)
		}
	}
	lines := strings.Split(evidence(t).Keys[0]+"\r\n", "\n")
	if _, err := NewCheckpointMemory(&MemoryStore{}, lines...); err != nil {
		t.Error(err)
	}
}

func TestKeysThatAreRetiredAreNotTrustedAtFirst(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		answerJSON(w, 200, whole(AuditKeys{Keys: []AuditKey{
			{VerifierKey: "old", Status: KeyStatusRetired}, {VerifierKey: "new", Status: KeyStatusActive},
		}}))
	})
	if keys, err := keysInForce(context.Background(), client); err != nil || !slices.Equal(keys, []string{"new"}) {
		t.Errorf("got %v, %v", keys, err)
	}
}

func TestAKeyThatIsNoneIsRefusedAtOnce(t *testing.T) {
	for _, key := range []string{
		"", "svc+0", "localhost/org/org_1+00000000+AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAh",
	} {
		var ours Error
		if _, err := NewCheckpointMemory(&MemoryStore{}, key); !errors.As(err, &ours) {
			t.Errorf("%q: %v", key, err)
		}
	}
}

type evidenceVectors struct {
	Keys      []string
	Inclusion []struct {
		Leaf, Root  string
		Index, Size int64
		Hashes      []string
		Holds       bool
	}
}

func evidence(t *testing.T) (vectors evidenceVectors) {
	t.Helper()
	text, err := os.ReadFile("../conformance/evidence.json")
	if os.IsNotExist(err) {
		t.Skip("the vectors are in the repository alone")
	}
	if err == nil {
		err = json.Unmarshal(text, &vectors)
	}
	if err != nil {
		t.Fatal(err)
	}
	return vectors
}

func TestALeafIsInATreeOrIsNot(t *testing.T) {
	vectors := evidence(t).Inclusion
	if len(vectors) == 0 {
		t.Fatal("there are no vectors")
	}
	for i, c := range vectors {
		hashes, areHashes := hashesOf(c.Hashes)
		if got := areHashes && isIncluded(hashOf(c.Leaf), c.Index, c.Size, hashes, hashOf(c.Root)); got != c.Holds {
			t.Errorf("%d. is %v", i, got)
		}
	}
}

// provedEvent is the second of three leaves, and a key that has signed them.
func provedEvent(change func(*EventProof)) (*EventProof, string) {
	const origin = "localhost/org/org_1"
	private := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	public := private.Public().(ed25519.PublicKey)
	v := verifier{origin, public}
	encoded := func(data ...byte) string { return base64.StdEncoding.EncodeToString(data) }
	digest := func(text string) []byte { sum := sha256.Sum256([]byte(text)); return sum[:] }
	disclosure := `["salt","subject",{"Key":1}]`
	proof := &EventProof{
		EventID: "evt_2", Sequence: 2, LeafIndex: 1, TreeSize: 3, Disclosures: []string{disclosure},
		Envelope: `{"id":"evt_2","private":["` + encoded(digest(disclosure)...) + `","` + encoded(digest("kept")...) + `"],"sequence":2}`,
	}
	if change != nil {
		change(proof)
	}
	leaf, first, third := digest("\x00"+proof.Envelope), digest("\x00one"), digest("\x00three")
	root := nodeHash(nodeHash(first, leaf), third)
	text := origin + "\n3\n" + encoded(root...) + "\n"
	signature := append(binary.BigEndian.AppendUint32(nil, v.idAs(origin)), ed25519.Sign(private, []byte(text))...)
	proof.LeafHash, proof.Root = encoded(leaf...), encoded(root...)
	proof.Hashes = []string{encoded(first...), encoded(third...)}
	proof.Checkpoint = text + "\n— " + origin + " " + encoded(signature...) + "\n"
	return proof, fmt.Sprintf("%s+%08x+%s", origin, v.idAs(origin), encoded(append([]byte{algEd25519}, public...)...))
}

func TestAProofShowsAnEventAndWhatIsDisclosedOfIt(t *testing.T) {
	proof, key := provedEvent(nil)
	proved, err := VerifyEventProof(proof, key+"\n", "")
	if err != nil {
		t.Fatal(err)
	}
	isRight := proved.EventID == "evt_2" && proved.Sequence == 2 && proved.Checkpoint.Size == 3 &&
		string(proved.Envelope) == proof.Envelope && len(proved.Disclosed) == 1 && string(proved.Disclosed["subject"]) == `{"Key":1}`
	if !isRight {
		t.Errorf("got %+v", proved)
	}
}

func TestAProofThatDoesNotHoldNamesTheRuleThatItBreaks(t *testing.T) {
	_, key := provedEvent(nil)
	for name, c := range map[string]struct {
		// Before it is signed, and after.
		made, changed func(*EventProof)
		keys          []string
		want          CheckpointRule
	}{
		"no key":              {nil, nil, []string{}, CheckpointUnknownKey},
		"no checkpoint":       {nil, func(p *EventProof) { p.Checkpoint = "" }, nil, CheckpointMalformed},
		"another checkpoint":  {nil, func(p *EventProof) { p.Checkpoint = strings.Replace(p.Checkpoint, "\n3\n", "\n4\n", 1) }, nil, CheckpointSignatureMismatch},
		"another envelope":    {nil, func(p *EventProof) { p.Envelope += " " }, nil, CheckpointNotIncluded},
		"another leaf hash":   {nil, func(p *EventProof) { p.LeafHash = p.Root }, nil, CheckpointNotIncluded},
		"another root":        {nil, func(p *EventProof) { p.Root = p.LeafHash }, nil, CheckpointNotIncluded},
		"another size":        {nil, func(p *EventProof) { p.TreeSize = 4 }, nil, CheckpointNotIncluded},
		"another place":       {nil, func(p *EventProof) { p.LeafIndex, p.Sequence = 0, 1 }, nil, CheckpointNotIncluded},
		"a place outside":     {nil, func(p *EventProof) { p.LeafIndex = -1 }, nil, CheckpointNotIncluded},
		"a hash that is none": {nil, func(p *EventProof) { p.Hashes[0] = "x" }, nil, CheckpointNotIncluded},
		"a hash less":         {nil, func(p *EventProof) { p.Hashes = p.Hashes[1:] }, nil, CheckpointNotIncluded},
		"another id":          {nil, func(p *EventProof) { p.EventID = "evt_3" }, nil, CheckpointMalformed},
		"another sequence":    {nil, func(p *EventProof) { p.Sequence = 3 }, nil, CheckpointMalformed},
		"an envelope of another id": {func(p *EventProof) {
			p.Envelope = strings.Replace(p.Envelope, `"id":"evt_2"`, `"id":"evt_3","ID":"evt_2"`, 1)
		},
			nil, nil, CheckpointMalformed},
		"an envelope that is none": {func(p *EventProof) { p.Envelope = "[]" }, nil, nil, CheckpointMalformed},
		"another disclosure": {nil, func(p *EventProof) { p.Disclosures[0] = strings.Replace(p.Disclosures[0], "1", "2", 1) }, nil,
			CheckpointDisclosureMismatch},
		"one disclosure twice": {nil, func(p *EventProof) { p.Disclosures = append(p.Disclosures, p.Disclosures[0]) }, nil,
			CheckpointDisclosureMismatch},
		"a disclosure that is none": {nil, func(p *EventProof) { p.Disclosures = []string{"kept"} }, nil, CheckpointDisclosureMismatch},
	} {
		proof, _ := provedEvent(c.made)
		if c.changed != nil {
			c.changed(proof)
		}
		keys := c.keys
		if keys == nil {
			keys = []string{key}
		}
		proved, err := VerifyEventProof(proof, keys...)
		var broken *CheckpointError
		if !errors.As(err, &broken) || broken.Rule != c.want {
			t.Errorf("%s: %+v, %v, not %s", name, proved, err, c.want)
		}
	}
	if _, err := VerifyEventProof(nil, key); err == nil {
		t.Error("no proof is taken for one")
	}
}
