import ai.parley.client.Answer;
import ai.parley.client.ParleyClient;
import ai.parley.client.Turn;
import ai.parley.gateway.v1.AskRequest;
import java.util.List;

/** Asks a question and a follow-up of a suite. */
public final class Ask {
  private Ask() {}

  /** The suite's address is the only argument. */
  public static void main(String[] arguments) {
    String address = arguments.length > 0 ? arguments[0] : "127.0.0.1:50051";
    String sessionId = "";
    try (ParleyClient client = ParleyClient.connect(address)) {
      for (String question : List.of("When did Phoenix land on Mars?", "And Spirit?")) {
        AskRequest request = AskRequest.newBuilder().setQuestion(question).setSessionId(sessionId).build();
        try (Turn turn = client.ask(request)) {
          turn.forEachRemaining(event -> System.out.print(event.getText().getDelta()));
          System.out.println();
          show(turn.answer());
          sessionId = turn.answer().sessionId();
        }
      }
    }
  }

  private static void show(Answer answer) {
    for (var citation : answer.citations()) {
      for (var span : citation.getReferencesList()) {
        String title = answer.passage(span).map(passage -> passage.getTitle()).orElse("");
        System.out.printf("  %s: \"%s\", %s%n", citation.getVerdict(), span.getQuote(), title);
      }
    }
  }
}
