package svc

import (
	"context"
	"iter"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	// A stream takes 50 chunks a second; what the model writes meanwhile goes with the next one.
	chunkInterval = 25 * time.Millisecond
	// Of one chunk, in UTF-16 units, as the service counts.
	deltaUnitsMax = 65_536
	// A model that is so far ahead waits.
	aheadBytesMax = 1 << 20
	// The service ends a stream of which it has heard nothing for a minute.
	silenceMax = 20 * time.Second
	// For the last chunk where nobody listens any more, or the model failed: all tries and waits.
	farewellMax = 5 * time.Second
)

// GuardedStream is what may be shown of a model's answer. It is not safe for concurrent use.
type GuardedStream struct {
	ctx        context.Context
	streams    *StreamsService
	source     iter.Seq2[string, error]
	inference  StreamInference
	assessment *Assessment
	isStarted  bool
	silence    time.Duration
	farewell   time.Duration
}

// GuardStream releases what a model writes as it turns out to be safe:
//
//	guarded := client.GuardStream(ctx, pieces, svc.StreamInference{Input: svc.Text(question)})
//	for text, err := range guarded.All() {
//		if err != nil {
//			return err
//		}
//		fmt.Print(text)
//	}
//
// source: pieces of text, and last an error where the model failed. Where the input is blocked it is not touched.
// It is read ahead on a goroutine of its own, which has ended when All returns: so a source should end when ctx
// does.
func (c *Client) GuardStream(ctx context.Context, source iter.Seq2[string, error], inference StreamInference) *GuardedStream {
	return &GuardedStream{
		ctx: ctx, streams: c.Streams, source: source, inference: inference, silence: silenceMax, farewell: farewellMax,
	}
}

// Assessment is of the whole exchange, once the stream has ended; nil before, and where it ended with an error.
func (g *GuardedStream) Assessment() *Assessment {
	return g.assessment
}

// Outcome is that of Assessment; empty as long as that is nil.
func (g *GuardedStream) Outcome() Outcome {
	if g.assessment == nil {
		return ""
	}
	return g.assessment.Outcome
}

// All yields what is released, once. It ends early where the answer is blocked, or the question is: see Outcome.
// An error comes last: of a request, of the context, or the source's own.
func (g *GuardedStream) All() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if g.isStarted {
			yield("", errorf("a guarded stream is gone over once"))
			return
		}
		g.isStarted = true
		stream, err := g.streams.Create(g.ctx, g.inference)
		if err != nil {
			yield("", err)
			return
		}
		if stream.Assessment.Outcome == OutcomeBlocked {
			g.assessment = &stream.Assessment
			return
		}
		g.release(stream.ID, yield)
	}
}

func (g *GuardedStream) release(id string, yield func(string, error) bool) {
	chunks := &chunkSender{ctx: g.ctx, streams: g.streams, id: id, answeredAt: time.Now()}
	reader := readAhead(g.source)
	// Whatever happens here, the source has ended when this does.
	defer reader.join()
	for {
		if err := chunks.rest(); err != nil {
			yield("", err)
			return
		}
		delta, isOver, err := reader.take(g.ctx, chunks.answeredAt.Add(g.silence))
		if err != nil {
			yield("", err)
			return
		}
		if isOver {
			break
		}
		chunk := StreamChunk{}
		// Without text it says that more will come.
		if delta != "" {
			chunk.Delta = Text(delta)
		}
		result, err := chunks.send(g.ctx, chunk)
		if err != nil {
			yield("", err)
			return
		}
		if result.Released != "" && !yield(result.Released, nil) {
			g.leave(chunks, reader)
			return
		}
		if result.Outcome == OutcomeBlocked {
			reader.close()
			g.finish(chunks, nil, yield)
			return
		}
	}
	g.finish(chunks, reader.fault(), yield)
}

// finish sends the last chunk. fault: what the source failed with, which counts for more than what this comes to.
func (g *GuardedStream) finish(chunks *chunkSender, fault error, yield func(string, error) bool) {
	ctx := g.ctx
	if fault != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, g.farewell)
		defer cancel()
	}
	result, err := g.end(ctx, chunks)
	if err == nil {
		if result.Released != "" && !yield(result.Released, nil) {
			return
		}
	}
	if fault != nil {
		err = fault
	}
	if err != nil {
		yield("", err)
	}
}

// leave records the stream at once where nobody listens any more, instead of when it has been silent for a minute.
func (g *GuardedStream) leave(chunks *chunkSender, reader *aheadReader) {
	reader.close()
	ctx, cancel := context.WithTimeout(g.ctx, g.farewell)
	defer cancel()
	_, _ = g.end(ctx, chunks)
}

// end sends the last chunk, which is answered with the assessment of the whole.
func (g *GuardedStream) end(ctx context.Context, chunks *chunkSender) (*StreamChunkResult, error) {
	if err := chunks.rest(); err != nil {
		return nil, err
	}
	result, err := chunks.send(ctx, StreamChunk{Final: Ptr(true)})
	if err == nil && result.Assessment == nil {
		return nil, errorf("the last chunk was answered without an assessment")
	}
	if err == nil {
		g.assessment = result.Assessment
	}
	return result, err
}

// chunkSender sends one after another, numbered, and not too many a second.
type chunkSender struct {
	ctx     context.Context
	streams *StreamsService
	id      string
	seq     int64
	// The latest of them, or the opening.
	answeredAt time.Time
}

// rest waits until the next may be sent.
func (c *chunkSender) rest() error {
	if err := c.ctx.Err(); err != nil {
		return contextError(c.ctx)
	}
	left := time.Until(c.answeredAt.Add(chunkInterval))
	if c.seq == 0 || left <= 0 {
		return nil
	}
	return waitByTimer(c.ctx, left)
}

func (c *chunkSender) send(ctx context.Context, chunk StreamChunk) (*StreamChunkResult, error) {
	chunk.Seq = c.seq
	c.seq++
	result, err := c.streams.AppendChunk(ctx, c.id, chunk)
	c.answeredAt = time.Now()
	return result, err
}

// aheadReader reads on while a chunk is under way, so that the model does not wait for the network, and hands out
// all that came meanwhile.
type aheadReader struct {
	mu      sync.Mutex
	pending strings.Builder
	err     error
	isOver  bool
	// What the source panicked with, for whoever waits for it.
	panicked any
	// Something came, or it is over.
	changed chan struct{}
	// Something was taken.
	taken   chan struct{}
	stopped chan struct{}
	ended   chan struct{}
	once    sync.Once
}

func readAhead(source iter.Seq2[string, error]) *aheadReader {
	r := &aheadReader{
		changed: make(chan struct{}, 1),
		taken:   make(chan struct{}, 1),
		stopped: make(chan struct{}),
		ended:   make(chan struct{}),
	}
	go r.readAll(source)
	return r
}

func (r *aheadReader) readAll(source iter.Seq2[string, error]) {
	defer close(r.ended)
	defer func() {
		panicked := recover()
		r.mu.Lock()
		r.isOver, r.panicked = true, panicked
		r.mu.Unlock()
		signal(r.changed)
	}()
	for text, err := range source {
		if !r.add(text, err) {
			return
		}
	}
}

// add tells whether to read on.
func (r *aheadReader) add(text string, err error) bool {
	r.mu.Lock()
	r.pending.WriteString(text)
	r.err = err
	isFull := r.pending.Len() >= aheadBytesMax
	r.mu.Unlock()
	signal(r.changed)
	for isFull && err == nil {
		select {
		case <-r.stopped:
			return false
		case <-r.taken:
			r.mu.Lock()
			isFull = r.pending.Len() >= aheadBytesMax
			r.mu.Unlock()
		}
	}
	select {
	case <-r.stopped:
		return false
	default:
		return err == nil
	}
}

// take returns what came since, as much as fits a chunk, and waits for something until then; or that there is no
// more.
func (r *aheadReader) take(ctx context.Context, until time.Time) (text string, isOver bool, err error) {
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	for isLate := false; ; {
		if ctx.Err() != nil {
			return "", false, contextError(ctx)
		}
		r.mu.Lock()
		text, isOver := r.cut(), r.isOver
		r.mu.Unlock()
		if text != "" {
			signal(r.taken)
		}
		if text != "" || isLate || isOver {
			return text, text == "" && isOver, nil
		}
		select {
		case <-ctx.Done():
		case <-timer.C:
			isLate = true
		case <-r.changed:
		}
	}
}

// cut takes from what is pending, whole characters: the rest of one may be in the next piece.
func (r *aheadReader) cut() string {
	text := r.pending.String()
	end := chunkEnd(text, r.isOver)
	r.pending.Reset()
	r.pending.WriteString(text[end:])
	return text[:end]
}

// chunkEnd is where to cut: at most deltaUnitsMax UTF-16 units, and no character in two.
func chunkEnd(text string, isOver bool) int {
	units := 0
	for i := 0; i < len(text); {
		if !isOver && !utf8.FullRuneInString(text[i:]) {
			return i
		}
		char, size := utf8.DecodeRuneInString(text[i:])
		if units++; char > 0xffff {
			units++
		}
		if units > deltaUnitsMax {
			return i
		}
		i += size
	}
	return len(text)
}

// close tells the source to end, which hears of it at its next piece.
func (r *aheadReader) close() {
	r.once.Do(func() { close(r.stopped) })
}

// join closes the source and returns when it has ended. A panic of the source goes on here.
func (r *aheadReader) join() {
	r.close()
	<-r.ended
	if r.panicked != nil {
		panic(r.panicked)
	}
}

// fault is what the source failed with.
func (r *aheadReader) fault() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// signal leaves word, unless it is there already.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
