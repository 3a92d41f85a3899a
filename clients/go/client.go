package svc

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Version of this library.
const Version = "0.1.0"

// Client speaks to the service with one credential. It is safe for concurrent use; make one and keep it.
type Client struct {
	Services
	t *transport
}

// New returns a client for an API key, svc_live_…, or a session token. It reaches for nothing yet; an error says
// which option cannot be right.
func New(apiKey string, opts ...Option) (*Client, error) {
	c := config{
		baseURL:      "http://127.0.0.1:8080",
		backoff:      time.Second,
		maxRetryWait: 2 * time.Minute,
		httpClient:   &http.Client{Transport: sharedTransport()},
		wait:         waitByTimer,
		everyCall:    callConfig{maxRetries: 3, timeout: 30 * time.Second},
	}
	for _, opt := range opts {
		if opt == nil {
			return nil, errorf("nil is no option")
		}
		opt.applyToClient(&c)
	}
	if err := c.check(apiKey); err != nil {
		return nil, err
	}
	t := newTransport(apiKey, c)
	return &Client{Services: newServices(t), t: t}, nil
}

// Assess decides about an inference, as Assessments.Create does. Every outcome is an answer; an error is of a
// request that failed.
func (c *Client) Assess(ctx context.Context, inference Inference, opts ...CallOption) (*Assessment, error) {
	return c.Assessments.Create(ctx, inference, opts...)
}

// Request is for what has no method here: client.Request(ctx, "GET", "/v1/usage?days=7", nil, &usage). Credential,
// retries and errors are those of every call; a POST is repeated after a fault only with [WithIdempotencyKey].
// body: sent as JSON; nil: nothing is. answer: what the JSON of the answer is decoded into; a *[]byte takes what
// came as it is; nil: nobody wants it.
func (c *Client) Request(ctx context.Context, method, path string, body, answer any, opts ...CallOption) error {
	if !strings.HasPrefix(path, "/") || strings.Contains(path, "#") {
		return errorf("a path must begin with a slash, and have no fragment")
	}
	path, text, _ := strings.Cut(path, "?")
	query, err := url.ParseQuery(text)
	if err != nil {
		return &plainError{"the query cannot be read: " + err.Error(), err}
	}
	asked := call{method: strings.ToUpper(method), path: path, query: query, body: body, takesKey: isKeyGiven(opts)}
	return sendForAny(ctx, c.t, asked, answer, opts)
}

// String names where the service is, and nothing secret.
func (c *Client) String() string {
	return "svc.Client(" + c.t.baseURL + ")"
}

// sharedTransport is of all clients that are given no other. The standard one keeps two connections to a host, and
// opens and closes one after another where more requests are under way at a time.
var sharedTransport = sync.OnceValue(func() http.RoundTripper {
	standard, isStandard := http.DefaultTransport.(*http.Transport)
	if !isStandard {
		return http.DefaultTransport
	}
	transport := standard.Clone()
	transport.MaxIdleConnsPerHost = transport.MaxIdleConns
	return transport
})

func (c *config) check(apiKey string) error {
	if apiKey == "" {
		return errorf("the API key is missing")
	}
	if !isVisible(apiKey) {
		return errorf("the API key has a character that no key has, such as a space or the end of a line")
	}
	if c.orgID != "" && !isVisible(c.orgID) {
		return errorf("the id of the organization must look like org_…")
	}
	// It is not told in an error: it may hold a password, or even the key.
	c.baseURL = strings.TrimRight(c.baseURL, "/")
	at, err := url.Parse(c.baseURL)
	if err != nil || (at.Scheme != "http" && at.Scheme != "https") || at.Hostname() == "" || !isPort(at.Port()) {
		return errorf("the base URL must begin with http:// or https:// and the name of a host")
	}
	if at.User != nil || strings.ContainsAny(c.baseURL, "?#") {
		return errorf("the base URL has a user, a query or a fragment; it may have a path at most")
	}
	if err := c.everyCall.check(); err != nil {
		return err
	}
	switch {
	case c.backoff < 0 || c.maxRetryWait < 0:
		return errorf("a wait must not be negative")
	case c.httpClient == nil || c.wait == nil:
		return errorf("nil is no HTTP client, and no wait")
	}
	return nil
}

// isPort takes nothing for the usual one.
func isPort(text string) bool {
	port, err := strconv.ParseUint(text, 10, 16)
	return text == "" || err == nil && port > 0
}
