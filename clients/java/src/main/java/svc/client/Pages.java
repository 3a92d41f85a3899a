package svc.client;

import com.fasterxml.jackson.databind.JavaType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A list. Going over it asks for further pages as they are needed; {@link #firstPage} is one
 * request. Each {@link #iterator} begins anew.
 *
 * @param <T> what is listed.
 */
public final class Pages<T> implements Iterable<T> {
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
    return page(null);
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

  private Page<T> page(String cursor) {
    return transport.json(call.with("cursor", cursor), pageType, options);
  }

  private final class PageIterator implements Iterator<Page<T>> {
    private String cursor;
    private boolean isOver;

    @Override
    public boolean hasNext() {
      return !isOver;
    }

    @Override
    public Page<T> next() {
      if (isOver) throw new NoSuchElementException();
      Page<T> page = page(cursor);
      cursor = page.hasMore() ? page.nextCursor() : null;
      isOver = cursor == null;
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
