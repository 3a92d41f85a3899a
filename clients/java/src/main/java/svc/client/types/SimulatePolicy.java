// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import java.util.List;
import java.util.Objects;

/**
 * With one of {@code sample} and {@code items}. Made by {@link #builder()}.
 *
 * @param sample {@code null} where it is absent.
 * @param items Inferences, up to the plan’s batch size, in place of {@code sample}. Each costs one assessment
 *     and is recorded nowhere. {@code null} where it is absent.
 */
public record SimulatePolicy(
    Policy policy,
    SimulationSample sample,
    List<Inference> items) {
  /** Keeps copies of lists and maps that do not change. */
  public SimulatePolicy {
    items = Fixed.copyOf(items);
  }

  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.policy = policy;
    builder.sample = sample;
    builder.items = items;
    return builder;
  }

  /** Sets members of {@link SimulatePolicy}. Not for use by more than one thread. */
  public static final class Builder {
    private Policy policy;
    private SimulationSample sample;
    private List<Inference> items;

    private Builder() {}

    /** Sets {@code policy}. */
    public Builder policy(Policy value) {
      policy = value;
      return this;
    }

    /** Sets {@code sample}. */
    public Builder sample(SimulationSample value) {
      sample = value;
      return this;
    }

    /**
     * Inferences, up to the plan’s batch size, in place of {@code sample}. Each costs one assessment and is
     * recorded nowhere.
     */
    public Builder items(List<Inference> value) {
      items = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public SimulatePolicy build() {
      return new SimulatePolicy(
          Objects.requireNonNull(policy, "SimulatePolicy.policy is needed"),
          sample,
          items);
    }
  }
}
