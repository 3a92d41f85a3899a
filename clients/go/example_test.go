package svc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"net/http"
	"os"
	"time"

	svc "example.com/svc"
)

func ExampleNew() {
	client, err := svc.New(os.Getenv("LIVE_KEY"),
		svc.WithBaseURL("https://svc.example.com"),
		svc.WithTimeout(5*time.Second),
		svc.WithMaxRetries(5),
	)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(client)
}

func ExampleClient_Assess() {
	ctx := context.Background()
	client, err := svc.New(os.Getenv("LIVE_KEY"))
	if err != nil {
		log.Fatal(err)
	}
	assessment, err := client.Assess(ctx, svc.Inference{
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
}

func ExampleClient_GuardStream() {
	ctx := context.Background()
	client, err := svc.New(os.Getenv("LIVE_KEY"))
	if err != nil {
		log.Fatal(err)
	}
	// Stands for a model.
	var pieces iter.Seq2[string, error] = func(yield func(string, error) bool) {
		_ = yield("The capital of France ", nil) && yield("is Paris.", nil)
	}
	guarded := client.GuardStream(ctx, pieces, svc.StreamInference{Input: svc.Text("What is the capital of France?")})
	for text, err := range guarded.All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Print(text)
	}
	fmt.Println(guarded.Outcome())
}

func ExamplePages_All() {
	ctx := context.Background()
	client, err := svc.New(os.Getenv("LIVE_KEY"))
	if err != nil {
		log.Fatal(err)
	}
	query := svc.EventsListQuery{Kind: svc.EventKindInferenceBlocked}
	for event, err := range client.Events.List(ctx, query).All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(event.Sequence, event.ID)
	}
}

func ExampleAPIError() {
	client, err := svc.New(os.Getenv("LIVE_KEY"))
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Events.Get(context.Background(), "evt_01jd4t4ve9e0fs7m4c1ywz3qkd")
	var refused *svc.APIError
	switch {
	case errors.Is(err, svc.ErrNotFound):
		fmt.Println("there is no such event")
	case errors.As(err, &refused) && refused.RetryAfter != nil:
		fmt.Println("try again in", *refused.RetryAfter)
	case err != nil:
		log.Fatal(err)
	}
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
	secrets := []string{os.Getenv("WEBHOOK_SECRET")}
	http.HandleFunc("POST /webhooks/svc", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			http.Error(w, "the body cannot be read", http.StatusBadRequest)
			return
		}
		event, err := svc.VerifyWebhook(r.Header, body, secrets)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		log.Println(event.Kind, event.ID)
		w.WriteHeader(http.StatusNoContent)
	})
}

func ExampleVerifyWebhook_rule() {
	var refused *svc.WebhookVerificationError
	if _, err := svc.VerifyWebhook(http.Header{}, nil, nil); errors.As(err, &refused) {
		fmt.Println(refused.Rule)
	}
	// Output: signature_missing
}

func ExampleCheckpointMemory() {
	client, err := svc.New(os.Getenv("LIVE_KEY"))
	if err != nil {
		log.Fatal(err)
	}
	memory, err := svc.NewCheckpointMemory(svc.FileStore("checkpoint.json"))
	if err != nil {
		log.Fatal(err)
	}
	checkpoint, err := memory.Check(context.Background(), client)
	var broken *svc.CheckpointError
	if errors.As(err, &broken) {
		log.Fatalf("the audit trail is not what it was: %v", broken)
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(checkpoint.Size, "events")
}
