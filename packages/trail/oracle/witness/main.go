// A real witness for tests: the handler of github.com/transparency-dev/witness with a key of its own and its state in memory. Says its address and its
// verifier key on the first line; trusts each log whose verifier key it reads as a line, and says so; ends with its input.
package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"

	fnote "github.com/transparency-dev/formats/note"
	"github.com/transparency-dev/witness/persistence/inmemory"
	"github.com/transparency-dev/witness/witness"
	"golang.org/x/mod/sumdb/note"
)

const name = "witness.example.com/test"

func main() {
	secret, public, err := note.GenerateKey(rand.Reader, name)
	check(err)
	verifier, err := fnote.VKeyToCosignatureV1(public)
	check(err)
	signer, err := fnote.NewSignerForCosignatureV1(secret)
	check(err)
	var logs sync.Map
	witnessing, err := witness.New(context.Background(), witness.Opts{
		Persistence: inmemory.New(),
		Signers:     []note.Signer{signer},
		VerifierForLog: func(_ context.Context, origin string) (note.Verifier, bool, error) {
			verifier, ok := logs.Load(origin)
			if !ok {
				return nil, false, nil
			}
			return verifier.(note.Verifier), true, nil
		},
	})
	check(err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /add-checkpoint", witness.NewHTTPHandler(witnessing).AddCheckpoint)
	go func() { check(http.Serve(listener, mux)) }()
	fmt.Printf("http://%s %s\n", listener.Addr(), verifier)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		verifier, err := note.NewVerifier(lines.Text())
		check(err)
		logs.Store(verifier.Name(), verifier)
		fmt.Printf("trusted %s\n", verifier.Name())
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
