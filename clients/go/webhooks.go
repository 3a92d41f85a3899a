package svc

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// WebhookRule is what a delivery breaks. It is stable, for programs.
type WebhookRule string

const (
	WebhookSecretMalformed    WebhookRule = "secret_malformed"
	WebhookSignatureMissing   WebhookRule = "signature_missing"
	WebhookSignatureMalformed WebhookRule = "signature_malformed"
	WebhookTimestampMalformed WebhookRule = "timestamp_malformed"
	WebhookTimestampTooOld    WebhookRule = "timestamp_too_old"
	WebhookTimestampTooNew    WebhookRule = "timestamp_too_new"
	WebhookSignatureMismatch  WebhookRule = "signature_mismatch"
	WebhookBodyMalformed      WebhookRule = "body_malformed"
)

// WebhookVerificationError says why a delivery is refused. Answer 401.
type WebhookVerificationError struct {
	Rule    WebhookRule
	message string
}

func (e *WebhookVerificationError) Error() string {
	return "svc: webhook: " + string(e.Rule) + ": " + e.message
}

func (e *WebhookVerificationError) isSvcError() {}

func refused(rule WebhookRule, format string, args ...any) error {
	return &WebhookVerificationError{rule, fmt.Sprintf(format, args...)}
}

// VerifyOption is given to [VerifyWebhook].
type VerifyOption func(*verifyConfig)

type verifyConfig struct {
	tolerance time.Duration
	now       time.Time
}

// WithTolerance says how far the time of a delivery may be from now, both ways. Default: five minutes.
func WithTolerance(tolerance time.Duration) VerifyOption {
	return func(c *verifyConfig) { c.tolerance = tolerance }
}

// WithNow says what time it is, for tests.
func WithNow(now time.Time) VerifyOption {
	return func(c *verifyConfig) { c.now = now }
}

const (
	secretPrefix   = "whsec_"
	secretBytesMin = 16
)

var timestampForm = regexp.MustCompile(`^[0-9]{1,12}$`)

// VerifyWebhook checks a delivery by Standard Webhooks 1.0 (webhook-id, webhook-timestamp, webhook-signature),
// which is safe against replays, and returns its event. body: as it came. secrets: whsec_…; during a rotation
// both. It fails with a [*WebhookVerificationError]. Keep the event's id: a delivery may come more than once.
func VerifyWebhook(header http.Header, body []byte, secrets []string, opts ...VerifyOption) (*Event, error) {
	c := verifyConfig{tolerance: 5 * time.Minute, now: time.Now()}
	for _, opt := range opts {
		opt(&c)
	}
	id, timestamp, signatures := header.Get("webhook-id"), header.Get("webhook-timestamp"), header.Get("webhook-signature")
	if id == "" || timestamp == "" || signatures == "" {
		return nil, refused(WebhookSignatureMissing, "the headers webhook-id, webhook-timestamp and webhook-signature are needed")
	}
	keys, err := standardKeys(secrets)
	if err != nil {
		return nil, err
	}
	if err := checkTime(timestamp, c); err != nil {
		return nil, err
	}
	var macs [][]byte
	for _, signature := range strings.Split(signatures, " ") {
		encoded, isV1 := strings.CutPrefix(signature, "v1,")
		if mac := decodeBase64(encoded); isV1 && len(mac) == sha256.Size {
			macs = append(macs, mac)
		}
	}
	if len(macs) == 0 {
		return nil, refused(WebhookSignatureMalformed, "webhook-signature must be v1, and the base64 of 32 bytes")
	}
	signed := append([]byte(id+"."+timestamp+"."), body...)
	if err := requireMatch(keys, signed, macs); err != nil {
		return nil, err
	}
	return eventOf(body)
}

// VerifySignature256 checks X-Svc-Signature-256, as verifiers of GitHub's webhooks do, and returns the event. It
// does not cover the time: prefer [VerifyWebhook]. It fails with a [*WebhookVerificationError].
func VerifySignature256(header http.Header, body []byte, secrets []string) (*Event, error) {
	var given []string
	for _, name := range []string{"X-Svc-Signature-256", "X-Svc-Signature-256-Next"} {
		if value := header.Get(name); value != "" {
			given = append(given, value)
		}
	}
	if len(given) == 0 {
		return nil, refused(WebhookSignatureMissing, "the header X-Svc-Signature-256 is needed")
	}
	keys, err := standardKeys(secrets)
	if err != nil {
		return nil, err
	}
	// Here the key is the secret as a text.
	for i, secret := range secrets {
		keys[i] = []byte(secret)
	}
	var macs [][]byte
	for _, value := range given {
		digits, hasPrefix := strings.CutPrefix(value, "sha256=")
		mac, err := hex.DecodeString(digits)
		if hasPrefix && err == nil && len(mac) == sha256.Size && digits == strings.ToLower(digits) {
			macs = append(macs, mac)
		}
	}
	if len(macs) == 0 {
		return nil, refused(WebhookSignatureMalformed, "X-Svc-Signature-256 must be sha256= and 64 hexadecimal digits")
	}
	if err := requireMatch(keys, body, macs); err != nil {
		return nil, err
	}
	return eventOf(body)
}

func checkTime(timestamp string, c verifyConfig) error {
	if !timestampForm.MatchString(timestamp) {
		return refused(WebhookTimestampMalformed, "webhook-timestamp must be a Unix time in seconds")
	}
	seconds, _ := strconv.ParseInt(timestamp, 10, 64)
	// In whole seconds, as the timestamp is; twelve digits of them are more than a time.Duration holds.
	age, tolerance := c.now.Unix()-seconds, int64(c.tolerance/time.Second)
	if age > tolerance {
		return refused(WebhookTimestampTooOld, "the delivery is %d s old; %s is accepted", age, c.tolerance)
	}
	if -age > tolerance {
		return refused(WebhookTimestampTooNew, "the delivery comes from the future; is the clock of this machine right?")
	}
	return nil
}

// standardKeys are the keys that secrets stand for.
func standardKeys(secrets []string) ([][]byte, error) {
	if len(secrets) == 0 {
		return nil, refused(WebhookSecretMalformed, "there is no secret")
	}
	keys := make([][]byte, len(secrets))
	for i, secret := range secrets {
		encoded, hasPrefix := strings.CutPrefix(secret, secretPrefix)
		if keys[i] = decodeBase64(encoded); !hasPrefix || len(keys[i]) < secretBytesMin {
			return nil, refused(WebhookSecretMalformed,
				"a secret is whsec_ and the base64 of a key; it is shown once, when the webhook is made")
		}
	}
	return keys, nil
}

// decodeBase64 takes it with its padding and nothing else; nil: it is none. The standard library skips ends of lines.
func decodeBase64(encoded string) []byte {
	decoded, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || strings.ContainsAny(encoded, "\r\n") {
		return nil
	}
	return decoded
}

func requireMatch(keys [][]byte, signed []byte, macs [][]byte) error {
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		mac.Write(signed)
		expected := mac.Sum(nil)
		for _, given := range macs {
			// In constant time.
			if hmac.Equal(expected, given) {
				return nil
			}
		}
	}
	return refused(WebhookSignatureMismatch,
		"no signature is of this body under this secret; is the body the raw one, and the secret that of this webhook?")
}

func eventOf(body []byte) (*Event, error) {
	var event *Event
	if !utf8.Valid(body) || decodeInto(body, &event) != nil || event == nil {
		return nil, refused(WebhookBodyMalformed, "the body is signed, but is not the JSON of an event")
	}
	return event, nil
}
