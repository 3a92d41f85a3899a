// Reads logs made by packages/trail from standard input, one JSON object a line, and answers for each whether the proofs, the root and the note are
// those of two implementations that know nothing of ours: github.com/transparency-dev/merkle and golang.org/x/mod/sumdb/note.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"reflect"

	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"github.com/transparency-dev/merkle/testonly"
	"golang.org/x/mod/sumdb/note"
)

type question struct {
	Leaves      [][]byte `json:"leaves"`
	Index       uint64   `json:"index"`
	OldSize     uint64   `json:"old_size"`
	Inclusion   [][]byte `json:"inclusion"`
	Consistency [][]byte `json:"consistency"`
	OldRoot     []byte   `json:"old_root"`
	Root        []byte   `json:"root"`
	Note        string   `json:"note"`
	Verifier    string   `json:"verifier"`
	Text        string   `json:"text"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(judge(asked))
	}
}

func judge(asked question) string {
	tree := testonly.New(rfc6962.DefaultHasher)
	tree.AppendData(asked.Leaves...)
	size := uint64(len(asked.Leaves))
	if !reflect.DeepEqual(tree.Hash(), asked.Root) || !reflect.DeepEqual(tree.HashAt(asked.OldSize), asked.OldRoot) {
		return "another root"
	}
	leaf := rfc6962.DefaultHasher.HashLeaf(asked.Leaves[asked.Index])
	if err := proof.VerifyInclusion(rfc6962.DefaultHasher, asked.Index, size, leaf, asked.Inclusion, asked.Root); err != nil {
		return err.Error()
	}
	if err := proof.VerifyConsistency(rfc6962.DefaultHasher, asked.OldSize, size, asked.Consistency, asked.OldRoot, asked.Root); err != nil {
		return err.Error()
	}
	verifier, err := note.NewVerifier(asked.Verifier)
	if err != nil {
		return err.Error()
	}
	opened, err := note.Open([]byte(asked.Note), note.VerifierList(verifier))
	if err != nil {
		return err.Error()
	}
	if opened.Text != asked.Text {
		return "another text"
	}
	return "agreed"
}
