package svc.client;

import com.fasterxml.jackson.databind.JavaType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import svc.client.types.Event;

/**
 * A list. Going over it asks for further pages as they are needed; {@link #firstPage} is one
 * request. Each {@link #iterator} begins anew.
 *
 * @param <T> what is listed.
 */
public final class Pages<T> implements Iterable<T> {
  private static final String AFTER = "after_sequence";

  private final Transport transport;
  private final Call call;
  private final JavaType pageType;
  private final CallOptions options;

  /** {@code call}: what asks for a page, without a cursor. For resources. */
  public Pages(Transport transport, Call call, Class<T> itemType, CallOptions options) {
    this.transport = transport;
    this.call = call;
    this.pageType = Json.MAPPER.getTypeFactory().constructParametricType(Page.class, itemType);
    this.options = options;
  }

  /** Asks for the first page. */
  public Page<T> firstPage() {
    return page(call);
  }

  /** Page by page; asks for each when it is its turn. */
  public Iterable<Page<T>> pages() {
    return PageIterator::new;
  }

  /** Item by item. Throws what a request throws, at any page. */
  @Override
  public Iterator<T> iterator() {
    return new ItemIterator(new PageIterator());
  }

  /** Item by item, in order. */
  public Stream<T> stream() {
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(iterator(), Spliterator.ORDERED), false);
  }

  private Page<T> page(Call asked) {
    return transport.json(asked, pageType, options);
  }

  /** What asks for the page after this one; {@code null}: it was the last. */
  private Call after(Page<T> page) {
    if (!page.hasMore()) return null;
    if (!call.query.containsKey(AFTER)) {
      if (page.nextCursor() == null)
        throw new SvcException("The service says that there is more, and not where.");
      return call.with("cursor", page.nextCursor());
    }
    // A feed has no cursors: it goes on after the last event that came.
    T last = page.data().isEmpty() ? null : page.data().get(page.data().size() - 1);
    return last instanceof Event event ? call.with(AFTER, event.sequence()) : null;
  }

  private final class PageIterator implements Iterator<Page<T>> {
    private final Set<String> asked = new HashSet<>();
    private Call next = call;

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public Page<T> next() {
      if (next == null) throw new NoSuchElementException();
      // Else it would go on for ever.
      if (!asked.add(next.target()))
        throw new SvcException("The service answered the same page again.");
      Page<T> page = page(next);
      next = after(page);
      return page;
    }
  }

  private final class ItemIterator implements Iterator<T> {
    private final PageIterator pages;
    private final Deque<T> items = new ArrayDeque<>();

    ItemIterator(PageIterator pages) {
      this.pages = pages;
    }

    @Override
    public boolean hasNext() {
      while (items.isEmpty() && pages.hasNext()) items.addAll(pages.next().data());
      return !items.isEmpty();
    }

    @Override
    public T next() {
      if (!hasNext()) throw new NoSuchElementException();
      return items.remove();
    }
  }
}
