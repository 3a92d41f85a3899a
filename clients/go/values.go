package svc

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Text is a text where there may be something else: the input of an [Inference], what a [Message] says.
type Text string

// ModelName names a model where there may be a [Model].
type ModelName string

// Ptr returns a pointer to a value, for members that may be left out: svc.Ptr("chat-1042").
func Ptr[T any](value T) *T {
	return &value
}

// Nullable is a value, null, or nothing, which is its zero value: in a change, nothing leaves a member as it is
// and null empties it. See [Value] and [Null].
type Nullable[T any] struct {
	value   T
	isGiven bool
	isNull  bool
}

// Value returns a Nullable that holds a value.
func Value[T any](value T) Nullable[T] {
	return Nullable[T]{value: value, isGiven: true}
}

// Null returns a Nullable that is null.
func Null[T any]() Nullable[T] {
	return Nullable[T]{isGiven: true, isNull: true}
}

// Get returns the value; false where it is null, or nothing.
func (n Nullable[T]) Get() (T, bool) {
	return n.value, n.isGiven && !n.isNull
}

// IsNull tells whether it is null, and not nothing.
func (n Nullable[T]) IsNull() bool {
	return n.isNull
}

// IsZero tells whether it is nothing, so that omitzero leaves it out.
func (n Nullable[T]) IsZero() bool {
	return !n.isGiven
}

// MarshalJSON writes the value, or null.
func (n Nullable[T]) MarshalJSON() ([]byte, error) {
	if !n.isGiven || n.isNull {
		return []byte("null"), nil
	}
	return json.Marshal(n.value)
}

// UnmarshalJSON takes the value, or null.
func (n *Nullable[T]) UnmarshalJSON(data []byte) error {
	*n = Null[T]()
	if string(data) == "null" {
		return nil
	}
	var value T
	if err := json.Unmarshal(data, &value); err != nil {
		return err
	}
	*n = Value(value)
	return nil
}

// Scalar is a string, a number or a boolean. The zero value is null.
type Scalar struct {
	value any
}

// ScalarOf returns a Scalar that holds this value.
func ScalarOf[T string | bool | int | int64 | float64](value T) Scalar {
	return Scalar{value}
}

// Value returns a string, a bool or a json.Number; of a Scalar made by [ScalarOf] what it was made of.
func (s Scalar) Value() any {
	return s.value
}

// MarshalJSON writes the value.
func (s Scalar) MarshalJSON() ([]byte, error) {
	return json.Marshal(s.value)
}

// UnmarshalJSON takes a value; numbers keep their digits.
func (s *Scalar) UnmarshalJSON(data []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return err
	}
	switch value.(type) {
	case map[string]any, []any:
		return fmt.Errorf("svc: a string, a number or a boolean is expected, not %.20s", data)
	}
	s.value = value
	return nil
}

// hidden is what is shown of a secret: whether there is one.
func hidden(secret string) string {
	if secret == "" {
		return ""
	}
	return "***"
}

// firstByte tells what JSON holds: a string begins with a quotation mark. 0: nothing.
func firstByte(data json.RawMessage) byte {
	trimmed := bytes.TrimLeft(data, " \t\r\n")
	if len(trimmed) == 0 {
		return 0
	}
	return trimmed[0]
}

func decodeAs[T any](data json.RawMessage) (value T, err error) {
	err = json.Unmarshal(data, &value)
	return value, err
}
