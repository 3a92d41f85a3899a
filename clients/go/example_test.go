package svc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	svc "example.com/svc"
)

// example is answered as a service would: text is the body of every answer but those of streams.
func example(status int, text string) (client *svc.Client, end func()) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.WriteHeader(status)
		assessment := exampleAssessment
		switch {
		case strings.HasSuffix(r.URL.Path, "/streams"):
			text = `{"id":"str_1","assessment":` + assessment + `}`
		case strings.HasSuffix(r.URL.Path, "/chunks"):
			_, delta, _ := strings.Cut(string(body), `"delta":"`)
			delta, _, _ = strings.Cut(delta, `"`)
			if !strings.Contains(string(body), `"final":true`) {
				assessment = "null"
			}
			text = `{"seq":0,"released":"` + delta + `","tool_calls":[],"held_chars":0,"findings":[],"outcome":"allowed","assessment":` + assessment + `}`
		}
		_, _ = io.WriteString(w, text)
	}))
	client, err := svc.New("svc_live_of_examples", svc.WithBaseURL(server.URL))
	if err != nil {
		log.Fatal(err)
	}
	return client, server.Close
}

const exampleAssessment = `{"id":"asm_1","external_id":null,"created_at":"2026-11-22T08:58:14.490Z","mode":"live","outcome":"allowed",
"enforcement":{"action":"none","would":"none"},"score":0,"severity":"none","findings":[{"category":"secret.cloud_key","severity":"high"}],
"findings_total":1,"redacted":null,"coverage":{"status":"complete"},"policy":{"version":1},"shadow":null,"model":null,"subject":null,
"metadata":{},"event_id":"evt_1","latency_ms":2}`

const exampleEvents = `{"data":[{"id":"evt_1","sequence":7},{"id":"evt_2","sequence":8}],"has_more":false,"next_cursor":null}`

func ExampleNew() {
	client, err := svc.New("svc_live_of_examples",
		svc.WithBaseURL("https://svc.example.com"),
		svc.WithTimeout(5*time.Second),
		svc.WithMaxRetries(5),
	)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(client)
	// Output: svc.Client(https://svc.example.com)
}

func ExampleClient_Assess() {
	client, end := example(200, exampleAssessment)
	defer end()
	assessment, err := client.Assess(context.Background(), svc.Inference{
		Input:      svc.Messages{{Role: svc.RoleUser, Content: svc.Text("What is my login?")}},
		Output:     svc.Text("Your key is AKIAQ3EGRIXPPTBMLXYZ."),
		Model:      svc.ModelName("gpt-5"),
		ExternalID: svc.Ptr("chat-1042"),
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, finding := range assessment.Findings {
		fmt.Println(finding.Category, finding.Severity)
	}
	// Output: secret.cloud_key high
}

func ExampleClient_GuardStream() {
	client, end := example(200, "")
	defer end()
	// Stands for a model.
	var pieces iter.Seq2[string, error] = func(yield func(string, error) bool) {
		_ = yield("The capital of France ", nil) && yield("is Paris.", nil)
	}
	question := svc.StreamInference{Input: svc.Text("What is the capital of France?")}
	guarded := client.GuardStream(context.Background(), pieces, question)
	for text, err := range guarded.All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Print(text)
	}
	fmt.Println("", guarded.Outcome())
	// Output: The capital of France is Paris. allowed
}

func ExamplePages_All() {
	client, end := example(200, exampleEvents)
	defer end()
	query := svc.EventsListQuery{Kind: svc.EventKindInferenceBlocked}
	for event, err := range client.Events.List(context.Background(), query).All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(event.Sequence, event.ID)
	}
	// Output:
	// 7 evt_1
	// 8 evt_2
}

func ExampleAPIError() {
	client, end := example(404, `{"error":{"code":"not_found","message":"There is no such event.","request_id":"req_1"}}`)
	defer end()
	_, err := client.Events.Get(context.Background(), "evt_01jd4t4ve9e0fs7m4c1ywz3qkd")
	var refused *svc.APIError
	switch {
	case errors.Is(err, svc.ErrRateLimited):
		fmt.Println("try again later")
	case errors.As(err, &refused):
		fmt.Println(refused.Status, refused.Code, refused.RequestID)
	case err != nil:
		log.Fatal(err)
	}
	fmt.Println(errors.Is(err, svc.ErrNotFound))
	// Output:
	// 404 not_found req_1
	// true
}

func ExampleNullable() {
	fmt.Println(svc.Value("for operations").Get())
	fmt.Println(svc.Null[string]().IsNull())
	fmt.Println(svc.Nullable[string]{}.IsZero())
	// Output:
	// for operations true
	// true
	// true
}

func ExampleVerifyWebhook() {
	secrets := []string{"whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="}
	receive := func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			http.Error(w, "the body cannot be read", http.StatusBadRequest)
			return
		}
		event, err := svc.VerifyWebhook(r.Header, body, secrets)
		var refused *svc.WebhookVerificationError
		if errors.As(err, &refused) {
			http.Error(w, string(refused.Rule), http.StatusUnauthorized)
			return
		}
		log.Println(event.Kind, event.ID)
		w.WriteHeader(http.StatusNoContent)
	}
	answer := httptest.NewRecorder()
	receive(answer, httptest.NewRequest(http.MethodPost, "/webhooks/svc", strings.NewReader(`{"id":"evt_1"}`)))
	fmt.Println(answer.Code, answer.Body)
	// Output: 401 signature_missing
}

func ExampleCheckpointMemory() {
	client, end := example(200, "not a checkpoint")
	defer end()
	// As the operator gave it to you.
	key := "trail.example.com/org/org_01jd4t4ve9e0fs7m4c1ywz3qkd+e4119033+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs"
	memory, err := svc.NewCheckpointMemory(&svc.MemoryStore{}, key)
	if err != nil {
		log.Fatal(err)
	}
	checkpoint, err := memory.Check(context.Background(), client)
	var broken *svc.CheckpointError
	switch {
	case errors.As(err, &broken):
		fmt.Println("the audit trail is not what it was:", broken.Rule)
	case err != nil:
		log.Fatal(err)
	default:
		fmt.Println(checkpoint.Size, "events")
	}
	// Output: the audit trail is not what it was: malformed
}
