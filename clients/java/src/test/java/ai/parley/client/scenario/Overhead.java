package ai.parley.client.scenario;

import ai.parley.client.ParleyClient;
import ai.parley.gateway.v1.AskRequest;
import com.google.gson.Gson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Times turns by the generated stub and by the client, in turn. The arguments are address and number of turns; it prints
 * the seconds of each as JSON.
 */
public final class Overhead {
  private Overhead() {}

  /** Measures. */
  public static void main(String[] arguments) {
    AskRequest question = AskRequest.newBuilder().setQuestion("When?").build();
    List<Double> byStub = new ArrayList<>();
    List<Double> byClient = new ArrayList<>();
    try (ParleyClient client = ParleyClient.connect(arguments[0])) {
      for (int turn = Integer.parseInt(arguments[1]); turn > 0; turn--) {
        byStub.add(seconds(() -> client.gateway().ask(question).forEachRemaining(response -> {})));
        byClient.add(seconds(() -> client.ask(question).forEachRemaining(event -> {})));
      }
    }
    System.out.println(new Gson().toJson(Map.of("stub", byStub, "client", byClient)));
  }

  private static double seconds(Runnable turn) {
    long start = System.nanoTime();
    turn.run();
    return (System.nanoTime() - start) / 1e9;
  }
}
