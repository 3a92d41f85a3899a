package svc

import (
	"context"
	"iter"
	"maps"
	"net/url"
	"strconv"
)

// Page is a part of a list.
type Page[T any] struct {
	Data []T `json:"data"`
	// More follow after the last one.
	HasMore bool `json:"has_more"`
	// Cursor of the next page; nil: this is the last, or one of a feed.
	NextCursor *string `json:"next_cursor"`
}

// Pages is a list that is read as it is needed. It can be gone over more than once, and asks anew each time.
type Pages[T any] struct {
	query url.Values
	read  func(query url.Values) (*Page[T], error)
}

func newPages[T any](ctx context.Context, t *transport, c call, opts []CallOption) *Pages[T] {
	return &Pages[T]{c.query, func(query url.Values) (*Page[T], error) {
		asked := c
		asked.query = query
		return sendForJSON[Page[T]](ctx, t, asked, opts)
	}}
}

// All goes over every item, and asks for further pages as it gets there:
//
//	for event, err := range client.Events.List(ctx, svc.EventsListQuery{}).All() {
//		if err != nil {
//			return err
//		}
//		…
//	}
//
// An error comes last.
func (p *Pages[T]) All() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for page, err := range p.Pages() {
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range page.Data {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}

// Pages goes over the list page by page. An error comes last.
func (p *Pages[T]) Pages() iter.Seq2[*Page[T], error] {
	return func(yield func(*Page[T], error) bool) {
		query := p.query
		asked := map[string]bool{query.Get("cursor"): true, query.Get(afterSequence): true}
		for {
			page, err := p.read(query)
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(page, nil) {
				return
			}
			name, value, err := page.next(query)
			if err == nil && value == "" {
				return
			}
			if err == nil && asked[value] {
				err = errorf("the list does not go on: after this page comes one that was there already")
			}
			if err != nil {
				yield(nil, err)
				return
			}
			asked[value] = true
			query = maps.Clone(query)
			query.Set(name, value)
		}
	}
}

const afterSequence = "after_sequence"

// next is the parameter that the next page is asked for by; its value is empty where this page is the last. A feed
// of events has no cursors: it goes on after the last one that came. To take a list that is cut for a whole one
// would be to miss what it holds.
func (page *Page[T]) next(query url.Values) (name, value string, err error) {
	switch {
	case !page.HasMore:
		return "", "", nil
	case query.Has(afterSequence):
		if len(page.Data) == 0 {
			return "", "", nil
		}
		if event, isEvent := any(page.Data[len(page.Data)-1]).(Event); isEvent {
			return afterSequence, strconv.FormatInt(event.Sequence, 10), nil
		}
		fallthrough
	case page.NextCursor == nil || *page.NextCursor == "":
		return "", "", errorf("the list is cut: there is more of it, and no cursor that leads there")
	default:
		return "cursor", *page.NextCursor, nil
	}
}

// FirstPage asks for the first page alone.
func (p *Pages[T]) FirstPage() (*Page[T], error) {
	return p.read(p.query)
}
