// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;
import svc.client.OrNull;

/**
 * {@code Heartbeat} in an answer or request. Made by {@link #builder()}.
 *
 * @param version Of the probe’s software. May be {@code null}.
 * @param startedAt When the probe was started. May be {@code null}.
 * @param policyVersion By which it decides. May be {@code null}.
 * @param queue What is not sent yet. May be {@code null}.
 * @param labels In place of those that it said before. May be {@code null}.
 * @param stale The policy by which it decides has expired. May be {@code null}.
 */
public record Heartbeat(
    OrNull<String> version,
    @JsonProperty("started_at") OrNull<String> startedAt,
    @JsonProperty("policy_version") OrNull<Long> policyVersion,
    OrNull<Queue> queue,
    OrNull<Labels> labels,
    OrNull<Boolean> stale) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.version = version;
    builder.startedAt = startedAt;
    builder.policyVersion = policyVersion;
    builder.queue = queue;
    builder.labels = labels;
    builder.stale = stale;
    return builder;
  }

  /** Sets members of {@link Heartbeat}. Not for use by more than one thread. */
  public static final class Builder {
    private OrNull<String> version;
    private OrNull<String> startedAt;
    private OrNull<Long> policyVersion;
    private OrNull<Queue> queue;
    private OrNull<Labels> labels;
    private OrNull<Boolean> stale;

    private Builder() {}

    /** Of the probe’s software. */
    public Builder version(String value) {
      version = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code version}, which is not the same as leaving it out. */
    public Builder clearVersion() {
      version = OrNull.none();
      return this;
    }

    /** When the probe was started. */
    public Builder startedAt(String value) {
      startedAt = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code started_at}, which is not the same as leaving it out. */
    public Builder clearStartedAt() {
      startedAt = OrNull.none();
      return this;
    }

    /** By which it decides. */
    public Builder policyVersion(long value) {
      policyVersion = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code policy_version}, which is not the same as leaving it out. */
    public Builder clearPolicyVersion() {
      policyVersion = OrNull.none();
      return this;
    }

    /** What is not sent yet. */
    public Builder queue(Queue value) {
      queue = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code queue}, which is not the same as leaving it out. */
    public Builder clearQueue() {
      queue = OrNull.none();
      return this;
    }

    /** In place of those that it said before. */
    public Builder labels(Labels value) {
      labels = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code labels}, which is not the same as leaving it out. */
    public Builder clearLabels() {
      labels = OrNull.none();
      return this;
    }

    /** The policy by which it decides has expired. */
    public Builder stale(boolean value) {
      stale = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code stale}, which is not the same as leaving it out. */
    public Builder clearStale() {
      stale = OrNull.none();
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public Heartbeat build() {
      return new Heartbeat(
          version,
          startedAt,
          policyVersion,
          queue,
          labels,
          stale);
    }
  }

  /**
   * {@code Queue} in an answer or request. Made by {@link #builder()}.
   *
   * @param depth Events that wait to be sent.
   * @param dropped Events that were given up since the start.
   */
  public record Queue(
      long depth,
      long dropped) {
    /** Begins one; what is not set is left out. */
    public static Builder builder() {
      return new Builder();
    }

    /** Begins one with the members of this one. */
    public Builder toBuilder() {
      Builder builder = new Builder();
      builder.depth = depth;
      builder.dropped = dropped;
      return builder;
    }

    /** Sets members of {@link Queue}. Not for use by more than one thread. */
    public static final class Builder {
      private Long depth;
      private Long dropped;

      private Builder() {}

      /** Events that wait to be sent. */
      public Builder depth(long value) {
        depth = value;
        return this;
      }

      /** Events that were given up since the start. */
      public Builder dropped(long value) {
        dropped = value;
        return this;
      }

      /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
      public Queue build() {
        return new Queue(
            Objects.requireNonNull(depth, "Queue.depth is needed"),
            Objects.requireNonNull(dropped, "Queue.dropped is needed"));
      }
    }
  }

  /**
   * {@code Labels} in an answer or request. Made by {@link #builder()}.
   *
   * @param group Probes of one group are looked at together for drift. Without it the group is {@code
   *     default}. {@code null} where it is absent.
   */
  public record Labels(
      String group) {
    /** Begins one; what is not set is left out. */
    public static Builder builder() {
      return new Builder();
    }

    /** Begins one with the members of this one. */
    public Builder toBuilder() {
      Builder builder = new Builder();
      builder.group = group;
      return builder;
    }

    /** Sets members of {@link Labels}. Not for use by more than one thread. */
    public static final class Builder {
      private String group;

      private Builder() {}

      /** Probes of one group are looked at together for drift. Without it the group is {@code default}. */
      public Builder group(String value) {
        group = value;
        return this;
      }

      /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
      public Labels build() {
        return new Labels(
            group);
      }
    }
  }
}
