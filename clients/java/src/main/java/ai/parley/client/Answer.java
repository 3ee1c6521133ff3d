package ai.parley.client;

import ai.parley.context.v1.Citation;
import ai.parley.context.v1.CitedSpan;
import ai.parley.context.v1.Degraded;
import ai.parley.context.v1.Outcome;
import ai.parley.context.v1.Passage;
import ai.parley.context.v1.PlacedImage;
import ai.parley.context.v1.Reference;
import ai.parley.context.v1.Timeline;
import ai.parley.gateway.v1.CompletedEvent;
import ai.parley.gateway.v1.Event;
import ai.parley.gateway.v1.UsageEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a turn came to, or what of it has come until now. */
public final class Answer {
  private final String turnId;
  private final SortedMap<Integer, Citation> citations = new TreeMap<>();
  private final List<PlacedImage> images = new ArrayList<>();
  private final List<Degraded> degraded = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private String standaloneQuestion = "";
  private List<Reference> references = List.of();
  private List<String> recommendations = List.of();
  private Timeline timeline;
  private UsageEvent usage;
  private CompletedEvent end = CompletedEvent.getDefaultInstance();

  Answer(String turnId) {
    this.turnId = turnId;
  }

  /** Takes in an event of the turn. */
  void add(Event event) {
    switch (event.getEventCase()) {
      case CONDENSED -> standaloneQuestion = event.getCondensed().getStandalone();
      case REFERENCES -> references = event.getReferences().getReferencesList();
      case TEXT -> text.append(event.getText().getDelta());
      case TEXT_END -> text.replace(0, text.length(), event.getTextEnd().getText());
      case CITATION -> citations.put(event.getCitation().getSentence(), event.getCitation());
      case IMAGE -> images.add(event.getImage());
      case TIMELINE -> timeline = event.getTimeline();
      case RECOMMENDATION -> recommendations = event.getRecommendation().getQuestionsList();
      case DEGRADED -> degraded.add(event.getDegraded());
      case USAGE -> usage = event.getUsage();
      case COMPLETED -> end = event.getCompleted();
      default -> {}
    }
  }

  /**
   * The turn.
   *
   * @return its id
   */
  public String turnId() {
    return turnId;
  }

  /**
   * The session that stores the turn.
   *
   * @return its id; empty if the client stores the conversation, or the turn has not ended
   */
  public String sessionId() {
    return end.getSessionId();
  }

  /**
   * The encoded conversation, if the client stores it.
   *
   * @return what to send with the next question
   */
  public String context() {
    return end.getContext();
  }

  /**
   * The question with what it leaves to the conversation filled in.
   *
   * @return a question that stands alone
   */
  public String standaloneQuestion() {
    return standaloneQuestion;
  }

  /**
   * The answer.
   *
   * @return CommonMark, with citation markers such as [1]
   */
  public String text() {
    return text.toString();
  }

  /**
   * How the turn ended.
   *
   * @return unspecified until it has
   */
  public Outcome outcome() {
    return end.getOutcome();
  }

  /**
   * The passages that it may cite.
   *
   * @return ordered by number
   */
  public List<Reference> references() {
    return references;
  }

  /**
   * The checked sentences with what supports them.
   *
   * @return one for each, in the order of the text
   */
  public List<Citation> citations() {
    return List.copyOf(citations.values());
  }

  /**
   * Pictures placed beside paragraphs.
   *
   * @return in the order of the events
   */
  public List<PlacedImage> images() {
    return List.copyOf(images);
  }

  /**
   * The timeline.
   *
   * @return empty if there is none
   */
  public Optional<Timeline> timeline() {
    return Optional.ofNullable(timeline);
  }

  /**
   * Follow-up questions to propose.
   *
   * @return best first
   */
  public List<String> recommendations() {
    return recommendations;
  }

  /**
   * What was left out or done in a simpler way.
   *
   * @return in the order of the events
   */
  public List<Degraded> degraded() {
    return List.copyOf(degraded);
  }

  /**
   * Tokens, cost and time.
   *
   * @return empty until the turn has ended
   */
  public Optional<UsageEvent> usage() {
    return Optional.ofNullable(usage);
  }

  /**
   * The passage that a citation's words are from.
   *
   * @param span of one of the citations
   * @return empty if it is none of the references
   */
  public Optional<Passage> passage(CitedSpan span) {
    return references.stream()
        .map(reference -> reference.getEvidence().getPassage())
        .filter(passage -> passage.getPassageId().equals(span.getPassageId()))
        .findFirst();
  }
}
