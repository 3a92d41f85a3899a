package svc.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import svc.client.types.Assessment;
import svc.client.types.CreatedApiKey;
import svc.client.types.Event;
import svc.client.types.Inference;
import svc.client.types.Message;
import svc.client.types.Model;
import svc.client.types.Outcome;
import svc.client.types.PatchWebhook;
import svc.client.types.Policy;
import svc.client.types.PromptInjectionSettings;

class TypesTest {
  @Test
  void absentIsNotNull() throws Exception {
    assertEquals("{}", json(PatchWebhook.builder().build()));
    assertEquals("{\"description\":null}", json(PatchWebhook.builder().clearDescription().build()));
    assertEquals("{\"description\":\"a\"}", json(PatchWebhook.builder().description("a").build()));
    assertNull(read("{}", PatchWebhook.class).description());
    assertEquals(OrNull.none(), read("{\"description\":null}", PatchWebhook.class).description());
    assertEquals(OrNull.of("a"), read("{\"description\":\"a\"}", PatchWebhook.class).description());
    assertThrows(NullPointerException.class, () -> PatchWebhook.builder().description(null));
  }

  @Test
  void aPolicyComesBackAsItWentOut() throws Exception {
    String json =
        """
        {"mode":"enforce","detectors":{"prompt_injection":{"flag_at":0.5,"block_at":null},"pii":{"entities":{"email":"redact"}}},
         "rules":[{"id":"r","when":"true","outcome":"blocked"}],"drift":{"auto_rebaseline_days":null}}\
        """;
    Policy policy = read(json, Policy.class);
    assertEquals(tree(json), tree(json(policy)));
    assertEquals(policy, read(json(policy), Policy.class));
    PromptInjectionSettings settings = policy.detectors().promptInjection();
    Policy changed =
        policy.toBuilder()
            .detectors(
                policy.detectors().toBuilder()
                    .promptInjection(settings.toBuilder().blockAt(1).build())
                    .build())
            .build();
    String expected = json.replace("\"block_at\":null", "\"block_at\":1.0");
    assertEquals(tree(expected), tree(json(changed)));
  }

  @Test
  void answersMayHaveMoreThanThisVersionKnows() throws Exception {
    Assessment assessment =
        read(
            "{\"id\":\"asm_1\",\"outcome\":\"quarantined\",\"new\":{\"a\":[1]},\"policy\":{\"version\":null,\"x\":1}}",
            Assessment.class);
    assertEquals("quarantined", assessment.outcome());
    assertNull(assessment.policy().version());
    String again =
        switch (assessment.outcome()) {
          case Outcome.ALLOWED, Outcome.FLAGGED, Outcome.BLOCKED -> "known";
          default -> "unknown";
        };
    assertEquals("unknown", again);
  }

  @Test
  void nullThatWasAnsweredIsWrittenAgain() throws Exception {
    String json =
        "{\"id\":\"evt_1\",\"sequence\":1,\"data\":{\"a\":null,\"b\":[1,2.5,\"c\"]},\"leaf_hash\":null}";
    assertEquals(tree(json), tree(json(read(json, Event.class))));
  }

  @Test
  void aChoiceIsMadeByWhatABuilderIsGiven() throws Exception {
    assertEquals(
        "{\"input\":\"Hi\",\"model\":\"m\"}",
        json(Inference.builder().input("Hi").model("m").build()));
    Message message = Message.builder().role(Message.Role.USER).content("Hi").build();
    Inference inference =
        Inference.builder()
            .input(List.of(message))
            .model(Model.builder().name("m").build())
            .metadata(Map.of("k", "v"))
            .build();
    assertEquals(
        "{\"input\":[{\"role\":\"user\",\"content\":\"Hi\"}],\"model\":{\"name\":\"m\"},\"metadata\":{\"k\":\"v\"}}",
        json(inference));
  }

  @Test
  void aBuilderNamesWhatIsMissing() {
    NullPointerException err =
        assertThrows(NullPointerException.class, () -> Message.builder().content("Hi").build());
    assertEquals("Message.role is needed", err.getMessage());
  }

  @Test
  void whatWasBuiltDoesNotChange() {
    List<String> events = new ArrayList<>(List.of("*"));
    PatchWebhook patch = PatchWebhook.builder().events(events).build();
    events.add("more");
    assertEquals(List.of("*"), patch.events());
    assertThrows(UnsupportedOperationException.class, () -> patch.events().add("more"));
  }

  @Test
  void secretsAreInNoText() throws Exception {
    CreatedApiKey key =
        read("{\"id\":\"key_1\",\"key\":\"svc_live_secret\",\"name\":\"ci\"}", CreatedApiKey.class);
    assertEquals("svc_live_secret", key.key());
    assertFalse(key.toString().contains("svc_live_secret"));
    assertTrue(key.toString().contains("ci"));
  }

  @Test
  void halfOfASurrogatePairIsSentAsItIs() {
    String json =
        new String(Json.write(Map.of("a", "x\ud83d", "b", "😀é")), StandardCharsets.UTF_8);
    assertTrue(json.contains("\"x\\ud83d\""), json);
    assertTrue(json.contains("\"😀é\""), json);
  }

  @Test
  void onlyJsonOfItsTypeIsRead() {
    for (String text : List.of("", "null", "[]", "\"a\"", "{", "{} {}", "<html>")) {
      assertThrows(IOException.class, () -> read(text, Event.class), text);
    }
    byte[] latin1 = "{\"id\":\"é\"}".getBytes(StandardCharsets.ISO_8859_1);
    assertThrows(IOException.class, () -> Json.read(latin1, Event.class));
  }

  private static String json(Object value) {
    return new String(Json.write(value), StandardCharsets.UTF_8);
  }

  private static <T> T read(String json, Class<T> type) throws IOException {
    return Json.read(json.getBytes(StandardCharsets.UTF_8), type);
  }

  private static JsonNode tree(String json) throws IOException {
    return read(json, JsonNode.class);
  }
}
