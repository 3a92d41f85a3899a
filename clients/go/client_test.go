package svc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const testKey = "svc_live_secret_of_this_test"

// serve starts a server, and a client of it that does not wait between its tries.
func serve(t *testing.T, handler http.HandlerFunc, opts ...Option) (*Client, *httptest.Server) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	noWait := WithWait(func(context.Context, time.Duration) error { return nil })
	client, err := New(testKey, append([]Option{WithBaseURL(server.URL), noWait}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	return client, server
}

func answerJSON(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// whole is the JSON of an answer with all the members that it must have.
func whole(value answered) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	members := map[string]any{}
	if err := json.Unmarshal(text, &members); err != nil {
		panic(err)
	}
	for _, name := range value.required() {
		name = strings.TrimSuffix(name, "?")
		if _, isThere := members[name]; isThere {
			continue
		}
		members[name] = []any{}
		if of, _ := memberType(reflect.TypeOf(value), name); of.Kind() == reflect.Map {
			members[name] = map[string]any{}
		}
	}
	text, err = json.Marshal(members)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func TestACancelledContextEndsARequestAndIsNotTriedAgain(t *testing.T) {
	var tries atomic.Int32
	began := make(chan struct{}, 10)
	client, _ := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		tries.Add(1)
		began <- struct{}{}
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-began
		cancel()
	}()
	_, err := client.Events.Get(ctx, "evt_1")
	var ours Error
	if !errors.Is(err, context.Canceled) || errors.As(err, &ours) || tries.Load() != 1 {
		t.Errorf("got %v after %d tries", err, tries.Load())
	}
}

func TestADeadlineOfTheCallerIsNotATimeOutOfATry(t *testing.T) {
	client, _ := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := client.Policy.Get(ctx); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrTimeout) {
		t.Errorf("got %v", err)
	}
	_, err := client.Policy.Get(context.Background(), WithTimeout(20*time.Millisecond), WithMaxRetries(0))
	var lost *ConnectionError
	if !errors.Is(err, ErrTimeout) || errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &lost) || !lost.Timeout() {
		t.Errorf("got %v", err)
	}
}

func TestACancelledContextEndsTheWaitBetweenTwoTries(t *testing.T) {
	refused := make(chan struct{}, 10)
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "60")
		answerJSON(w, 429, `{"error":{"code":"rate_limited","message":"Slow down."}}`)
		refused <- struct{}{}
	}, WithWait(waitByTimer))
	cause := errors.New("the user went away")
	ctx, cancel := context.WithCancelCause(context.Background())
	go func() {
		<-refused
		cancel(cause)
	}()
	if _, err := client.Assess(ctx, Inference{Input: Text("hi")}); !errors.Is(err, cause) {
		t.Errorf("got %v", err)
	}
}

func TestConnectionsAreUsedAgainAfterAnswersAndRefusals(t *testing.T) {
	var asked, opened atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch n := asked.Add(1); {
		case strings.HasSuffix(r.URL.Path, "/checkpoint"):
			_, _ = io.WriteString(w, "a text\n")
		case strings.Contains(r.URL.Path, "/tile/"):
			_, _ = io.WriteString(w, "bytes")
		case n%2 == 0:
			answerJSON(w, 404, `{"error":{"code":"not_found","message":"`+strings.Repeat("Not there. ", 2000)+`"}}`)
		default:
			answerJSON(w, 200, `{"id":"evt_1"}    `)
		}
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	client, err := New(testKey, WithBaseURL(server.URL+"///"), WithHTTPClient(&http.Client{Transport: &http.Transport{}}))
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		_, _ = client.Events.Get(context.Background(), "evt_1")
		_, _ = client.Audit.GetCheckpoint(context.Background(), AuditGetCheckpointQuery{})
		tile, err := client.Audit.GetTile(context.Background(), "0/x001/067")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(tile); string(got) != "bytes" || err != nil {
			t.Errorf("got %q, %v", got, err)
		}
		_ = tile.Close()
	}
	if asked.Load() != 15 || opened.Load() != 1 {
		t.Errorf("%d requests took %d connections", asked.Load(), opened.Load())
	}
}

// A connection that was kept is where the standard library would send again by itself.
func TestNothingIsSentAgainButByTheseRules(t *testing.T) {
	answers := map[string]answered{
		"a GET": PolicyVersion{}, "a POST with a key": Inbox{}, "a POST with a body too": Assessment{},
		"a DELETE": Session{}, "a POST without a key": SessionToken{},
	}
	for name, ask := range map[string]func(*Client) error{
		"a GET":                  func(c *Client) error { _, err := c.Policy.Get(context.Background()); return err },
		"a POST with a key":      func(c *Client) error { _, err := c.Inboxes.Create(context.Background()); return err },
		"a POST with a body too": func(c *Client) error { _, err := c.Assess(context.Background(), Inference{}); return err },
		"a DELETE":               func(c *Client) error { _, err := c.Sessions.EndToken(context.Background()); return err },
		"a POST without a key":   func(c *Client) error { _, err := c.Sessions.RefreshToken(context.Background()); return err },
	} {
		var asked atomic.Int32
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if asked.Add(1) == 1 {
				answerJSON(w, 200, whole(answers[name]))
				return
			}
			_, _ = io.Copy(io.Discard, r.Body)
			panic(http.ErrAbortHandler)
		}, WithMaxRetries(0))
		if err := ask(client); err != nil {
			t.Fatal(name, err)
		}
		err := ask(client)
		var lost *ConnectionError
		if !errors.As(err, &lost) || asked.Load() != 2 {
			t.Errorf("%s was sent %d times, and ended with %v", name, asked.Load()-1, err)
		}
	}
}

func TestADownloadMayTakeLongerThanTheTimeOutOfATry(t *testing.T) {
	goOn := make(chan struct{})
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "first ")
		w.(http.Flusher).Flush()
		<-goOn
		_, _ = io.WriteString(w, "last")
	}, WithTimeout(300*time.Millisecond))
	stream, err := client.Exports.Download(context.Background(), "exp_1")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	time.AfterFunc(600*time.Millisecond, func() { close(goOn) })
	if got, err := io.ReadAll(stream); string(got) != "first last" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestADownloadEndsWithItsContextAndWhenItIsClosed(t *testing.T) {
	gone := make(chan struct{}, 2)
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "first")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		gone <- struct{}{}
	})
	ctx, cancel := context.WithCancel(context.Background())
	stream, err := client.Exports.Download(ctx, "exp_1")
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := io.ReadAll(stream); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	<-gone
	if stream, err = client.Exports.Download(context.Background(), "exp_1"); err != nil {
		t.Fatal(err)
	}
	_ = stream.Close()
	<-gone
}

func TestTheKeyIsInNoErrorAndNoPrint(t *testing.T) {
	client, server := serve(t, func(w http.ResponseWriter, _ *http.Request) { answerJSON(w, 200, `[`) })
	_, malformed := client.Policy.Get(context.Background())
	server.Close()
	_, lost := client.Policy.Get(context.Background())
	_, option := New(testKey+"\n", WithBaseURL(server.URL))
	_, base := New(testKey, WithBaseURL("ftp://"+testKey))
	for _, err := range []error{malformed, lost, option, base} {
		var ours Error
		if !errors.As(err, &ours) {
			t.Errorf("%v is not of this library", err)
		}
		for ; err != nil; err = errors.Unwrap(err) {
			if text := fmt.Sprintf("%v %+v %#v", err, err, err); strings.Contains(text, "secret_of") {
				t.Errorf("the key is in %s", text)
			}
		}
	}
	printed := fmt.Sprintf("%v %+v %#v %s %v %+v %+v", client, client, client, client, *client, *client.t, client.Events)
	if written, _ := json.Marshal(client); strings.Contains(printed+string(written), "secret_of") {
		t.Errorf("the key is in %s %s", printed, written)
	}
}

func TestRedirectsAreNotFollowedWithTheKey(t *testing.T) {
	var asked atomic.Int32
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	}, WithHTTPClient(&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return nil }}))
	_, err := client.Policy.Get(context.Background())
	var failed *APIError
	isTold := errors.As(err, &failed) && strings.HasSuffix(failed.Message, "Is the base URL right?")
	if !isTold || failed.Status != 302 || asked.Load() != 1 {
		t.Errorf("got %v after %d requests", err, asked.Load())
	}
}

func TestOptionsThatCannotBeRightAreRefused(t *testing.T) {
	var ours Error
	for i, opts := range [][]Option{
		{WithMaxRetries(-1)}, {WithTimeout(0)}, {WithTimeout(-1)}, {WithRetryBackoff(-1)}, {WithMaxRetryWait(-1)},
		{WithHTTPClient(nil)}, {WithWait(nil)}, {WithOrgID("org_1\n")}, {nil}, {WithOrgID("org_1"), nil},
	} {
		if _, err := New(testKey, opts...); !errors.As(err, &ours) {
			t.Errorf("%d. is taken: %v", i, err)
		}
	}
	if _, err := New(""); !errors.As(err, &ours) {
		t.Error("no key is taken for one")
	}
}

func TestABaseURLHasAHostAndAPathAndNothingElse(t *testing.T) {
	for _, base := range []string{"http://127.0.0.1:8080", "https://svc.example.com/", "HTTP://a", "http://[::1]:8080/svc"} {
		if _, err := New(testKey, WithBaseURL(base)); err != nil {
			t.Errorf("%s: %v", base, err)
		}
	}
	for _, base := range []string{
		"", "localhost:8080", "http://", "http:///path", "http://:8080", "http:a", "ftp://a", "//a", " http://a", "http://a\n", "http://a b",
		"http://a?b=c", "http://a?", "http://a#b", "http://a#", "http://a:0", "http://a:65536", "http://a:x",
		"http://user@a", "http://user:secret_of@a", "http://:secret_of@a", "http://@a",
	} {
		client, err := New(testKey, WithBaseURL(base))
		var ours Error
		if !errors.As(err, &ours) || strings.Contains(fmt.Sprint(err, client), "secret_of") {
			t.Errorf("%q is %v, %v", base, client, err)
		}
	}
}

func TestOptionsOfACallThatCannotBeSentAreToldAtOnce(t *testing.T) {
	client, _ := serve(t, func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%v was sent", r.Header) },
		WithWait(func(context.Context, time.Duration) error { t.Error("it waits"); return nil }))
	for i, opt := range []CallOption{
		WithIdempotencyKey(""), WithIdempotencyKey("two words"), WithIdempotencyKey("é"), WithIdempotencyKey("a\r\nB: c"),
		WithIdempotencyKey(strings.Repeat("k", 256)), WithTimeout(0), WithTimeout(-time.Second), WithMaxRetries(-1),
		WithHeader("", "a"), WithHeader("a b", "c"), WithHeader("a:", "c"), WithHeader("é", "c"), WithHeader("A", "b\nC: d"),
		WithHeader("A", "b\x00"), WithHeader("A", "\x7f"), WithHeader("Host", "a"), WithHeader("content-length", "7"), nil,
	} {
		_, err := client.Assess(context.Background(), Inference{}, opt)
		var ours Error
		var lost *ConnectionError
		if !errors.As(err, &ours) || errors.As(err, &lost) {
			t.Errorf("%d. is %v", i, err)
		}
	}
}

func TestAWaitThatTheServiceIsAskedForIsNotTakenForItsSilence(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(200 * time.Millisecond):
			answerJSON(w, 200, `{"data":[],"has_more":false,"next_cursor":null}`)
		}
	}, WithTimeout(50*time.Millisecond), WithMaxRetries(0))
	feed := EventsListQuery{AfterSequence: Ptr(int64(0)), WaitS: Ptr(int64(2))}
	if _, err := client.Events.List(context.Background(), feed).FirstPage(); err != nil {
		t.Error(err)
	}
	feed.WaitS = nil
	if _, err := client.Events.List(context.Background(), feed).FirstPage(); !errors.Is(err, ErrTimeout) {
		t.Errorf("got %v", err)
	}
	for asked, want := range map[string]time.Duration{
		"": time.Second, "0": time.Second, "-5": time.Second, "x": time.Second, "30": 31 * time.Second, "9223372036854775807": math.MaxInt64,
	} {
		if got := longer(time.Second, asked); got != want && !(want == math.MaxInt64 && got > 200*365*24*time.Hour) {
			t.Errorf("%q makes it %s", asked, got)
		}
	}
}

func TestWhyAContextEndedIsNotTakenForAnAnswer(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"while it is waited for": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"after a refusal":        func(w http.ResponseWriter, _ *http.Request) { answerJSON(w, 429, `{}`) },
	} {
		var asked atomic.Int32
		cause := &APIError{Status: 429, Code: ErrorCodeRateLimited, Message: "Of another service."}
		ctx, cancel := context.WithCancelCause(context.Background())
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			time.AfterFunc(10*time.Millisecond, func() { cancel(cause) })
			handler(w, r)
		}, WithWait(func(ctx context.Context, d time.Duration) error {
			if ctx.Err() != nil {
				t.Errorf("%s: it waits although nobody does", name)
			}
			return waitByTimer(ctx, d)
		}))
		_, err := client.Policy.Get(ctx)
		if !errors.Is(err, context.Canceled) || !errors.Is(err, error(cause)) || asked.Load() != 1 {
			t.Errorf("%s: %v after %d tries", name, err, asked.Load())
		}
	}
}

func TestWhatIsAskedForIsInNoError(t *testing.T) {
	client, server := serve(t, func(http.ResponseWriter, *http.Request) {})
	server.Close()
	_, err := client.Events.List(context.Background(), EventsListQuery{Q: "whatissearched"}).FirstPage()
	var lost *ConnectionError
	if !errors.As(err, &lost) {
		t.Fatal(err)
	}
	for ; err != nil; err = errors.Unwrap(err) {
		if strings.Contains(fmt.Sprintf("%v %+v", err, err), "whatissearched") {
			t.Errorf("%T tells %v", err, err)
		}
	}
}

func TestWhatHasNoMethodCanBeAskedForToo(t *testing.T) {
	var asked atomic.Int32
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		body, _ := io.ReadAll(r.Body)
		switch {
		case r.URL.Path == "/v1/nothing":
			w.WriteHeader(204)
		case r.URL.Path == "/v1/fails":
			answerJSON(w, 503, `{}`)
		case r.URL.Path == "/v1/text":
			_, _ = io.WriteString(w, "not JSON")
		default:
			seen, _ := json.Marshal([]string{r.Method, r.URL.RequestURI(), string(body), r.Header.Get("Idempotency-Key"), r.Header.Get("Authorization")})
			answerJSON(w, 200, `{"seen":`+string(seen)+`}`)
		}
	})
	ctx := context.Background()
	var answer struct{ Seen []string }
	if err := client.Request(ctx, "get", "/v1/usage?b=1&a=%26", nil, &answer); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(answer.Seen, " "); got != "GET /v1/usage?a=%26&b=1   Bearer "+testKey {
		t.Errorf("sent %s", got)
	}
	if err := client.Request(ctx, "POST", "/v1/x", map[string]int{"a": 1}, &answer, WithIdempotencyKey("k")); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(answer.Seen[:4], " "); got != `POST /v1/x {"a":1} k` {
		t.Errorf("sent %s", got)
	}
	var raw []byte
	if err := client.Request(ctx, "GET", "/v1/text", nil, &raw); err != nil || string(raw) != "not JSON" {
		t.Errorf("got %s, %v", raw, err)
	}
	if err := client.Request(ctx, "GET", "/v1/nothing", nil, &answer); err != nil {
		t.Error(err)
	}
	if err := client.Request(ctx, "GET", "/v1/x", nil, &Assessment{}); err == nil {
		t.Error("what is no assessment is taken for one")
	}
	for count, opts := range map[int32][]CallOption{1: nil, 4: {WithIdempotencyKey("k")}} {
		asked.Store(0)
		if err := client.Request(ctx, "POST", "/v1/fails", nil, nil, opts...); !errors.Is(err, ErrServer) || asked.Load() != count {
			t.Errorf("got %v after %d tries, not %d", err, asked.Load(), count)
		}
	}
	asked.Store(0)
	for _, path := range []string{"", "v1/x", "@elsewhere/", ":80/", "/v1/x#y", "/v1/\n", "/v1/x?%zz"} {
		if err := client.Request(ctx, "GET", path, nil, nil); err == nil || asked.Load() != 0 {
			t.Errorf("%q is sent: %v", path, err)
		}
	}
}

func TestAnAnswerThatIsTooLongIsNotReadToItsEnd(t *testing.T) {
	var sent atomic.Int64
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(200)
		block := bytes.Repeat([]byte(" "), 1<<20)
		for range 200 {
			if _, err := w.Write(block); err != nil {
				return
			}
			sent.Add(1 << 20)
		}
	})
	_, err := client.Policy.Get(context.Background())
	var ours Error
	if !errors.As(err, &ours) || sent.Load() > answerBytesMax+(32<<20) {
		t.Errorf("got %v after %d bytes", err, sent.Load())
	}
}

func TestOptionsOfACallCountForItAlone(t *testing.T) {
	seen := make(chan http.Header, 10)
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Header
		answerJSON(w, 503, `{}`)
	}, WithOrgID("org_1"), WithMaxRetries(1))
	ctx := context.Background()
	_, _ = client.Assess(ctx, Inference{}, WithIdempotencyKey("mine"), WithHeader("If-Match", `"3"`), WithMaxRetries(0))
	first := <-seen
	if first.Get("Idempotency-Key") != "mine" || first.Get("If-Match") != `"3"` || len(seen) != 0 {
		t.Errorf("sent %v, and %d more", first, len(seen))
	}
	_, _ = client.Assess(ctx, Inference{})
	one, two := <-seen, <-seen
	key := one.Get("Idempotency-Key")
	if key == "" || key == "mine" || two.Get("Idempotency-Key") != key || one.Get("If-Match") != "" || one.Get("X-Svc-Org-Id") != "org_1" {
		t.Errorf("sent %v and %v", one, two)
	}
}

func TestPathsOfOtherOperationsCannotBeReached(t *testing.T) {
	paths := make(chan string, 10)
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		paths <- r.URL.EscapedPath()
		answerJSON(w, 200, `{}`)
	})
	ctx := context.Background()
	for _, id := range []string{"", ".", ".."} {
		if _, err := client.Webhooks.Delete(ctx, id); err == nil {
			t.Errorf("%q is taken for an id", id)
		}
	}
	if _, err := client.Audit.GetTile(ctx, "0/../../x"); err == nil {
		t.Error("a path that leads up is taken for that of a tile")
	}
	_, _ = client.Webhooks.Delete(ctx, "a/../b?c#d é")
	if got := <-paths; got != "/v1/webhooks/a%2F..%2Fb%3Fc%23d%20%C3%A9" {
		t.Errorf("asked for %s", got)
	}
}

func TestAListGoesOnAsFarAsItIsAskedTo(t *testing.T) {
	var asked atomic.Int32
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		switch r.URL.Query().Get("cursor") {
		case "":
			answerJSON(w, 200, `{"data":[{"id":"1"},{"id":"2"}],"has_more":true,"next_cursor":"a"}`)
		case "a":
			answerJSON(w, 200, `{"data":[],"has_more":true,"next_cursor":"b"}`)
		case "b":
			answerJSON(w, 200, `{"data":[{"id":"3"}],"has_more":false,"next_cursor":null}`)
		}
	})
	list := client.Events.List(context.Background(), EventsListQuery{Limit: 2})
	for event, err := range list.All() {
		if err != nil || event.ID != "1" {
			t.Errorf("got %v, %v", event, err)
		}
		break
	}
	if page, err := list.FirstPage(); err != nil || len(page.Data) != 2 || asked.Load() != 2 {
		t.Errorf("got %v, %v after %d requests", page, err, asked.Load())
	}
	ids, last := "", error(nil)
	for event, err := range list.All() {
		ids, last = ids+event.ID, err
	}
	if ids != "123" || last != nil || asked.Load() != 5 {
		t.Errorf("got %s, %v after %d requests", ids, last, asked.Load())
	}
}

func TestAListThatWouldNotEndOrIsCutIsNoWholeOne(t *testing.T) {
	for name, c := range map[string]struct {
		pages map[string]string
		want  string
		query EventsListQuery
		asked int32
		isCut bool
	}{
		"a cursor of its own page": {map[string]string{"": `"a"`, "a": `"a"`}, "11", EventsListQuery{}, 2, true},
		"a circle":                 {map[string]string{"": `"a"`, "a": `"b"`, "b": `"a"`}, "111", EventsListQuery{}, 3, true},
		"back to its beginning":    {map[string]string{"a": `"b"`, "b": `"a"`}, "11", EventsListQuery{Cursor: "a"}, 2, true},
		"no cursor":                {map[string]string{"": `null`}, "1", EventsListQuery{}, 1, true},
		"an empty cursor":          {map[string]string{"": `""`}, "1", EventsListQuery{}, 1, true},
		"a feed that stands still": {map[string]string{"": `null`}, "11", EventsListQuery{AfterSequence: Ptr(int64(0))}, 2, true},
		"a feed that is over":      {map[string]string{"": `null`}, "1", EventsListQuery{AfterSequence: Ptr(int64(0))}, 2, false},
	} {
		var asked atomic.Int32
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			data := `{"id":"1","sequence":7}`
			if !c.isCut && r.URL.Query().Get("after_sequence") == "7" {
				data = ""
			}
			answerJSON(w, 200, `{"data":[`+data+`],"has_more":true,"next_cursor":`+c.pages[r.URL.Query().Get("cursor")]+`}`)
		})
		ids, last := "", error(nil)
		for event, err := range client.Events.List(context.Background(), c.query).All() {
			ids, last = ids+event.ID, err
		}
		var ours Error
		if ids != c.want || errors.As(last, &ours) != c.isCut || asked.Load() != c.asked {
			t.Errorf("%s: got %s, %v after %d requests", name, ids, last, asked.Load())
		}
	}
}

func TestAnErrorTellsWhatAPersonNeeds(t *testing.T) {
	for body, want := range map[string]string{
		`{"error":{"code":"invalid_request","message":"No.","request_id":"req_1","details":[{"pointer":"/input","message":"Too long."},{"pointer":"","message":"Odd"}]}}`: "svc: 400 invalid_request: No. /input Too long. Odd. (req_1)",
		`{"error":{"code":"","message":"","request_id":""}}`: "svc: 400 unknown: The service answered with status 400. (req_0)",
	} {
		client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Svc-Request-Id", "req_0")
			answerJSON(w, 400, body)
		})
		if _, err := client.Policy.Get(context.Background()); err == nil || err.Error() != want {
			t.Errorf("got %v, not %s", err, want)
		}
	}
}

func TestAnErrorKeepsWhatCanBeReadOfIt(t *testing.T) {
	long := bytes.Repeat([]byte("x"), errorBytesMax+10)
	for body, want := range map[string]APIError{
		`{"error":{"code":7,"message":"Seven.","details":"none"}}`: {Code: "unknown", Message: "Seven."},
		`{"error":[]}`: {Code: "unknown", Message: "The service answered with status 400."},
		`{"error":{"code":"new_code","message":null,"request_id":"req_2"}}`: {Code: "new_code", Message: "The service answered with status 400.", RequestID: "req_2"},
		string(long): {Code: "unknown", Message: "The service answered with status 400."},
		`{"error":{"code":"conflict","message":"m","details":[{"pointer":1}]}}`: {Code: "conflict", Message: "m"},
	} {
		client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { answerJSON(w, 400, body) })
		_, err := client.Policy.Get(context.Background())
		var got *APIError
		if !errors.As(err, &got) || got.Code != want.Code || got.Message != want.Message || got.RequestID != want.RequestID || len(got.Details) != 0 {
			t.Errorf("%.60s is %+v", body, got)
		}
	}
}

func TestBackoffsStopAtTheLongestDuration(t *testing.T) {
	for tried := range 2000 {
		if wait := scaled(time.Hour, float64(uint64(1)<<min(tried, 63))); wait < time.Hour {
			t.Fatalf("try %d waits %s", tried, wait)
		}
	}
}
