package ai.parley.client;

import ai.parley.gateway.v1.AskRequest;
import ai.parley.gateway.v1.Event;
import ai.parley.gateway.v1.ResumeRequest;
import io.grpc.Status;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Decides what becomes of a turn whose call failed: it is resumed, asked again, or lost. Knows no channel. */
final class Attempts {
  /** How long a turn is resumed without a further event, or asked again. A gateway's turns are taken over after 5 s. */
  static final Duration PATIENCE = Duration.ofSeconds(15);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  /** Before a turn is asked again where the suite names no time. */
  private static final Duration PAUSE = Duration.ofMillis(500);

  /** Greatest factor by which a named time is drawn out, so that callers do not come back all at once. */
  private static final double SPREAD = 1.25;

  private static final Set<Event.EventCase> SHOWN =
      Set.of(
          Event.EventCase.REFERENCES, Event.EventCase.TEXT, Event.EventCase.TEXT_END, Event.EventCase.COMPLETED);
  private static final Set<Status.Code> BROKEN =
      Set.of(Status.Code.UNAVAILABLE, Status.Code.CANCELLED, Status.Code.INTERNAL, Status.Code.UNKNOWN);
  private static final Set<Status.Code> LATER = Set.of(Status.Code.UNAVAILABLE, Status.Code.RESOURCE_EXHAUSTED);
  private static final SecureRandom RANDOM = new SecureRandom();

  private final AskRequest request;
  private final Duration patience;
  private String turnId = "";
  private int seq;
  private boolean isShown;
  private boolean isComplete;
  private boolean hasAnswered;
  private boolean isResumed;
  private long failsSince;
  private int breaks;

  Attempts(AskRequest request, Duration patience) {
    AskRequest.Builder turn = request.toBuilder();
    if (turn.getRequestId().isEmpty()) {
      byte[] id = new byte[16];
      RANDOM.nextBytes(id);
      turn.setRequestId(HexFormat.of().formatHex(id));
    }
    turn.getOptionsBuilder().setResumable(true);
    this.request = turn.build();
    this.patience = patience;
  }

  /** Notes an event; false if the caller has it already. */
  boolean isNew(Event event) {
    hasAnswered = true;
    if (!event.getTurnId().isEmpty()
        && event.getTurnId().equals(turnId)
        && Integer.compareUnsigned(event.getSeq(), seq) <= 0) {
      return false;
    }
    turnId = event.getTurnId();
    seq = event.getSeq();
    isShown |= SHOWN.contains(event.getEventCase());
    isComplete = event.getEventCase() == Event.EventCase.COMPLETED;
    if (isResumed) {
      failsSince = 0;
      breaks = 0;
    }
    return true;
  }

  /** The pause before the call that continues the turn after this failure; empty if the turn is lost. */
  Optional<Duration> pauseAfter(ParleyException failure) {
    long now = System.nanoTime();
    failsSince = failsSince == 0 ? now : failsSince;
    isResumed = !turnId.isEmpty() && failure.isOfConnection() && BROKEN.contains(failure.code());
    Optional<Duration> pause = isResumed ? Optional.of(nextPause()) : pauseBeforeRetry(failure);
    hasAnswered = false;
    Duration failing = Duration.ofNanos(now - failsSince);
    return pause.filter(each -> failing.plus(each).compareTo(patience) <= 0);
  }

  /** Whether the next call resumes the turn; otherwise it is asked. */
  boolean resumes() {
    return isResumed;
  }

  AskRequest question() {
    return request;
  }

  ResumeRequest resumption() {
    return ResumeRequest.newBuilder().setTurnId(turnId).setAfterSeq(seq).build();
  }

  /** The turn to cancel when nobody wants it any more; empty if it never began, or has ended. */
  Optional<String> runningTurn() {
    return turnId.isEmpty() || isComplete ? Optional.empty() : Optional.of(turnId);
  }

  private Duration nextPause() {
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(breaks, 8));
    breaks++;
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
  }

  private Optional<Duration> pauseBeforeRetry(ParleyException failure) {
    if (isShown) {
      return Optional.empty();
    }
    if (failure.isOfConnection() && failure.code() == Status.Code.CANCELLED) {
      return Optional.of(PAUSE); // a gateway that stops cancels calls that it has accepted but not begun
    }
    if (LATER.contains(failure.code()) && failure.pushback().isPresent()) {
      double factor = ThreadLocalRandom.current().nextDouble(1, SPREAD);
      return failure.pushback().map(named -> Duration.ofMillis(Math.round(named.toMillis() * factor)));
    }
    return hasAnswered && failure.code() == Status.Code.UNAVAILABLE ? Optional.of(PAUSE) : Optional.empty();
  }
}
