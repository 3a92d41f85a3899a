package svc

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestNullSaysSomethingElseThanNothing(t *testing.T) {
	for _, c := range []struct {
		patch PatchWebhook
		want  string
	}{
		{PatchWebhook{}, `{}`},
		{PatchWebhook{Description: Null[string]()}, `{"description":null}`},
		{PatchWebhook{Description: Value("")}, `{"description":""}`},
		{PatchWebhook{URL: Ptr(""), Events: []EventKind{}}, `{"url":"","events":[]}`},
	} {
		got, err := json.Marshal(c.patch)
		if err != nil || string(got) != c.want {
			t.Errorf("%+v is sent as %s (%v), not %s", c.patch, got, err, c.want)
		}
		var back PatchWebhook
		if err := json.Unmarshal(got, &back); err != nil || !reflect.DeepEqual(back, c.patch) {
			t.Errorf("%s is read as %+v (%v), not %+v", got, back, err, c.patch)
		}
	}
}

func TestWhatMayBeOneOfSeveralThingsIsSentAsItIs(t *testing.T) {
	for want, value := range map[string]any{
		`{"input":"hi","model":"gpt"}`: Inference{Input: Text("hi"), Model: ModelName("gpt")},
		`{"input":[{"role":"user","content":"hi"},{"role":"assistant","content":null}],"model":{"name":"gpt"}}`: Inference{
			Input: Messages{{Role: RoleUser, Content: Text("hi")}, {Role: RoleAssistant}},
			Model: Model{Name: Ptr("gpt")},
		},
		`{"input":[{"role":"user","content":[{"type":"text","text":"<hi>"}]}]}`: Inference{
			Input: Messages{{Role: RoleUser, Content: ContentParts{{Type: "text", Text: Ptr("<hi>")}}}},
		},
		`{"seq":0,"delta":{"content":"x"}}`: StreamChunk{Delta: StreamChunkDeltaParts{Content: Ptr("x")}},
		`{"kind":"slack","name":"ops","events":["*"],"config":{"url":"https://hooks.slack.com/x"}}`: CreateIntegration{
			Kind: IntegrationKindSlack, Name: "ops", Events: []EventKind{EventKindAll},
			Config: SlackConfig{URL: "https://hooks.slack.com/x"},
		},
		`["text",true,2,2.5]`: []Scalar{ScalarOf("text"), ScalarOf(true), ScalarOf(2), ScalarOf(2.5)},
	} {
		got, err := encode(value)
		if err != nil || string(got) != want {
			t.Errorf("it is sent as %s (%v), not %s", got, err, want)
		}
	}
}

func TestNumbersOfScalarsKeepTheirDigits(t *testing.T) {
	var s Scalar
	if err := json.Unmarshal([]byte("9007199254740993"), &s); err != nil || s.Value() != json.Number("9007199254740993") {
		t.Errorf("got %v, %v", s.Value(), err)
	}
	if err := json.Unmarshal([]byte(`{"a":1}`), &s); err == nil {
		t.Error("an object is taken for a scalar")
	}
}

// Values of every type of the API reference go into Go and come out again as they were: with all members and each
// kind of thing that they may be, with the needed ones alone, and with null wherever there can be null.
func TestEveryTypeComesBackAsItWas(t *testing.T) {
	document := openAPI(t)
	for name, newValue := range generatedTypes {
		for _, how := range []sampling{{isFull: true}, {isFull: true, option: 1}, {}, {hasNulls: true}} {
			want := document.sample(document.schemas[name], how, true)
			text, err := json.Marshal(want)
			if err != nil {
				t.Fatal(err)
			}
			value := newValue()
			if err := json.Unmarshal(text, value); err != nil {
				t.Errorf("%s cannot be read from %s: %v", name, text, err)
				continue
			}
			back, err := json.Marshal(value)
			if err != nil {
				t.Errorf("%s cannot be written: %v", name, err)
				continue
			}
			var got any
			if err := json.Unmarshal(back, &got); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s comes back as\n%s\nfrom\n%s", name, back, text)
			}
		}
	}
	if len(generatedTypes) < 100 {
		t.Errorf("only %d types were tried", len(generatedTypes))
	}
}

func TestAnswersOfTomorrowAreRead(t *testing.T) {
	document := openAPI(t)
	for name, newValue := range generatedTypes {
		text, err := json.Marshal(document.sample(document.schemas[name], sampling{isFull: true, isOfTomorrow: true}, false))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, newValue()); err != nil {
			t.Errorf("%s cannot be read from %s: %v", name, text, err)
		}
	}
	var assessment Assessment
	if err := json.Unmarshal([]byte(`{"outcome":"paused","new":[1]}`), &assessment); err != nil || assessment.Outcome != "paused" {
		t.Errorf("got %q, %v", assessment.Outcome, err)
	}
}

type schemas struct{ schemas map[string]any }

func openAPI(t *testing.T) schemas {
	text, err := os.ReadFile("../../api/openapi.json")
	if os.IsNotExist(err) {
		t.Skip("api/openapi.json is in the repository alone")
	}
	var document struct {
		Components struct{ Schemas map[string]any }
	}
	if err == nil {
		err = json.Unmarshal(text, &document)
	}
	if err != nil {
		t.Fatal(err)
	}
	return schemas{document.Components.Schemas}
}

// sampling says which value of a schema is wanted.
type sampling struct {
	// With members that may be left out.
	isFull bool
	// Null wherever the schema allows it.
	hasNulls bool
	// Which of several things.
	option int
	// With members and texts that nobody knows yet.
	isOfTomorrow bool
}

// sample returns a value of a schema, as JSON is decoded. isOptional: it is of a member that may be left out.
func (s schemas) sample(schema any, how sampling, isOptional bool) any {
	given, _ := schema.(map[string]any)
	if ref, isRef := given["$ref"].(string); isRef {
		return s.sample(s.schemas[ref[strings.LastIndex(ref, "/")+1:]], how, isOptional)
	}
	if values, isEnum := given["enum"].([]any); isEnum {
		if _, isText := values[0].(string); isText && how.isOfTomorrow {
			return "of_tomorrow"
		}
		return values[how.option%len(values)]
	}
	if value, isConst := given["const"]; isConst {
		return value
	}
	if options := s.optionsOf(given); len(options) > 0 {
		if i := slices.IndexFunc(options, isNull); i >= 0 {
			// Of what may be left out, Go need not tell null from nothing.
			if how.hasNulls && !isOptional {
				return nil
			}
			options = slices.Delete(slices.Clone(options), i, i+1)
		}
		return s.sample(options[how.option%len(options)], how, isOptional)
	}
	switch given["type"] {
	case "string":
		return "text <&>"
	case "integer":
		return 7.0
	case "number":
		return 0.5
	case "boolean":
		return true
	case "array":
		return []any{s.sample(given["items"], how, false)}
	case "object":
		return s.sampleObject(given, how)
	case nil:
		return map[string]any{"anything": 1.0}
	default:
		panic(fmt.Sprintf("no sample of %v", given))
	}
}

func (s schemas) sampleObject(schema map[string]any, how sampling) any {
	object := map[string]any{}
	members, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	for name, member := range members {
		isOptional := !slices.Contains(required, any(name))
		if !isOptional || how.isFull {
			object[name] = s.sample(member, how, isOptional)
		}
	}
	if len(members) > 0 {
		if how.isOfTomorrow {
			object["of_tomorrow"] = map[string]any{"x": []any{1.0}}
		}
		return object
	}
	patterns, _ := schema["patternProperties"].(map[string]any)
	for values := range maps.Values(patterns) {
		object["key"] = s.sample(values, how, false)
	}
	if more, isSchema := schema["additionalProperties"].(map[string]any); isSchema {
		object["key"] = s.sample(more, how, false)
	}
	return object
}

// optionsOf are the schemas of which a value has one.
func (s schemas) optionsOf(schema map[string]any) []any {
	for _, key := range []string{"anyOf", "oneOf"} {
		if options, isThere := schema[key].([]any); isThere {
			return options
		}
	}
	var options []any
	if types, areSeveral := schema["type"].([]any); areSeveral {
		for _, one := range types {
			option := maps.Clone(schema)
			option["type"] = one
			options = append(options, option)
		}
	}
	return options
}

func isNull(schema any) bool {
	given, _ := schema.(map[string]any)
	return given["type"] == "null"
}
