// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * {@code HeartbeatAnswer} in an answer or request.
 *
 * @param serverTime Now.
 * @param policy In force.
 * @param nextHeartbeatS When the next one is expected.
 */
public record HeartbeatAnswer(
    @JsonProperty("server_time") String serverTime,
    PolicyVersionName policy,
    @JsonProperty("next_heartbeat_s") long nextHeartbeatS) {}
