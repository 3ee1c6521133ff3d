package ai.parley.client.scenario;

import ai.parley.client.Answer;
import ai.parley.client.Ingest;
import ai.parley.client.ParleyClient;
import ai.parley.client.ParleyException;
import ai.parley.client.Turn;
import ai.parley.context.v1.CitedSpan;
import ai.parley.context.v1.Passage;
import ai.parley.gateway.v1.AskRequest;
import ai.parley.gateway.v1.CancelRequest;
import ai.parley.gateway.v1.Event;
import ai.parley.gateway.v1.RequestOptions;
import ai.parley.gateway.v1.TurnState;
import ai.parley.retrieve.v1.Document;
import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Runs the scenarios of {@code clients/scenarios}, given as JSON, and prints a line for each. */
public final class Scenarios {
  private record Plan(String address, String proxy, String several, List<Scenario> scenarios) {}

  private record Scenario(String name, List<Map<String, Step>> steps) {}

  private record StoredDocument(String documentId, String title, String text, List<String> principals) {}

  private record Step(
      String collection,
      List<String> principals,
      List<StoredDocument> documents,
      String documentId,
      String query,
      String question,
      String session,
      String through,
      String leaveAfter,
      Expected expect) {}

  private record Expected(
      List<String> statuses,
      List<String> documents,
      String outcome,
      List<String> text,
      List<String> notText,
      List<String> standalone,
      List<String> order,
      boolean contiguous,
      boolean cited,
      boolean cancelled,
      ExpectedError error) {}

  private record ExpectedError(String code, String reason, String field) {}

  private final Plan plan;
  private final Map<String, String> sessions = new HashMap<>();

  private Scenarios(Plan plan) {
    this.plan = plan;
  }

  /** The file of the scenarios is the only argument; the exit code counts the failures. */
  public static void main(String[] arguments) throws IOException {
    Gson gson = new GsonBuilder().setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES).create();
    Plan plan = gson.fromJson(Files.readString(Path.of(arguments[0])), Plan.class);
    int failures = 0;
    for (Scenario scenario : plan.scenarios()) {
      try {
        new Scenarios(plan).run(scenario);
        System.out.println(scenario.name() + ": ok");
      } catch (AssertionError | ParleyException failure) {
        failures++;
        System.out.println(scenario.name() + ": " + failure.getMessage());
      }
    }
    System.exit(failures);
  }

  private void run(Scenario scenario) {
    for (Map<String, Step> each : scenario.steps()) {
      each.forEach(this::step);
    }
  }

  private void step(String kind, Step step) {
    String address =
        switch (text(step.through())) {
          case "proxy" -> plan.proxy();
          case "several" -> plan.several();
          default -> plan.address();
        };
    ExpectedError expected = step.expect().error();
    try (ParleyClient client = ParleyClient.builder(address).principals(list(step.principals())).build()) {
      switch (kind) {
        case "ingest" -> ingest(client, step);
        case "search" -> search(client, step);
        case "document" -> document(client, step);
        case "ask" -> ask(client, step);
        default -> throw new AssertionError("there is no step " + kind);
      }
      check(expected == null, kind + ": an error was expected");
    } catch (ParleyException failure) {
      if (expected == null) {
        throw failure;
      }
      String field = failure.violations().isEmpty() ? null : failure.violations().get(0).field();
      boolean isExpected =
          failure.code().name().equals(expected.code())
              && failure.reason().equals(expected.reason())
              && (expected.field() == null || expected.field().equals(field));
      check(isExpected, kind + ": the error is " + failure.code() + " " + failure.reason() + " " + field);
    }
  }

  private static void ingest(ParleyClient client, Step step) {
    List<Document> documents =
        step.documents().stream()
            .map(
                each ->
                    Document.newBuilder()
                        .setDocumentId(each.documentId())
                        .setTitle(text(each.title()))
                        .setText(each.text())
                        .addAllPrincipals(list(each.principals()))
                        .build())
            .toList();
    List<String> statuses = new ArrayList<>();
    try (Ingest receipts = client.ingest(text(step.collection()), documents)) {
      receipts.forEachRemaining(each -> statuses.add(name(each.getStatus(), "INGEST_STATUS_")));
    }
    check(statuses.equals(step.expect().statuses()), "the statuses are " + statuses);
  }

  private static void search(ParleyClient client, Step step) {
    List<String> ids =
        client.search(step.query(), text(step.collection()), 0).stream().map(Passage::getDocumentId).toList();
    List<String> expected = step.expect().documents();
    check(
        ids.size() >= expected.size() && ids.subList(0, expected.size()).equals(expected), "the documents are " + ids);
  }

  private static void document(ParleyClient client, Step step) {
    contains("document", client.document(step.documentId(), text(step.collection())).getText(), step.expect().text());
  }

  private void ask(ParleyClient client, Step step) {
    AskRequest request =
        AskRequest.newBuilder()
            .setQuestion(step.question())
            .setSessionId(sessions.getOrDefault(step.session(), ""))
            .setOptions(RequestOptions.newBuilder().setCollection(text(step.collection())))
            .build();
    List<String> kinds = new ArrayList<>();
    List<Integer> sequence = new ArrayList<>();
    Turn turn = client.ask(request);
    try (turn) {
      while (turn.hasNext() && (kinds.isEmpty() || !kinds.get(kinds.size() - 1).equals(step.leaveAfter()))) {
        Event event = turn.next();
        kinds.add(event.getEventCase().name().toLowerCase(Locale.ROOT));
        sequence.add(event.getSeq());
      }
    }
    Answer answer = turn.answerSoFar();
    if (step.expect().cancelled()) {
      isCancelled(client, answer.turnId());
      return;
    }
    if (step.session() != null) {
      sessions.put(step.session(), answer.sessionId());
    }
    checkAnswer(answer, kinds, sequence, step.expect());
  }

  private static void isCancelled(ParleyClient client, String turnId) {
    TurnState state = client.gateway().cancel(CancelRequest.newBuilder().setTurnId(turnId).build()).getState();
    check(state == TurnState.TURN_STATE_CANCELLED, "the turn is " + state);
  }

  private static void checkAnswer(Answer answer, List<String> kinds, List<Integer> sequence, Expected expect) {
    String outcome = name(answer.outcome(), "OUTCOME_");
    check(expect.outcome() == null || outcome.equals(expect.outcome()), "the outcome is " + outcome);
    contains("text", answer.text(), expect.text());
    contains("standalone question", answer.standaloneQuestion(), expect.standalone());
    check(list(expect.notText()).stream().noneMatch(answer.text()::contains), "the text is " + answer.text());
    var rest = kinds.iterator();
    for (String kind : list(expect.order())) {
      boolean isThere = false;
      while (!isThere && rest.hasNext()) {
        isThere = rest.next().equals(kind);
      }
      check(isThere, "the events came as " + kinds);
    }
    for (int place = 0; expect.contiguous() && place < sequence.size(); place++) {
      check(sequence.get(place) == place + 1, "seq is " + sequence);
    }
    check(!expect.cited() || isCited(answer), "a quote is not the text of its passage");
  }

  /** Places are counted in characters, not in the halves of which a Java string is made. */
  private static boolean isCited(Answer answer) {
    List<CitedSpan> spans =
        answer.citations().stream().flatMap(citation -> citation.getReferencesList().stream()).toList();
    return !spans.isEmpty()
        && spans.stream()
            .allMatch(
                span -> {
                  String text = answer.passage(span).orElseThrow().getText();
                  int start = text.offsetByCodePoints(0, span.getSpan().getStart());
                  int end = text.offsetByCodePoints(0, span.getSpan().getEnd());
                  return text.substring(start, end).equals(span.getQuote());
                });
  }

  private static String name(Enum<?> value, String prefix) {
    return value.name().substring(prefix.length()).toLowerCase(Locale.ROOT);
  }

  private static void contains(String what, String text, List<String> parts) {
    list(parts).forEach(part -> check(text.contains(part), what + ": \"" + part + "\" is not in " + text));
  }

  private static String text(String value) {
    return value == null ? "" : value;
  }

  private static List<String> list(List<String> values) {
    return values == null ? List.of() : values;
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
