package svc

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Error is implemented by every error that this package makes. Errors of a context, and of a source that
// [Client.GuardStream] reads, are passed on as they are.
type Error interface {
	error
	isSvcError()
}

// What errors.Is finds in an [APIError], by its code, whatever its message.
var (
	// 400: Details names each place.
	ErrInvalidRequest = errors.New("svc: invalid_request")
	// 401: no credential, or one that does not hold.
	ErrUnauthorized = errors.New("svc: unauthorized")
	// 401: refresh the session token, or sign in again.
	ErrTokenExpired = errors.New("svc: token_expired")
	// 403: the message names the scope.
	ErrInsufficientPermissions = errors.New("svc: insufficient_permissions")
	// 403: this machine's address is outside the allowlist.
	ErrIPNotAllowed = errors.New("svc: ip_not_allowed")
	// 404: nothing of that name in this organization.
	ErrNotFound = errors.New("svc: not_found")
	// 409: the state of things does not allow it.
	ErrConflict = errors.New("svc: conflict")
	// 412: it was changed since it was read.
	ErrPreconditionFailed = errors.New("svc: precondition_failed")
	// 413.
	ErrPayloadTooLarge = errors.New("svc: payload_too_large")
	// 422: the idempotency key was used with another body.
	ErrIdempotencyMismatch = errors.New("svc: idempotency_mismatch")
	// 429, after all retries, or with a wait longer than [WithMaxRetryWait]: RetryAfter says how long.
	ErrRateLimited = errors.New("svc: rate_limited")
	// 5xx, after all retries.
	ErrServer = errors.New("svc: server")
	// It did not answer within [WithTimeout], after all retries. A [ConnectionError].
	ErrTimeout = errors.New("svc: timeout")
)

var sentinels = map[ErrorCode]error{
	ErrorCodeInvalidRequest:          ErrInvalidRequest,
	ErrorCodeUnauthorized:            ErrUnauthorized,
	ErrorCodeTokenExpired:            ErrTokenExpired,
	ErrorCodeInsufficientPermissions: ErrInsufficientPermissions,
	ErrorCodeIPNotAllowed:            ErrIPNotAllowed,
	ErrorCodeNotFound:                ErrNotFound,
	ErrorCodeConflict:                ErrConflict,
	ErrorCodePreconditionFailed:      ErrPreconditionFailed,
	ErrorCodePayloadTooLarge:         ErrPayloadTooLarge,
	ErrorCodeIdempotencyMismatch:     ErrIdempotencyMismatch,
	ErrorCodeRateLimited:             ErrRateLimited,
}

// errorCodeUnknown is that of answers which something in between gave.
const errorCodeUnknown ErrorCode = "unknown"

// APIError is a refusal of the service, or its failure.
type APIError struct {
	// HTTP status.
	Status int
	// Stable, for programs: [ErrorCodeInvalidRequest]. "unknown" where the answer did not come from the service.
	Code    ErrorCode
	Message string
	// To name when you ask for help; empty where the answer did not come from the service.
	RequestID string
	// The places of the request that are wrong.
	Details []ErrorDetail
	// When the same request may succeed; nil: the service did not say.
	RetryAfter *time.Duration
}

func (e *APIError) Error() string {
	text := fmt.Sprintf("svc: %d %s: %s", e.Status, e.Code, e.Message)
	for _, detail := range e.Details {
		text += strings.TrimSuffix(" "+detail.Pointer, " ") + " " + strings.TrimSuffix(detail.Message, ".") + "."
	}
	if e.RequestID != "" {
		text += " (" + e.RequestID + ")"
	}
	return text
}

// Is makes errors.Is(err, svc.ErrNotFound) work.
func (e *APIError) Is(target error) bool {
	return target == e.sentinel()
}

// sentinel is by the code; of a code that is not known by the status. nil: none.
func (e *APIError) sentinel() error {
	switch known, isKnown := sentinels[e.Code]; {
	case isKnown:
		return known
	case e.Status == http.StatusTooManyRequests:
		return ErrRateLimited
	case e.Status >= 500:
		return ErrServer
	default:
		return nil
	}
}

func (e *APIError) isSvcError() {}

// ConnectionError says that the service was not reached, broke off, or did not answer in time, after all retries.
type ConnectionError struct {
	message   string
	cause     error
	isTimeout bool
}

func (e *ConnectionError) Error() string {
	if e.cause == nil {
		return "svc: " + e.message
	}
	return "svc: " + e.message + ": " + e.cause.Error()
}

// Unwrap returns what the network said; nil for a time-out.
func (e *ConnectionError) Unwrap() error { return e.cause }

// Timeout tells whether it was a time-out, as net.Error has it.
func (e *ConnectionError) Timeout() bool { return e.isTimeout }

// Is makes errors.Is(err, svc.ErrTimeout) work.
func (e *ConnectionError) Is(target error) bool { return target == ErrTimeout && e.isTimeout }

func (e *ConnectionError) isSvcError() {}

// plainError is one that a program cannot do anything about but tell.
type plainError struct {
	message string
	cause   error
}

func (e *plainError) Error() string { return "svc: " + e.message }
func (e *plainError) Unwrap() error { return e.cause }
func (e *plainError) isSvcError()   {}

func errorf(format string, args ...any) error {
	return &plainError{message: fmt.Sprintf(format, args...)}
}

// apiErrorOf makes the error of an answer. body: as it was read, JSON or not.
func apiErrorOf(status int, header http.Header, body []byte, now time.Time) *APIError {
	failed := &APIError{
		Status:     status,
		Code:       errorCodeUnknown,
		Message:    fmt.Sprintf("The service answered with status %d.", status),
		RequestID:  header.Get("X-Svc-Request-Id"),
		RetryAfter: retryAfterOf(header, now),
	}
	if status >= 300 && status <= 399 {
		failed.Message = fmt.Sprintf("The service answered with a redirect, status %d, which is not followed. Is the base URL right?", status)
	}
	// Member by member: one that is not what it should be does not take the others with it.
	var answer, told map[string]json.RawMessage
	_ = json.Unmarshal(body, &answer)
	_ = json.Unmarshal(answer["error"], &told)
	takeMember(told["code"], &failed.Code)
	takeMember(told["message"], &failed.Message)
	takeMember(told["request_id"], &failed.RequestID)
	var details []ErrorDetail
	if decodeInto(told["details"], &details) == nil {
		failed.Details = details
	}
	return failed
}

// takeMember leaves a text as it is where there is no other.
func takeMember[T ~string](data json.RawMessage, into *T) {
	var value T
	if json.Unmarshal(data, &value) == nil && value != "" {
		*into = value
	}
}

// secondsMax is about three hundred years: what a time.Duration can hold.
const secondsMax = 9_000_000_000

// retryAfterOf reads Retry-After, seconds or a date (RFC 9110 §10.2.3); nil: there is none.
func retryAfterOf(header http.Header, now time.Time) *time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	if isDigits(value) {
		seconds, err := strconv.ParseInt(value, 10, 64)
		if err != nil || seconds > secondsMax {
			seconds = secondsMax
		}
		return Ptr(time.Duration(seconds) * time.Second)
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return nil
	}
	wait := at.Sub(now)
	if wait <= 0 {
		return Ptr(time.Duration(0))
	}
	return Ptr((wait + time.Second - 1).Truncate(time.Second))
}

func isDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}
