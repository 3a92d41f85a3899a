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
		for {
			page, err := p.read(query)
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(page, nil) {
				return
			}
			name, value := page.next(query)
			if value == "" {
				return
			}
			if query.Get(name) == value {
				yield(nil, errorf("the list does not go on: after this page comes the same page"))
				return
			}
			query = maps.Clone(query)
			query.Set(name, value)
		}
	}
}

// next is the parameter that the next page is asked for by; its value is empty where this page is the last. A feed
// of events has no cursors: it goes on after the last one that came.
func (page *Page[T]) next(query url.Values) (name, value string) {
	const afterSequence = "after_sequence"
	switch {
	case !page.HasMore:
	case page.NextCursor != nil:
		return "cursor", *page.NextCursor
	case query.Has(afterSequence) && len(page.Data) > 0:
		if event, isEvent := any(page.Data[len(page.Data)-1]).(Event); isEvent {
			return afterSequence, strconv.FormatInt(event.Sequence, 10)
		}
	}
	return "", ""
}

// FirstPage asks for the first page alone.
func (p *Pages[T]) FirstPage() (*Page[T], error) {
	return p.read(p.query)
}
