package svc

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	// Far above any answer of the service; what is longer comes from something else.
	answerBytesMax = 64 << 20
	errorBytesMax  = 1 << 20
	// What is read of an answer that nobody wants, so that its connection can be used again.
	drainBytesMax = 256 << 10
	keyHeader     = "Idempotency-Key"
	// A 429 that does not say how long.
	retryAfterMissing = time.Minute
)

// call is what a method asks for.
type call struct {
	method string
	// With parameters in braces; one with a star keeps its slashes.
	path  string
	args  []string
	query url.Values
	// nil: none.
	body     any
	takesKey bool
}

type transport struct {
	config
	// Behind a pointer, which is all that %v shows of it.
	authorization *string
}

func newTransport(apiKey string, c config) *transport {
	client := *c.httpClient
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.httpClient = &client
	authorization := "Bearer " + apiKey
	return &transport{config: c, authorization: &authorization}
}

func sendForJSON[T any](ctx context.Context, t *transport, c call, opts []CallOption) (*T, error) {
	res, err := t.send(ctx, c, "application/json", opts, false)
	if err != nil {
		return nil, err
	}
	var answer T
	if err := decodeAnswer(res.body, &answer); err != nil {
		return nil, notExpected(res.status, err)
	}
	return &answer, nil
}

// sendForAny is for an operation of which nothing is known.
func sendForAny(ctx context.Context, t *transport, c call, answer any, opts []CallOption) error {
	res, err := t.send(ctx, c, "application/json, */*;q=0.1", opts, false)
	if err != nil || answer == nil || res.status == http.StatusNoContent {
		return err
	}
	if raw, isRaw := answer.(*[]byte); isRaw {
		*raw = res.body
		return nil
	}
	if err := decodeAnswer(res.body, answer); err != nil {
		return notExpected(res.status, err)
	}
	return nil
}

func notExpected(status int, cause error) error {
	return &plainError{
		fmt.Sprintf("the answer with status %d is not the JSON that was expected: %s. Is the base URL right?", status, cause), cause,
	}
}

func sendForText(ctx context.Context, t *transport, c call, opts []CallOption) (string, error) {
	res, err := t.send(ctx, c, "text/plain, */*;q=0.1", opts, false)
	if err != nil {
		return "", err
	}
	return string(res.body), nil
}

func sendForBytes(ctx context.Context, t *transport, c call, opts []CallOption) (io.ReadCloser, error) {
	res, err := t.send(ctx, c, "*/*", opts, true)
	if err != nil {
		return nil, err
	}
	return res.stream, nil
}

// request is a call with all that its tries have in common.
type request struct {
	call
	callConfig
	// Without a context and a body, which each try has of its own.
	template *http.Request
	sent     []byte
	isStream bool
}

// response of a success: body, or for a stream what it is read from.
type response struct {
	status int
	body   []byte
	stream io.ReadCloser
}

// send tries as often as it may, and returns the error of the last try.
func (t *transport) send(ctx context.Context, c call, accept string, opts []CallOption, isStream bool) (*response, error) {
	req, err := t.requestOf(c, accept, opts, isStream)
	if err != nil {
		return nil, err
	}
	mayBeInFlight := false
	for tried := 0; ; tried++ {
		res, err := t.try(ctx, req)
		if err == nil {
			return res, nil
		}
		var lost *ConnectionError
		wait, isRetried := t.waitAfter(err, req, tried, mayBeInFlight)
		if !isRetried {
			return nil, err
		}
		// Whatever it ended with, which may look like an answer.
		if ctx.Err() != nil {
			return nil, contextError(ctx)
		}
		mayBeInFlight = mayBeInFlight || errors.As(err, &lost)
		if err := t.wait(ctx, wait); err != nil {
			return nil, err
		}
	}
}

func (t *transport) requestOf(c call, accept string, opts []CallOption, isStream bool) (*request, error) {
	req := &request{call: c, callConfig: t.everyCall, isStream: isStream}
	for _, opt := range opts {
		if opt == nil {
			return nil, errorf("nil is no option")
		}
		opt.applyToCall(&req.callConfig)
	}
	if err := req.check(); err != nil {
		return nil, err
	}
	req.timeout = longer(req.timeout, c.query.Get("wait_s"))
	path, err := filledPath(c.path, c.args)
	if err != nil {
		return nil, err
	}
	to := t.baseURL + path
	if len(c.query) > 0 {
		to += "?" + c.query.Encode()
	}
	if req.template, err = http.NewRequest(c.method, to, nil); err != nil {
		return nil, &plainError{"the request cannot be sent: " + withoutURL(err).Error(), withoutURL(err)}
	}
	if c.body != nil {
		if req.sent, err = encode(c.body); err != nil {
			return nil, &plainError{"the request cannot be written as JSON: " + err.Error(), err}
		}
	}
	header := http.Header{
		"Authorization": {*t.authorization},
		"Accept":        {accept},
		"User-Agent":    {"svc-go/" + Version},
	}
	if t.orgID != "" {
		header.Set("X-Svc-Org-Id", t.orgID)
	}
	if c.body != nil {
		header.Set("Content-Type", "application/json")
	}
	if c.takesKey {
		// One key for all tries.
		key := randomUUID()
		if req.idempotencyKey != nil {
			key = *req.idempotencyKey
		}
		header.Set(keyHeader, key)
	}
	maps.Copy(header, req.header)
	req.template.Header = header
	return req, nil
}

// try sends a request once. Its error is an *APIError, a *ConnectionError, or that of the context.
func (t *transport) try(ctx context.Context, req *request) (*response, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	end := func() { cancel(nil) }
	timer := time.AfterFunc(req.timeout, func() { cancel(errTryTimedOut) })
	defer timer.Stop()
	res, err := t.exchange(ctx, req)
	if err != nil {
		err = connectionError(ctx, err)
		end()
		return nil, err
	}
	if req.isStream && isSuccess(res.StatusCode) {
		// From here on, without the timer, it takes as long as it takes.
		return &response{status: res.StatusCode, stream: &download{ctx, res.Body, end}}, nil
	}
	defer end()
	defer closeBody(res.Body)
	if !isSuccess(res.StatusCode) {
		body, err := readAtMost(res.Body, errorBytesMax)
		if err != nil && !errors.Is(err, errTooLong) {
			return nil, connectionError(ctx, err)
		}
		return nil, apiErrorOf(res.StatusCode, res.Header, body, time.Now())
	}
	body, err := readAtMost(res.Body, answerBytesMax)
	if errors.Is(err, errTooLong) {
		return nil, errorf("the answer is longer than %d bytes", answerBytesMax)
	}
	if err != nil {
		return nil, connectionError(ctx, err)
	}
	return &response{status: res.StatusCode, body: body}, nil
}

func (t *transport) exchange(ctx context.Context, req *request) (*http.Response, error) {
	made := req.template.Clone(ctx)
	// The standard library sends again by itself what it may, beside our count and without a wait. It may not
	// where it cannot have the body a second time (a GET has an empty one here), or where it sees no key.
	if req.sent != nil {
		made.Body, made.ContentLength = io.NopCloser(bytes.NewReader(req.sent)), int64(len(req.sent))
	} else if req.method == http.MethodGet {
		made.Body = io.NopCloser(strings.NewReader(""))
	}
	if key := made.Header.Get(keyHeader); key != "" {
		made.Header.Del(keyHeader)
		made.Header[strings.ToLower(keyHeader)] = []string{key}
	}
	return t.httpClient.Do(made)
}

// waitAfter tells how long to wait before the next try; false: there is to be none.
func (t *transport) waitAfter(err error, req *request, tried int, mayBeInFlight bool) (time.Duration, bool) {
	if tried >= req.maxRetries {
		return 0, false
	}
	key := req.template.Header.Get(keyHeader)
	// What may have been done must not be done twice.
	isRepeatable := req.method != http.MethodPost || key != ""
	backoff := scaled(t.backoff, math.Pow(2, float64(tried)))
	var refused *APIError
	var lost *ConnectionError
	switch {
	case errors.As(err, &refused) && refused.Status == http.StatusTooManyRequests:
		asked := retryAfterMissing
		if refused.RetryAfter != nil {
			asked = *refused.RetryAfter
		}
		wait := max(asked, backoff)
		return wait, wait <= t.maxRetryWait
	case refused != nil && refused.Status >= 500:
	case refused != nil && refused.Code == ErrorCodeConflict && key != "" && mayBeInFlight:
		// The try whose answer was lost is still being worked on.
	case errors.As(err, &lost):
	default:
		return 0, false
	}
	// Between half and all of it, so that clients that failed together do not come back together.
	wait := scaled(backoff, 0.5+mathrand.Float64()/2)
	return wait, isRepeatable && wait <= t.maxRetryWait
}

// scaled stops at the longest duration that there is.
func scaled(d time.Duration, by float64) time.Duration {
	product := float64(d) * by
	if product >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(product)
}

var (
	errTryTimedOut = errors.New("svc: the try has timed out")
	errTooLong     = errors.New("svc: too long")
)

// connectionError says why nothing came: the caller gave up, the time was over, or the network failed.
func connectionError(ctx context.Context, err error) error {
	var timeout interface{ Timeout() bool }
	switch cause := context.Cause(ctx); {
	case cause == errTryTimedOut:
		return &ConnectionError{message: "the service did not answer in time", isTimeout: true}
	case ctx.Err() != nil:
		return contextError(ctx)
	case errors.As(err, &timeout) && timeout.Timeout():
		return &ConnectionError{message: "the service did not answer in time", isTimeout: true}
	}
	return &ConnectionError{message: "the service could not be reached, or broke off", cause: withoutURL(err)}
}

// contextError is what a context ended with, and why, where the caller has said so.
func contextError(ctx context.Context) error {
	if cause := context.Cause(ctx); cause != ctx.Err() {
		return fmt.Errorf("%w: %w", ctx.Err(), cause)
	}
	return ctx.Err()
}

// longer adds the seconds that the service was asked to wait.
func longer(timeout time.Duration, waitS string) time.Duration {
	seconds, err := strconv.ParseInt(waitS, 10, 64)
	if err != nil || seconds <= 0 {
		return timeout
	}
	return timeout + min(time.Duration(min(seconds, secondsMax))*time.Second, math.MaxInt64-timeout)
}

// withoutURL leaves out the method and the address, which the caller knows, and which may hold what is searched for.
func withoutURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// download is an answer that is read as it comes.
type download struct {
	ctx  context.Context
	body io.ReadCloser
	end  func()
}

func (d *download) Read(p []byte) (int, error) {
	n, err := d.body.Read(p)
	if err != nil && err != io.EOF {
		err = connectionError(d.ctx, err)
	}
	return n, err
}

// Close does not wait for the rest.
func (d *download) Close() error {
	d.end()
	return d.body.Close()
}

func isSuccess(status int) bool {
	return status >= 200 && status <= 299
}

// readAtMost fails with errTooLong, and what was read until then.
func readAtMost(from io.Reader, bytesMax int64) ([]byte, error) {
	read, err := io.ReadAll(io.LimitReader(from, bytesMax+1))
	if err == nil && int64(len(read)) > bytesMax {
		return read[:bytesMax], errTooLong
	}
	return read, err
}

func closeBody(body io.ReadCloser) {
	_, _ = io.CopyN(io.Discard, body, drainBytesMax)
	_ = body.Close()
}

func encode(value any) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n")), nil
}

// filledPath puts parameters into a path. An empty one would lead to another operation.
func filledPath(path string, args []string) (string, error) {
	var filled strings.Builder
	for _, arg := range args {
		before, rest, _ := strings.Cut(path, "{")
		name, after, _ := strings.Cut(rest, "}")
		parts := []string{arg}
		if strings.HasSuffix(name, "*") {
			parts = strings.Split(arg, "/")
		}
		for i, part := range parts {
			if part == "" || part == "." || part == ".." {
				return "", errorf("%q cannot be a %s", arg, strings.TrimSuffix(name, "*"))
			}
			parts[i] = url.PathEscape(part)
		}
		filled.WriteString(before + strings.Join(parts, "/"))
		path = after
	}
	return filled.String() + path, nil
}

// randomUUID is of version 4 (RFC 9562 §5.4).
func randomUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func waitByTimer(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return contextError(ctx)
	case <-timer.C:
		return nil
	}
}
