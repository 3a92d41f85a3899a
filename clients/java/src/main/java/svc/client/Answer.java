package svc.client;

import java.io.InputStream;
import java.net.http.HttpHeaders;

/**
 * What the service answered: {@code body} as it was read, or {@code stream} where that is left to
 * the caller.
 */
record Answer(int status, HttpHeaders headers, byte[] body, InputStream stream) {
  boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  /** {@code null}: there is none. */
  String header(String name) {
    return headers.firstValue(name).orElse(null);
  }
}
