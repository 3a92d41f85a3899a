// What a receiver does with its secret, in the words of the client libraries.

/** A receiver that verifies, by language. The secret comes from the environment: it does not belong into code. */
export const VERIFY_SNIPPETS: Readonly<Record<string, string>> = {
  TypeScript: `import { verifyWebhook, WebhookVerificationError } from '@svc/client';

export async function receive(request: Request): Promise<Response> {
  try {
    // The body as it came: not parsed and written again.
    const delivery = { headers: request.headers, body: await request.text() };
    const event = await verifyWebhook(delivery, { secret: process.env.WEBHOOK_SECRET ?? '' });
    console.log(event.kind);
    return new Response('thanks');
  } catch (err) {
    if (err instanceof WebhookVerificationError) return new Response(err.rule, { status: 401 });
    throw err;
  }
}`,
  Python: `import os
from collections.abc import Mapping

from svc import webhooks


def receive(body: bytes, headers: Mapping[str, str]) -> tuple[int, str]:
    try:
        # The body as it came: not parsed and written again.
        event = webhooks.verify(body, headers, secret=os.environ["WEBHOOK_SECRET"])
    except webhooks.WebhookVerificationError as error:
        return 401, error.rule
    print(event.kind)
    return 200, "thanks"`,
  Go: `package main

import (
	"io"
	"log"
	"net/http"
	"os"

	svc "example.com/svc"
)

func main() {
	secrets := []string{os.Getenv("WEBHOOK_SECRET")}
	http.HandleFunc("POST /webhooks/svc", func(w http.ResponseWriter, r *http.Request) {
		// The body as it came: not parsed and written again.
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
	log.Fatal(http.ListenAndServe("127.0.0.1:9000", nil))
}`,
};
