// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.resources;

import svc.client.Call;
import svc.client.CallOptions;
import svc.client.Transport;
import svc.client.types.OpenedStream;
import svc.client.types.StreamChunk;
import svc.client.types.StreamChunkResult;
import svc.client.types.StreamInference;

/** Ask the same while a model is still writing, and show only what is safe. Safe for use by many threads. */
public final class StreamsApi {
  private final Transport transport;

  /** Made by the client: see {@link svc.client.Svc}. */
  public StreamsApi(Transport transport) {
    this.transport = transport;
  }

  /**
   * Assess an answer while it is written. Assesses the input, and opens a stream for the answer. Costs one
   * assessment; its chunks cost nothing. At most 100 are open at a time. One that hears nothing for 60 s is
   * closed and recorded as far as it came. Needs {@code assess:create}.
   */
  public OpenedStream create(StreamInference body) {
    return create(body, null);
  }

  /**
   * Assess an answer while it is written. Assesses the input, and opens a stream for the answer. Costs one
   * assessment; its chunks cost nothing. At most 100 are open at a time. One that hears nothing for 60 s is
   * closed and recorded as far as it came. Needs {@code assess:create}. {@code options}: {@code null} for
   * those of the client.
   */
  public OpenedStream create(StreamInference body, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/assessments/streams")
            .body(body)
            .takesKey(),
        OpenedStream.class, options);
  }

  /**
   * Send what the model has written since. Answers what may be shown now. Send chunks one after another: a
   * gap in {@code seq} is a 409, and a chunk that is sent again is answered as before. At most 50 a second
   * and 1 MiB a stream. The last chunk, with {@code final}, answers the whole assessment, committed to the
   * audit trail. Once {@code outcome} is {@code blocked} nothing more is released: stop the model and send
   * the last chunk. Needs {@code assess:create}.
   */
  public StreamChunkResult appendChunk(String streamId, StreamChunk body) {
    return appendChunk(streamId, body, null);
  }

  /**
   * Send what the model has written since. Answers what may be shown now. Send chunks one after another: a
   * gap in {@code seq} is a 409, and a chunk that is sent again is answered as before. At most 50 a second
   * and 1 MiB a stream. The last chunk, with {@code final}, answers the whole assessment, committed to the
   * audit trail. Once {@code outcome} is {@code blocked} nothing more is released: stop the model and send
   * the last chunk. Needs {@code assess:create}. {@code options}: {@code null} for those of the client.
   */
  public StreamChunkResult appendChunk(String streamId, StreamChunk body, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/assessments/streams/" + Call.segment(streamId) + "/chunks")
            .body(body)
            .takesKey(),
        StreamChunkResult.class, options);
  }
}
