// Package svc is the client of svc, the governance assessment service for AI: it assesses what goes into models
// and what comes out, guards answers while they are written, verifies webhooks, and keeps watch over the audit
// trail.
//
//	client, err := svc.New("svc_live_…")
//	assessment, err := client.Assess(ctx, svc.Inference{Input: svc.Text("What is the capital of France?")})
//	if assessment.Outcome == svc.OutcomeBlocked { … }
//
// # Requests
//
// A [Client] has the operations of the API as methods of its services: client.Webhooks.Create,
// client.Events.List. A context ends a request and the waits between its tries. Members of a request that may be
// left out are pointers, for which there is [Ptr]; where null says something else than nothing they are
// [Nullable]. A list that is nil is not sent, one that is empty is.
//
// # Retries
//
// A request is sent again, three times unless told otherwise, where that cannot do a thing twice: after a 429;
// after a 5xx, a fault of the network or a time-out, unless it is a POST without an idempotency key. Operations
// that take a key are given one. See [WithMaxRetries].
//
// # Errors
//
// What the service refuses is an [*APIError], which errors.Is knows by its code: [ErrNotFound],
// [ErrRateLimited]. A service that cannot be reached is a [*ConnectionError], and one that does not answer in time
// is [ErrTimeout] too. All errors of this package are [Error]; that of a context is its own.
package svc
