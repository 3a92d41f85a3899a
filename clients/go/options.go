package svc

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Option is given to [New].
type Option interface {
	applyToClient(*config)
}

// CallOption is given to a single call.
type CallOption interface {
	applyToCall(*callConfig)
}

// SharedOption is given to [New], for all calls, or to a single one.
type SharedOption interface {
	Option
	CallOption
}

type config struct {
	orgID        string
	baseURL      string
	backoff      time.Duration
	maxRetryWait time.Duration
	httpClient   *http.Client
	wait         func(ctx context.Context, d time.Duration) error
	everyCall    callConfig
}

type callConfig struct {
	maxRetries int
	timeout    time.Duration
	// nil: a random one.
	idempotencyKey *string
	header         http.Header
}

type clientOption func(*config)

func (o clientOption) applyToClient(c *config) { o(c) }

type callOption func(*callConfig)

func (o callOption) applyToCall(c *callConfig) { o(c) }

type sharedOption func(*callConfig)

func (o sharedOption) applyToClient(c *config)   { o(&c.everyCall) }
func (o sharedOption) applyToCall(c *callConfig) { o(c) }

// WithOrgID says which organization is meant, org_…: a credential of another one is refused.
func WithOrgID(orgID string) Option {
	return clientOption(func(c *config) { c.orgID = orgID })
}

// WithBaseURL says where the service is. Default: http://127.0.0.1:8080.
func WithBaseURL(baseURL string) Option {
	return clientOption(func(c *config) { c.baseURL = baseURL })
}

// WithRetryBackoff sets the first wait between two tries; each further one is twice as long. Default: one second.
func WithRetryBackoff(backoff time.Duration) Option {
	return clientOption(func(c *config) { c.backoff = backoff })
}

// WithMaxRetryWait sets the longest wait between two tries. Where a longer one is asked for the call fails at
// once, with RetryAfter in its [APIError]. Default: two minutes.
func WithMaxRetryWait(longest time.Duration) Option {
	return clientOption(func(c *config) { c.maxRetryWait = longest })
}

// WithHTTPClient sends requests by another client, for proxies or certificates. Redirects are not followed all
// the same. A Timeout of its own counts beside that of this package, for downloads too.
func WithHTTPClient(client *http.Client) Option {
	return clientOption(func(c *config) { c.httpClient = client })
}

// WithWait makes the waits between tries, for tests. It must end with the context's error when that ends.
// Default: a timer.
func WithWait(wait func(ctx context.Context, d time.Duration) error) Option {
	return clientOption(func(c *config) { c.wait = wait })
}

// WithMaxRetries says how often a request is sent again. Default: 3.
func WithMaxRetries(retries int) SharedOption {
	return sharedOption(func(c *callConfig) { c.maxRetries = retries })
}

// WithTimeout bounds one try, until all of its answer is read; of a download, until it begins. Default: 30 s. A
// context bounds all tries together.
func WithTimeout(timeout time.Duration) SharedOption {
	return sharedOption(func(c *callConfig) { c.timeout = timeout })
}

// WithIdempotencyKey makes a call safe to repeat even after this process has ended: the service does what it
// names once. It has 1 to 255 visible ASCII characters. Default: a random key for each call. Operations that take
// no key ignore it.
func WithIdempotencyKey(key string) CallOption {
	return callOption(func(c *callConfig) { c.idempotencyKey = &key })
}

// WithHeader adds a header, such as If-Match.
func WithHeader(name, value string) CallOption {
	return callOption(func(c *callConfig) {
		if c.header == nil {
			c.header = http.Header{}
		}
		c.header.Set(name, value)
	})
}

// What the standard library makes itself, whatever is said.
var headersOfTransport = []string{"Host", "Content-Length", "Transfer-Encoding", "Trailer"}

const (
	idempotencyKeyMax = 255
	// Letters and digits belong to it, too (RFC 9110 §5.6.2).
	tokenMarks = "!#$%&'*+-.^_`|~"
)

// check tells what cannot be sent before anything is.
func (c *callConfig) check() error {
	switch {
	case c.maxRetries < 0:
		return errorf("the number of retries must not be negative")
	case c.timeout <= 0:
		return errorf("the time-out must be positive")
	case c.idempotencyKey != nil && !(len(*c.idempotencyKey) <= idempotencyKeyMax && isVisible(*c.idempotencyKey)):
		return errorf("an idempotency key must have 1 to %d visible ASCII characters", idempotencyKeyMax)
	}
	for name, values := range c.header {
		if name == "" || strings.ContainsFunc(name, isOutsideToken) || slices.Contains(headersOfTransport, name) {
			return errorf("%q cannot be the name of a header", name)
		}
		for _, value := range values {
			// It is not told: it may be secret.
			if strings.ContainsFunc(value, isControl) {
				return errorf("the value of the header %s has a character that none can have, such as the end of a line", name)
			}
		}
	}
	return nil
}

func isVisible(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
}

func isOutsideToken(r rune) bool {
	isAlphanumeric := '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
	return !isAlphanumeric && !strings.ContainsRune(tokenMarks, r)
}

func isControl(r rune) bool {
	return r < ' ' && r != '\t' || r == 0x7f
}

func isKeyGiven(opts []CallOption) bool {
	var c callConfig
	for _, opt := range opts {
		if opt != nil {
			opt.applyToCall(&c)
		}
	}
	return c.idempotencyKey != nil
}
