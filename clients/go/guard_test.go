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
	// The last chunk is never answered.
	hangsAtFinal bool
	// What each chunk takes.
	takes time.Duration
	// When a chunk came, and when it was answered.
	came, answeredAt []time.Time
}

func (s *streamServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/chunks") {
		answerJSON(w, 201, whole(Stream{ID: "str_1", Assessment: Assessment{ID: "asm_1", Outcome: s.outcome(s.isBlocked)}}))
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
	if chunk.Final != nil && s.hangsAtFinal {
		<-r.Context().Done()
		return
	}
	came := time.Now()
	time.Sleep(s.takes)
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() { s.came, s.answeredAt = append(s.came, came), append(s.answeredAt, time.Now()) }()
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
	result := StreamChunkResult{Seq: chunk.Seq, Released: string(text), Outcome: s.outcome(isBlocked)}
	if chunk.Final != nil {
		result.Assessment = &Assessment{ID: "asm_1", Outcome: result.Outcome}
	}
	answerJSON(w, 200, whole(result))
}

func (s *streamServer) outcome(isBlocked bool) Outcome {
	if isBlocked {
		return OutcomeBlocked
	}
	return OutcomeAllowed
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
	// Measured from the answer before: one that takes its time leaves the next its own.
	server.takes = chunkInterval
	if text, err := collect(client.GuardStream(context.Background(), pieces, question)); len(text) != 20 || err != nil {
		t.Fatalf("released %q, %v", text, err)
	}
	for i := range len(server.came) - 1 {
		// The end of an answer is a little later than the server has it, and so is the next chunk.
		if gap := server.came[i+1].Sub(server.answeredAt[i]); gap < chunkInterval-time.Millisecond {
			t.Errorf("chunk %d comes %s after the answer before", i+1, gap)
		}
	}
}

func TestAModelThatThinksLongKeepsItsStream(t *testing.T) {
	server := &streamServer{}
	client, _ := serve(t, server.ServeHTTP)
	var guarded *GuardedStream
	model := func(yield func(string, error) bool) {
		// Whatever a chunk brings must not begin the silence anew before its time.
		for _, piece := range []string{"one", " two"} {
			for {
				server.mu.Lock()
				heard := len(server.chunks)
				server.mu.Unlock()
				if heard >= 3 && piece == "one" || heard >= 7 {
					break
				}
				time.Sleep(time.Millisecond)
			}
			if !yield(piece, nil) {
				return
			}
		}
	}
	guarded = client.GuardStream(context.Background(), model, question)
	if guarded.silence != 20*time.Second {
		t.Errorf("it is silent for %s", guarded.silence)
	}
	guarded.silence = 40 * time.Millisecond
	text, err := collect(guarded)
	if text != "one two" || err != nil || server.sent() != "one two." {
		t.Fatalf("released %q, %v; sent %q", text, err, server.sent())
	}
	empty := 0
	for i, chunk := range server.chunks {
		if chunk.Delta != nil || chunk.Final != nil {
			continue
		}
		empty++
		if i > 0 && server.came[i].Sub(server.answeredAt[i-1]) < guarded.silence-time.Millisecond {
			t.Errorf("empty chunk %d comes %s after the one before", i, server.came[i].Sub(server.answeredAt[i-1]))
		}
	}
	if empty < 5 {
		t.Errorf("%d empty chunks", empty)
	}
}

func TestTheLastChunkOfWhoIsGoneIsNotWaitedForLong(t *testing.T) {
	fault := errors.New("the model broke off")
	for name, c := range map[string]struct {
		model source
		leave bool
		want  error
	}{
		"the listener left": {source{pieces: []string{"one", "two"}}, true, nil},
		"the model failed":  {source{pieces: []string{"one"}, err: fault}, false, fault},
	} {
		server := &streamServer{hangsAtFinal: true}
		client, _ := serve(t, server.ServeHTTP, WithTimeout(20*time.Second))
		guarded := client.GuardStream(context.Background(), c.model.all(), question)
		if guarded.farewell != 5*time.Second {
			t.Errorf("it takes %s", guarded.farewell)
		}
		guarded.farewell = 100 * time.Millisecond
		began, last := time.Now(), error(nil)
		for _, err := range guarded.All() {
			if last = err; c.leave {
				break
			}
		}
		if took := time.Since(began); last != c.want || took > 5*time.Second || guarded.Assessment() != nil {
			t.Errorf("%s: %v after %s", name, last, took)
		}
		noLeak(t)
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
