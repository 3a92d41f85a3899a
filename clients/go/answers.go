package svc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// answered is what the service answers, and the members without which it decides nothing. One with a question mark
// may be null. What lacks one comes from something else, or was cut: it must not be taken for an answer whose members
// are all empty, in which nothing is blocked. Others may be missing, of a service that is older than this package.
type answered interface {
	required() []string
}

// decisive is what is decided by, wherever in an answer it is.
type decisive interface {
	decisive() []string
}

func (Assessment) decisive() []string { return []string{"id", "outcome"} }

func (Page[T]) required() []string { return []string{"data", "has_more", "next_cursor?"} }

// decodeAnswer reads what came into what a pointer points to, and fails unless it is of its shape.
func decodeAnswer(data []byte, into any) error {
	declared, isAnswered := into.(answered)
	if !isAnswered {
		return json.Unmarshal(data, into)
	}
	if err := requireMembers(data, declared.required()); err != nil {
		return err
	}
	return decodeInto(data, into)
}

func requireMembers(data []byte, names []string) error {
	var members map[string]json.RawMessage
	if firstByte(data) != '{' {
		return fmt.Errorf("it is not an object")
	}
	if err := json.Unmarshal(data, &members); err != nil {
		return err
	}
	for _, name := range names {
		name, mayBeNull := strings.CutSuffix(name, "?")
		value, isThere := members[name]
		if !isThere || (!mayBeNull && string(value) == "null") {
			return fmt.Errorf("the member %s is missing", name)
		}
	}
	return nil
}

// decodeInto is json.Unmarshal, but for members whose names are others in upper and lower case: those are unknown.
func decodeInto(data []byte, into any) error {
	exact, err := withExactNames(data, reflect.TypeOf(into).Elem())
	if err != nil {
		return err
	}
	return json.Unmarshal(exact, into)
}

// withExactNames returns JSON without the members that encoding/json takes for known ones although their names
// are others, so that what nobody knows changes nothing.
func withExactNames(data json.RawMessage, t reflect.Type) (json.RawMessage, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch first := firstByte(data); {
	case t.Kind() == reflect.Slice && first == '[' && holdsStructs(t.Elem()):
		var items []json.RawMessage
		if err := json.Unmarshal(data, &items); err != nil {
			return nil, err
		}
		isChanged := false
		for i, item := range items {
			if err := exactly(&items[i], item, t.Elem(), &isChanged); err != nil {
				return nil, err
			}
		}
		return written(data, items, isChanged)
	case first == '{' && (t.Kind() == reflect.Struct || t.Kind() == reflect.Map && holdsStructs(t.Elem())):
		var members map[string]json.RawMessage
		if err := json.Unmarshal(data, &members); err != nil {
			return nil, err
		}
		isChanged := false
		for name, value := range members {
			of, isKnown := memberType(t, name)
			switch {
			case of == nil:
				delete(members, name)
				isChanged = true
			case isKnown:
				if err := exactly(&value, value, of, &isChanged); err != nil {
					return nil, err
				}
				members[name] = value
			}
		}
		if shape, isDecisive := reflect.Zero(t).Interface().(decisive); isDecisive {
			if err := requireMembers(data, shape.decisive()); err != nil {
				return nil, err
			}
		}
		return written(data, members, isChanged)
	default:
		return data, nil
	}
}

func exactly(into *json.RawMessage, value json.RawMessage, t reflect.Type, isChanged *bool) error {
	exact, err := withExactNames(value, t)
	if err != nil {
		return err
	}
	*isChanged = *isChanged || !bytes.Equal(exact, value)
	*into = exact
	return nil
}

func written(data json.RawMessage, value any, isChanged bool) (json.RawMessage, error) {
	if !isChanged {
		return data, nil
	}
	return encode(value)
}

func holdsStructs(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	return t.Kind() == reflect.Struct
}

// memberType is what a member is in Go, and true; false: it is none that is known. A name that would be taken for
// a known one has no type.
func memberType(t reflect.Type, name string) (reflect.Type, bool) {
	if t.Kind() == reflect.Map {
		return t.Elem(), true
	}
	var alike bool
	for i := range t.NumField() {
		field := t.Field(i)
		known, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if known == name {
			return field.Type, true
		}
		alike = alike || known != "" && strings.EqualFold(known, name)
	}
	if alike {
		return nil, false
	}
	return t, false
}
