// Command testee is driven by clients/conformance: it reads one JSON command a line, does it with this library,
// and prints one JSON result a line.
package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"os"
	"runtime/debug"
	"time"

	svc "example.com/svc"
)

type result map[string]any

type clientSettings struct {
	BaseURL        string  `json:"base_url"`
	APIKey         *string `json:"api_key"`
	OrgID          *string `json:"org_id"`
	MaxRetries     *int    `json:"max_retries"`
	RetryBackoffMs *int64  `json:"retry_backoff_ms"`
	MaxRetryWaitMs *int64  `json:"max_retry_wait_ms"`
	TimeoutMs      *int64  `json:"timeout_ms"`
}

type command struct {
	ID             json.RawMessage   `json:"id"`
	Do             string            `json:"do"`
	Client         clientSettings    `json:"client"`
	Wait           string            `json:"wait"`
	Headers        map[string]string `json:"headers"`
	Body           string            `json:"body"`
	Secrets        []string          `json:"secrets"`
	NowS           float64           `json:"now_s"`
	ToleranceS     *float64          `json:"tolerance_s"`
	Method         string            `json:"method"`
	Arguments      json.RawMessage   `json:"arguments"`
	IdempotencyKey *string           `json:"idempotency_key"`
	List           string            `json:"list"`
	Query          struct {
		Kind    svc.EventKind `json:"kind"`
		Outcome svc.Outcome   `json:"outcome"`
		Since   string        `json:"since"`
		Q       string        `json:"q"`
		After   *int64        `json:"after_sequence"`
		WaitS   *int64        `json:"wait_s"`
		Limit   int64         `json:"limit"`
		Cursor  string        `json:"cursor"`
	} `json:"query"`
	Take      *int                `json:"take"`
	Inference svc.StreamInference `json:"inference"`
	Source    []struct {
		Text  string  `json:"text"`
		Error *string `json:"error"`
	} `json:"source"`
	Memory string   `json:"memory"`
	Keys   []string `json:"keys"`
	Stored *string  `json:"stored"`
	scenarioSettings
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var c command
		answer := result{"crash": "the command is not JSON"}
		if err := json.Unmarshal(lines.Bytes(), &c); err == nil {
			answer = run(c)
		}
		answer["id"] = c.ID
		if err := out.Encode(answer); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func run(c command) (answer result) {
	defer func() {
		if fault := recover(); fault != nil {
			answer = result{"crash": fmt.Sprintf("%v\n%s", fault, debug.Stack())}
		}
	}()
	answer, err := do(context.Background(), c)
	if err != nil {
		return result{"crash": err.Error()}
	}
	return answer
}

func do(ctx context.Context, c command) (result, error) {
	switch c.Do {
	case "verify_webhook":
		opts := []svc.VerifyOption{svc.WithNow(time.UnixMilli(int64(c.NowS * 1000)))}
		if c.ToleranceS != nil {
			opts = append(opts, svc.WithTolerance(time.Duration(*c.ToleranceS*float64(time.Second))))
		}
		return verified(svc.VerifyWebhook(headerOf(c.Headers), []byte(c.Body), c.Secrets, opts...))
	case "verify_signature_256":
		return verified(svc.VerifySignature256(headerOf(c.Headers), []byte(c.Body), c.Secrets))
	case "call", "list", "guard_stream", "checkpoint":
		return withClient(ctx, c)
	case "scenario":
		facts, err := runScenario(ctx, c.scenarioSettings)
		return result{"facts": facts}, err
	default:
		return nil, fmt.Errorf("there is no command %q", c.Do)
	}
}

func headerOf(headers map[string]string) http.Header {
	header := http.Header{}
	for name, value := range headers {
		header.Set(name, value)
	}
	return header
}

func verified(event *svc.Event, err error) (result, error) {
	var refused *svc.WebhookVerificationError
	if errors.As(err, &refused) {
		return result{"rule": refused.Rule}, nil
	}
	if err != nil {
		return nil, err
	}
	return result{"event_id": event.ID}, nil
}

func withClient(ctx context.Context, c command) (result, error) {
	waits := []float64{}
	opts := optionsOf(c.Client)
	if c.Wait != "real" {
		opts = append(opts, svc.WithWait(func(_ context.Context, d time.Duration) error {
			waits = append(waits, float64(d)/float64(time.Millisecond))
			return nil
		}))
	}
	key := "svc_live_test"
	if c.Client.APIKey != nil {
		key = *c.Client.APIKey
	}
	var answer result
	client, err := svc.New(key, opts...)
	if err == nil {
		answer, err = with(ctx, client, c)
	}
	if err != nil {
		described, isKnown := describe(err)
		if !isKnown {
			return nil, err
		}
		answer = result{"error": described}
	}
	answer["waits_ms"] = waits
	return answer, nil
}

func optionsOf(c clientSettings) []svc.Option {
	opts := []svc.Option{svc.WithBaseURL(c.BaseURL)}
	ms := func(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
	if c.OrgID != nil {
		opts = append(opts, svc.WithOrgID(*c.OrgID))
	}
	if c.MaxRetries != nil {
		opts = append(opts, svc.WithMaxRetries(*c.MaxRetries))
	}
	if c.RetryBackoffMs != nil {
		opts = append(opts, svc.WithRetryBackoff(ms(*c.RetryBackoffMs)))
	}
	if c.MaxRetryWaitMs != nil {
		opts = append(opts, svc.WithMaxRetryWait(ms(*c.MaxRetryWaitMs)))
	}
	if c.TimeoutMs != nil {
		opts = append(opts, svc.WithTimeout(ms(*c.TimeoutMs)))
	}
	return opts
}

func with(ctx context.Context, client *svc.Client, c command) (result, error) {
	switch c.Do {
	case "call":
		value, err := called(ctx, client, c)
		return result{"value": value}, err
	case "list":
		return listed(ctx, client, c)
	case "guard_stream":
		return guarded(ctx, client, c)
	default:
		return checked(ctx, client, c)
	}
}

func called(ctx context.Context, client *svc.Client, c command) (any, error) {
	var names struct {
		EventID   string `json:"event_id"`
		WebhookID string `json:"webhook_id"`
		TilePath  string `json:"tile_path"`
	}
	if len(c.Arguments) > 0 {
		if err := json.Unmarshal(c.Arguments, &names); err != nil {
			return nil, err
		}
	}
	var opts []svc.CallOption
	if c.IdempotencyKey != nil {
		opts = append(opts, svc.WithIdempotencyKey(*c.IdempotencyKey))
	}
	switch c.Method {
	case "assess":
		var body svc.Inference
		if err := json.Unmarshal(c.Arguments, &body); err != nil {
			return nil, err
		}
		return client.Assess(ctx, body, opts...)
	case "get_event":
		return client.Events.Get(ctx, names.EventID, opts...)
	case "create_webhook":
		var body svc.CreateWebhook
		if err := json.Unmarshal(c.Arguments, &body); err != nil {
			return nil, err
		}
		return client.Webhooks.Create(ctx, body, opts...)
	case "delete_webhook":
		return client.Webhooks.Delete(ctx, names.WebhookID, opts...)
	case "update_webhook":
		var body svc.PatchWebhook
		if err := json.Unmarshal(c.Arguments, &body); err != nil {
			return nil, err
		}
		return client.Webhooks.Update(ctx, names.WebhookID, body, opts...)
	case "end_token":
		return client.Sessions.EndToken(ctx, opts...)
	case "refresh_token":
		return client.Sessions.RefreshToken(ctx, opts...)
	case "get_checkpoint":
		return client.Audit.GetCheckpoint(ctx, svc.AuditGetCheckpointQuery{}, opts...)
	case "get_tile":
		stream, err := client.Audit.GetTile(ctx, names.TilePath, opts...)
		if err != nil {
			return nil, err
		}
		defer stream.Close()
		tile, err := io.ReadAll(stream)
		return base64.StdEncoding.EncodeToString(tile), err
	default:
		return nil, fmt.Errorf("there is no method %q", c.Method)
	}
}

func listed(ctx context.Context, client *svc.Client, c command) (result, error) {
	q := c.Query
	if c.List == "webhooks" {
		pages := client.Webhooks.List(ctx, svc.WebhooksListQuery{Limit: q.Limit, Cursor: q.Cursor})
		return taken(pages.All(), c.Take, func(webhook svc.Webhook) string { return webhook.WebhookID })
	}
	pages := client.Events.List(ctx, svc.EventsListQuery{
		Kind: q.Kind, Outcome: q.Outcome, Since: q.Since, Q: q.Q, AfterSequence: q.After, WaitS: q.WaitS,
		Limit: q.Limit, Cursor: q.Cursor,
	})
	return taken(pages.All(), c.Take, func(event svc.Event) string { return event.ID })
}

func taken[T any](items iter.Seq2[T, error], take *int, idOf func(T) string) (result, error) {
	ids := []string{}
	if take != nil && *take <= 0 {
		return result{"ids": ids}, nil
	}
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		ids = append(ids, idOf(item))
		if take != nil && len(ids) >= *take {
			break
		}
	}
	return result{"ids": ids}, nil
}

// sourceError is what the source of a guarded stream fails with, as the command wants.
type sourceError struct{ text string }

func (e *sourceError) Error() string { return e.text }

func guarded(ctx context.Context, client *svc.Client, c command) (result, error) {
	read, isClosed := 0, false
	source := func(yield func(string, error) bool) {
		defer func() { isClosed = true }()
		for _, piece := range c.Source {
			read++
			if piece.Error != nil {
				yield("", &sourceError{*piece.Error})
				return
			}
			if !yield(piece.Text, nil) {
				return
			}
		}
	}
	stream := client.GuardStream(ctx, source, c.Inference)
	released := ""
	var failure error
	for text, err := range stream.All() {
		released += text
		failure = err
	}
	answer := result{
		"released": released, "outcome": nil, "assessment_id": nil, "source_read": read, "source_closed": isClosed,
	}
	if assessment := stream.Assessment(); assessment != nil {
		answer["outcome"], answer["assessment_id"] = stream.Outcome(), assessment.ID
	}
	if failure != nil {
		described, isKnown := describe(failure)
		if !isKnown {
			return nil, failure
		}
		answer["error"] = described
	}
	return answer, nil
}

var memories = map[string]*svc.MemoryStore{}

func checked(ctx context.Context, client *svc.Client, c command) (result, error) {
	store, isThere := memories[c.Memory]
	if !isThere {
		store = &svc.MemoryStore{}
		memories[c.Memory] = store
	}
	if c.Stored != nil {
		if err := store.Save(*c.Stored); err != nil {
			return nil, err
		}
	}
	memory, err := svc.TrustOnFirstUse(store), error(nil)
	if c.Keys != nil {
		if memory, err = svc.NewCheckpointMemory(store, c.Keys...); err != nil {
			return nil, err
		}
	}
	checkpoint, err := memory.Check(ctx, client)
	var broken *svc.CheckpointError
	var answer result
	switch {
	case errors.As(err, &broken):
		answer = result{"rule": broken.Rule}
	case err != nil:
		return nil, err
	default:
		root := base64.StdEncoding.EncodeToString(checkpoint.Root)
		answer = result{"size": checkpoint.Size, "root": root, "first": checkpoint.IsFirst}
	}
	answer["stored"] = nil
	if text, err := store.Load(); err == nil {
		answer["stored"] = text
	}
	return answer, nil
}

var types = []struct {
	is   error
	name string
}{
	{svc.ErrInvalidRequest, "invalid_request"},
	{svc.ErrUnauthorized, "unauthorized"},
	{svc.ErrTokenExpired, "token_expired"},
	{svc.ErrInsufficientPermissions, "insufficient_permissions"},
	{svc.ErrIPNotAllowed, "ip_not_allowed"},
	{svc.ErrNotFound, "not_found"},
	{svc.ErrConflict, "conflict"},
	{svc.ErrPreconditionFailed, "precondition_failed"},
	{svc.ErrPayloadTooLarge, "payload_too_large"},
	{svc.ErrIdempotencyMismatch, "idempotency_mismatch"},
	{svc.ErrRateLimited, "rate_limit"},
	{svc.ErrServer, "server"},
	{svc.ErrTimeout, "timeout"},
}

// describe tells of an error what all languages tell; false: it is none of this library.
func describe(err error) (result, bool) {
	described := result{
		"message": err.Error(), "status": nil, "code": nil, "request_id": nil, "retry_after": nil, "details": []any{},
	}
	var failed *svc.APIError
	var lost *svc.ConnectionError
	var other svc.Error
	var source *sourceError
	switch {
	case errors.As(err, &source):
		described["type"] = "source"
	case errors.As(err, &failed):
		described["type"], described["message"] = "api", failed.Message
		described["status"], described["code"] = failed.Status, failed.Code
		if failed.RequestID != "" {
			described["request_id"] = failed.RequestID
		}
		if failed.RetryAfter != nil {
			described["retry_after"] = failed.RetryAfter.Seconds()
		}
		if len(failed.Details) > 0 {
			described["details"] = failed.Details
		}
	case errors.As(err, &lost):
		described["type"] = "connection"
	case errors.As(err, &other):
		described["type"] = "svc"
	default:
		return nil, false
	}
	for _, known := range types {
		if errors.Is(err, known.is) {
			described["type"] = known.name
		}
	}
	return described, true
}
