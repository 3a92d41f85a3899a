package svc

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
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
