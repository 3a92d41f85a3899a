package svc

import (
	"context"
	"net/http"
	"net/url"
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
	if strings.ContainsFunc(apiKey, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errorf("the API key has a character that no key has, such as a space or the end of a line")
	}
	c.baseURL = strings.TrimRight(c.baseURL, "/")
	at, err := url.Parse(c.baseURL)
	if err != nil || (at.Scheme != "http" && at.Scheme != "https") || at.Host == "" || at.RawQuery != "" || at.Fragment != "" {
		return errorf("the base URL must begin with http:// or https:// and have neither query nor fragment")
	}
	switch {
	case c.everyCall.maxRetries < 0:
		return errorf("the number of retries must not be negative")
	case c.everyCall.timeout <= 0:
		return errorf("the time-out must be positive")
	case c.backoff < 0 || c.maxRetryWait < 0:
		return errorf("a wait must not be negative")
	case c.httpClient == nil || c.wait == nil:
		return errorf("nil is no HTTP client, and no wait")
	}
	return nil
}
