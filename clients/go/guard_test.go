package svc

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// streamServer releases each chunk as it comes, but for one with "BAD", which is blocked.
type streamServer struct {
	mu     sync.Mutex
	chunks []StreamChunk
	// Blocks the input.
	isBlocked bool
	// Answers chunks with this status.
	fails int
	// The last chunk is answered after this.
	beforeFinal <-chan struct{}
}

func (s *streamServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/chunks") {
		answerJSON(w, 201, `{"id":"str_1","assessment":{"outcome":"`+s.outcome(s.isBlocked)+`"}}`)
		return
	}
	var chunk StreamChunk
	if err := json.NewDecoder(r.Body).Decode(&chunk); err != nil {
		answerJSON(w, 400, `{}`)
		return
	}
	if chunk.Final != nil && s.beforeFinal != nil {
		<-s.beforeFinal
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fails != 0 {
		answerJSON(w, s.fails, `{}`)
		return
	}
	s.chunks = append(s.chunks, chunk)
	text, _ := chunk.Delta.(Text)
	isBlocked := slices.ContainsFunc(s.chunks, func(c StreamChunk) bool {
		text, _ := c.Delta.(Text)
		return strings.Contains(string(text), "BAD")
	})
	if isBlocked {
		text = ""
	}
	released, _ := json.Marshal(text)
	assessment := "null"
	if chunk.Final != nil {
		assessment = `{"id":"asm_1","outcome":"` + s.outcome(isBlocked) + `"}`
	}
	answerJSON(w, 200, `{"released":`+string(released)+`,"outcome":"`+s.outcome(isBlocked)+`","assessment":`+assessment+`}`)
}

func (s *streamServer) outcome(isBlocked bool) string {
	if isBlocked {
		return "blocked"
	}
	return "allowed"
}

// sent tells what came: texts, and a full stop for the last chunk.
func (s *streamServer) sent() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := ""
	for i, chunk := range s.chunks {
		if chunk.Seq != int64(i) {
			return "out of order: " + strconv.Itoa(i)
		}
		if chunk.Final != nil {
			all += "."
		} else {
			text, _ := chunk.Delta.(Text)
			all += string(text)
		}
	}
	return all
}

type source struct {
	pieces []string
	err    error
	// Before the piece of this index it waits for its context, as a model that thinks.
	hangsAt int
	ctx     context.Context
	read    int
	isOver  bool
}

func (s *source) all() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		defer func() { s.isOver = true }()
		for i, piece := range s.pieces {
			if s.ctx != nil && i == s.hangsAt {
				<-s.ctx.Done()
				yield("", s.ctx.Err())
				return
			}
			s.read++
			if !yield(piece, nil) {
				return
			}
		}
		if s.err != nil {
			yield("", s.err)
		}
	}
}

// noLeak fails where goroutines of the guard are left, after those of connections have had their time.
func noLeak(t *testing.T) {
	t.Helper()
	deadline := time.Now().Add(5 * time.Second)
	for {
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		if !strings.Contains(string(stacks), "aheadReader).readAll") {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("a goroutine is left:\n%s", stacks)
		}
		runtime.Gosched()
	}
}

func collect(guarded *GuardedStream) (text string, last error) {
	for piece, err := range guarded.All() {
		text, last = text+piece, err
	}
	return text, last
}

var question = StreamInference{Input: Text("hi")}

func TestAGuardedStreamReleasesAllAndTellsWhatBecameOfIt(t *testing.T) {
	server := &streamServer{}
	client, _ := serve(t, server.ServeHTTP)
	model := &source{pieces: []string{"one ", "", "two ", "three"}}
	guarded := client.GuardStream(context.Background(), model.all(), question)
	if guarded.Assessment() != nil || guarded.Outcome() != "" {
		t.Error("it has an outcome before it has begun")
	}
	text, err := collect(guarded)
	if text != "one two three" || err != nil || server.sent() != "one two three." || guarded.Outcome() != OutcomeAllowed || guarded.Assessment().ID != "asm_1" {
		t.Errorf("released %q, %v; sent %q; %s", text, err, server.sent(), guarded.Outcome())
	}
	if _, err := collect(guarded); err == nil {
		t.Error("it can be gone over twice")
	}
	noLeak(t)
}

func TestChunksAreAtLeastTheirIntervalApart(t *testing.T) {
	server := &streamServer{}
	client, _ := serve(t, server.ServeHTTP)
	pieces := func(yield func(string, error) bool) {
		for range 20 {
			time.Sleep(5 * time.Millisecond)
			if !yield("x", nil) {
				return
			}
		}
	}
	began := time.Now()
	if text, err := collect(client.GuardStream(context.Background(), pieces, question)); len(text) != 20 || err != nil {
		t.Fatalf("released %q, %v", text, err)
	}
	if took, n := time.Since(began), len(server.chunks); took < time.Duration(n-1)*chunkInterval {
		t.Errorf("%d chunks in %s", n, took)
	}
}

func TestABlockedQuestionNeverReachesTheModel(t *testing.T) {
	server := &streamServer{isBlocked: true}
	client, _ := serve(t, server.ServeHTTP)
	model := &source{pieces: []string{"one"}}
	guarded := client.GuardStream(context.Background(), model.all(), question)
	text, err := collect(guarded)
	if text != "" || err != nil || model.read != 0 || model.isOver || guarded.Outcome() != OutcomeBlocked || server.sent() != "" {
		t.Errorf("released %q, %v; read %d; %s", text, err, model.read, guarded.Outcome())
	}
	noLeak(t)
}

func TestABlockedAnswerClosesTheModelAndIsRecordedAtOnce(t *testing.T) {
	// The model hears of it before the service has taken the last chunk.
	closed := make(chan struct{})
	server := &streamServer{beforeFinal: closed}
	client, _ := serve(t, server.ServeHTTP, WithTimeout(2*time.Second))
	model := func(yield func(string, error) bool) {
		defer close(closed)
		for yield("BAD ", nil) {
			time.Sleep(time.Millisecond)
		}
	}
	guarded := client.GuardStream(context.Background(), model, question)
	text, err := collect(guarded)
	if text != "" || err != nil || guarded.Outcome() != OutcomeBlocked || !strings.HasSuffix(server.sent(), ".") {
		t.Errorf("released %q, %v; sent %q; %s", text, err, server.sent(), guarded.Outcome())
	}
	noLeak(t)
}

func TestAFaultOfTheModelComesLastAndTheStreamIsRecorded(t *testing.T) {
	server := &streamServer{}
	client, _ := serve(t, server.ServeHTTP)
	fault := errors.New("the model broke off")
	guarded := client.GuardStream(context.Background(), (&source{pieces: []string{"one ", "two"}, err: fault}).all(), question)
	text, err := collect(guarded)
	if text != "one two" || err != fault || server.sent() != "one two." || guarded.Outcome() != OutcomeAllowed {
		t.Errorf("released %q, %v; sent %q; %q", text, err, server.sent(), guarded.Outcome())
	}
	noLeak(t)
}

func TestWhoStopsListeningClosesTheModelAndTheStreamIsRecorded(t *testing.T) {
	server := &streamServer{}
	client, _ := serve(t, server.ServeHTTP)
	isClosed := false
	model := func(yield func(string, error) bool) {
		defer func() { isClosed = true }()
		for yield("x", nil) {
			time.Sleep(time.Millisecond)
		}
	}
	guarded := client.GuardStream(context.Background(), model, question)
	for range guarded.All() {
		break
	}
	if !isClosed || !strings.HasSuffix(server.sent(), ".") || guarded.Outcome() != OutcomeAllowed {
		t.Errorf("closed %v; sent %q; %q", isClosed, server.sent(), guarded.Outcome())
	}
	noLeak(t)
}

func TestACancelledContextEndsAGuardedStreamWhoseModelHangs(t *testing.T) {
	server := &streamServer{}
	client, _ := serve(t, server.ServeHTTP)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	model := &source{pieces: []string{"one", "never"}, hangsAt: 1, ctx: ctx}
	guarded := client.GuardStream(ctx, model.all(), question)
	text, last := "", error(nil)
	for piece, err := range guarded.All() {
		text, last = text+piece, err
		cancel()
	}
	if text != "one" || !errors.Is(last, context.Canceled) || !model.isOver || guarded.Outcome() != "" {
		t.Errorf("released %q, %v; over %v", text, last, model.isOver)
	}
	noLeak(t)
}

func TestARefusedChunkEndsTheStreamAndTheModel(t *testing.T) {
	server := &streamServer{fails: 409}
	client, _ := serve(t, server.ServeHTTP)
	model := &source{pieces: []string{"one", "two"}}
	text, err := collect(client.GuardStream(context.Background(), model.all(), question))
	var failed *APIError
	if text != "" || !errors.As(err, &failed) || !model.isOver {
		t.Errorf("released %q, %v; over %v", text, err, model.isOver)
	}
	noLeak(t)
}

func TestAPanicOfTheModelReachesWhoListens(t *testing.T) {
	server := &streamServer{}
	client, _ := serve(t, server.ServeHTTP)
	defer func() {
		if recover() != "the model is broken" {
			t.Error("the panic was lost")
		}
		noLeak(t)
	}()
	_, _ = collect(client.GuardStream(context.Background(), func(func(string, error) bool) { panic("the model is broken") }, question))
	t.Error("it ended as if nothing had been")
}

func TestALoopThatPanicsLeavesNothingBehind(t *testing.T) {
	server := &streamServer{}
	client, _ := serve(t, server.ServeHTTP)
	model := &source{pieces: []string{"one", "two"}}
	func() {
		defer func() { _ = recover() }()
		for range client.GuardStream(context.Background(), model.all(), question).All() {
			panic("of the loop")
		}
	}()
	if !model.isOver {
		t.Error("the model is not closed")
	}
	noLeak(t)
}

func TestCharactersThatComeInPiecesStayWhole(t *testing.T) {
	server := &streamServer{}
	client, _ := serve(t, server.ServeHTTP)
	whole := "é€😀 and a half: \xf0\x9f"
	model := func(yield func(string, error) bool) {
		for i := range len(whole) {
			if !yield(whole[i:i+1], nil) {
				return
			}
			time.Sleep(4 * time.Millisecond)
		}
	}
	text, err := collect(client.GuardStream(context.Background(), model, question))
	// What is not UTF-8 is replaced, once it is known that nothing follows.
	if err != nil || text != "é€😀 and a half: \ufffd\ufffd" {
		t.Errorf("released %q, %v", text, err)
	}
}

func TestALongPieceIsCutBetweenCharacters(t *testing.T) {
	server := &streamServer{}
	client, _ := serve(t, server.ServeHTTP)
	long := "x" + strings.Repeat("😀", 70_000)
	text, err := collect(client.GuardStream(context.Background(), (&source{pieces: []string{long}}).all(), question))
	if err != nil || text != long || len(server.chunks) != 4 {
		t.Fatalf("released %d bytes in %d chunks, %v", len(text), len(server.chunks), err)
	}
	for _, chunk := range server.chunks {
		part, _ := chunk.Delta.(Text)
		if units := len(utf16.Encode([]rune(string(part)))); units > deltaUnitsMax || !utf8.ValidString(string(part)) {
			t.Errorf("a chunk has %d units", units)
		}
	}
}

func TestAModelThatIsFarAheadWaits(t *testing.T) {
	server := &streamServer{}
	client, _ := serve(t, server.ServeHTTP)
	piece := strings.Repeat("x", 64<<10)
	ahead, most, taken := 0, 0, 0
	var mu sync.Mutex
	model := func(yield func(string, error) bool) {
		for range 40 {
			if !yield(piece, nil) {
				return
			}
			mu.Lock()
			ahead += len(piece)
			most = max(most, ahead-taken)
			mu.Unlock()
		}
	}
	for text, err := range client.GuardStream(context.Background(), model, question).All() {
		if err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		taken += len(text)
		mu.Unlock()
	}
	if taken != 40*len(piece) || most > aheadBytesMax+4*len(piece) {
		t.Errorf("took %d bytes, up to %d ahead", taken, most)
	}
}
