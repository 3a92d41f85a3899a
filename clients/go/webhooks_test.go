package svc

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
)

const (
	deliveredAt  = 1_764_000_000
	deliveryBody = `{"id":"evt_1","kind":"inference.blocked"}`
	keyText      = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
)

func delivery() http.Header {
	key, _ := base64.StdEncoding.DecodeString(keyText)
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("evt_1.1764000000." + deliveryBody))
	return http.Header{
		"Webhook-Id":        {"evt_1"},
		"Webhook-Timestamp": {"1764000000"},
		"Webhook-Signature": {"v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))},
	}
}

func verify(header http.Header, secret string, opts ...VerifyOption) WebhookRule {
	_, err := VerifyWebhook(header, []byte(deliveryBody), []string{secret}, append([]VerifyOption{WithNow(time.Unix(deliveredAt, 0))}, opts...)...)
	var refused *WebhookVerificationError
	if err != nil && !errors.As(err, &refused) {
		return WebhookRule(err.Error())
	}
	if refused != nil {
		return refused.Rule
	}
	return ""
}

func TestTheTimeOfADeliveryIsInWholeSeconds(t *testing.T) {
	at := time.Unix(deliveredAt, 0)
	for _, c := range []struct {
		now       time.Time
		tolerance time.Duration
		want      WebhookRule
	}{
		{at.Add(300*time.Second + 999*time.Millisecond), 300 * time.Second, ""},
		{at.Add(301 * time.Second), 300 * time.Second, WebhookTimestampTooOld},
		{at.Add(-300 * time.Second), 300 * time.Second, ""},
		// Its second has begun before.
		{at.Add(-300*time.Second - time.Millisecond), 300 * time.Second, WebhookTimestampTooNew},
		{at.Add(999 * time.Millisecond), 0, ""},
		{at.Add(-time.Millisecond), 0, WebhookTimestampTooNew},
	} {
		if got := verify(delivery(), "whsec_"+keyText, WithNow(c.now), WithTolerance(c.tolerance)); got != c.want {
			t.Errorf("at %s it is %q, not %q", c.now.Sub(at), got, c.want)
		}
	}
}

func TestSecretsAndSignaturesAreStrictBase64(t *testing.T) {
	if got := verify(delivery(), "whsec_"+keyText); got != "" {
		t.Fatalf("a good one breaks %s", got)
	}
	for _, encoded := range []string{
		strings.TrimRight(keyText, "="), keyText + "=", keyText + "\n", keyText[:8] + "\r\n" + keyText[8:], " " + keyText, keyText + keyText,
	} {
		if got := verify(delivery(), "whsec_"+encoded); got != WebhookSecretMalformed {
			t.Errorf("the secret %q breaks %q", encoded, got)
		}
	}
	good := delivery().Get("Webhook-Signature")
	for _, signature := range []string{strings.TrimRight(good, "="), good + "=", good + "\n", good[:9] + "\r\n" + good[9:]} {
		header := delivery()
		header["Webhook-Signature"] = []string{signature}
		if got := verify(header, "whsec_"+keyText); got != WebhookSignatureMalformed {
			t.Errorf("the signature %q breaks %q", signature, got)
		}
	}
}
