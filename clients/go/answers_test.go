package svc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
)

func TestWhatIsNoAnswerIsNotTakenForAnEmptyOne(t *testing.T) {
	ctx := context.Background()
	assess := func(c *Client) (any, error) { return c.Assess(ctx, Inference{}) }
	open := func(c *Client) (any, error) { return c.Streams.Create(ctx, StreamInference{}) }
	chunk := func(c *Client) (any, error) { return c.Streams.AppendChunk(ctx, "str_1", StreamChunk{}) }
	list := func(c *Client) (any, error) { return c.Events.List(ctx, EventsListQuery{}).FirstPage() }
	batch := func(c *Client) (any, error) { return c.Assessments.CreateBatch(ctx, AssessmentBatch{}) }
	for _, c := range []struct {
		body string
		ask  func(*Client) (any, error)
	}{
		{``, assess}, {`null`, assess}, {`[]`, assess}, {`"allowed"`, assess}, {`7`, assess}, {`<html>`, assess}, {`{}`, assess},
		{`{"status":"ok"}`, assess}, {strings.Replace(whole(Assessment{}), `"outcome"`, `"outcomes"`, 1), assess},
		{strings.Replace(whole(Assessment{}), `"outcome"`, `"Outcome"`, 1), assess},
		{strings.Replace(whole(Assessment{}), `"outcome":""`, `"outcome":null`, 1), assess},
		{strings.Replace(whole(Assessment{}), `"outcome":""`, `"outcome":["allowed"]`, 1), assess},
		{`{}`, open}, {`{"id":"str_1","assessment":{}}`, open}, {`{"id":"str_1","assessment":null}`, open},
		{`{"id":"str_1","assessment":{"id":"asm_1"}}`, open}, {`{}`, chunk}, {`{"seq":0,"outcome":"allowed"}`, chunk},
		{strings.Replace(whole(StreamChunkResult{}), `"assessment":null`, `"assessment":{}`, 1), chunk},
		{`{}`, list}, {`{"data":null,"has_more":false,"next_cursor":null}`, list}, {`{"data":[],"next_cursor":null}`, list},
		{`{"data":[{"index":0,"assessment":{},"error":null}]}`, batch},
	} {
		var asked atomic.Int32
		client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			asked.Add(1)
			answerJSON(w, 200, c.body)
		})
		answer, err := c.ask(client)
		var ours Error
		var refused *APIError
		isTold := errors.As(err, &ours) && !errors.As(err, &refused) && strings.Contains(err.Error(), "Is the base URL right?")
		if !isTold || asked.Load() != 1 {
			t.Errorf("%s is %+v, %v after %d tries", c.body, answer, err, asked.Load())
		}
	}
}

func TestAnAnswerIsWholeWithTheMembersThatItMustHave(t *testing.T) {
	for _, value := range []answered{Assessment{}, Event{}, Webhook{}, Stream{}, StreamChunkResult{}, Page[Event]{Data: []Event{}}} {
		into := reflect.New(reflect.TypeOf(value)).Interface()
		text := strings.ReplaceAll(whole(value), `"next_cursor":[]`, `"next_cursor":null`)
		if err := decodeAnswer([]byte(text), into); err != nil {
			t.Errorf("%T: %v", value, err)
		}
	}
}

func TestAMemberThatNobodyKnowsChangesNone(t *testing.T) {
	known := `"id":"a","outcome":"blocked"`
	for _, unknown := range []string{`"ID":"b","Outcome":"allowed"`, `"iD":7,"outCome":null`, `"outcome\u0020":"allowed"`} {
		for _, body := range []string{known + "," + unknown, unknown + "," + known} {
			var assessment Assessment
			var stream Stream
			var batch AssessmentBatchResult
			for text, into := range map[string]any{
				"{" + body + "}":                           &assessment,
				`{"id":"s","assessment":{` + body + `}}`:   &stream,
				`{"data":[{"assessment":{` + body + `}}]}`: &batch,
			} {
				if err := decodeInto([]byte(text), into); err != nil {
					t.Fatalf("%s: %v", text, err)
				}
			}
			for _, got := range []Assessment{assessment, stream.Assessment, *batch.Data[0].Assessment} {
				if got.ID != "a" || got.Outcome != OutcomeBlocked {
					t.Errorf("%s is %s, %s", body, got.ID, got.Outcome)
				}
			}
		}
	}
	// Where every name is of the caller all of them stay.
	var event Event
	if err := decodeInto([]byte(`{"id":"e","ID":"f","data":{"key":1,"KEY":2,"<&>":"<&>"}}`), &event); err != nil {
		t.Fatal(err)
	}
	data, _ := encode(event.Data)
	if event.ID != "e" || string(data) != `{"<&>":"<&>","KEY":2,"key":1}` {
		t.Errorf("got %s with %s", event.ID, data)
	}
	client, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		answerJSON(w, 404, `{"error":{"code":"not_found","CODE":"conflict","details":[{"pointer":"/a","Pointer":"/b"}]},"Error":{"code":"x"}}`)
	})
	_, err := client.Policy.Get(context.Background())
	var failed *APIError
	if !errors.As(err, &failed) || failed.Code != ErrorCodeNotFound || len(failed.Details) != 1 || failed.Details[0].Pointer != "/a" {
		t.Errorf("got %+v", failed)
	}
}

func TestSecretsAreNotPrinted(t *testing.T) {
	const secret = "s3cr3t"
	for _, value := range []any{
		SessionToken{Token: secret}, Inbox{URL: secret}, CreatedAPIKey{Key: Ptr(secret)}, WebhookWithSecret{SigningSecret: Ptr(secret)},
		CreatedServiceAccount{Key: Ptr(secret)}, CreateJudge{APIKey: Ptr(secret)}, PatchJudge{APIKey: Value(secret)},
		ExchangeToken{SSOToken: secret}, CreateIntegration{Config: DatadogConfig{APIKey: secret}},
		CreateIntegration{Config: PagerDutyConfig{RoutingKey: secret}}, CreateIntegration{Config: SplunkConfig{Token: secret}},
		CreateIntegration{Config: SlackConfig{URL: secret}}, CreateIntegration{Config: TeamsConfig{URL: secret}},
		[]SessionToken{{Token: secret}}, map[string]any{"a": Inbox{URL: secret}},
	} {
		holder := struct{ Held any }{value}
		for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
			if text := fmt.Sprintf(format+format, value, holder); strings.Contains(text, secret) {
				t.Errorf("%T prints %s", value, text)
			}
		}
		if sent, err := json.Marshal(value); err != nil || !strings.Contains(string(sent), secret) {
			t.Errorf("%T is sent as %s, %v", value, sent, err)
		}
	}
	if text := fmt.Sprint(SessionToken{Token: secret, ExpiresAt: "soon"}); !strings.Contains(text, "***") || !strings.Contains(text, "soon") {
		t.Errorf("it prints %s", text)
	}
}
