package ai.parley.client;

import ai.parley.gateway.v1.AskResponse;
import ai.parley.gateway.v1.CancelRequest;
import ai.parley.gateway.v1.Event;
import ai.parley.gateway.v1.GatewayServiceGrpc.GatewayServiceBlockingStub;
import ai.parley.gateway.v1.ResumeResponse;
import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A turn: its events, each once, and the answer that they make. It begins with the first event that is asked for.
 *
 * <p>If the connection breaks, the turn is resumed, at any gateway that can be reached. If a stage restarts or the suite
 * is busy, it is asked again by the same request id, as long as nothing of an answer came; the events then have another
 * turn id, and hold in place of those before. Closing a turn that has not ended cancels it. A turn is for one thread;
 * {@link #close} may be called by any.
 */
public final class Turn implements Iterator<Event>, AutoCloseable {
  /** Greatest time of telling the suite that the user cancelled. */
  private static final Duration CANCEL_TIME = Duration.ofSeconds(2);

  private final Supplier<GatewayServiceBlockingStub> gateway;
  private final Attempts attempts;
  private final Context.CancellableContext scope = Context.current().withCancellation();
  private Iterator<Event> call;
  private Event next;
  private Answer answer = new Answer("");
  private volatile boolean hasEnded;

  Turn(Supplier<GatewayServiceBlockingStub> gateway, Attempts attempts) {
    this.gateway = gateway;
    this.attempts = attempts;
  }

  /**
   * Waits for the next event.
   *
   * @return false after the last one
   * @throws ParleyException the turn failed
   */
  @Override
  public boolean hasNext() {
    while (next == null && !hasEnded) {
      try {
        receive();
      } catch (StatusRuntimeException failure) {
        recover(ParleyException.of(failure));
      }
    }
    return next != null;
  }

  @Override
  public Event next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Event event = next;
    next = null;
    return event;
  }

  /**
   * The events as a stream; closing it closes the turn.
   *
   * @return sequential
   */
  public Stream<Event> stream() {
    int traits = Spliterator.ORDERED | Spliterator.NONNULL;
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(this, traits), false).onClose(this::close);
  }

  /**
   * Waits for the end.
   *
   * @return the whole answer
   * @throws ParleyException the turn failed
   */
  public Answer answer() {
    forEachRemaining(event -> {});
    return answer;
  }

  /**
   * What has come until now.
   *
   * @return it changes with further events
   */
  public Answer answerSoFar() {
    return answer;
  }

  /** Cancels the turn if it has not ended. */
  @Override
  public void close() {
    boolean runs = !hasEnded;
    hasEnded = true;
    scope.cancel(null);
    if (runs) {
      attempts.runningTurn().ifPresent(this::cancel);
    }
  }

  private void receive() {
    Context before = scope.attach();
    try {
      if (call == null) {
        call = open();
      }
      if (!call.hasNext()) {
        hasEnded = true;
        return;
      }
      Event event = call.next();
      if (attempts.isNew(event)) {
        if (event.hasRestarted() || !event.getTurnId().equals(answer.turnId())) {
          answer = new Answer(event.getTurnId());
        }
        answer.add(event);
        next = event;
      }
    } finally {
      scope.detach(before);
    }
  }

  private Iterator<Event> open() {
    GatewayServiceBlockingStub stub = gateway.get();
    if (attempts.resumes()) {
      return events(stub.resume(attempts.resumption()), ResumeResponse::getEvent);
    }
    return events(stub.ask(attempts.question()), AskResponse::getEvent);
  }

  private static <T> Iterator<Event> events(Iterator<T> responses, java.util.function.Function<T, Event> eventOf) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return responses.hasNext();
      }

      @Override
      public Event next() {
        return eventOf.apply(responses.next());
      }
    };
  }

  private void recover(ParleyException failure) {
    call = null;
    if (hasEnded) {
      return; // closed by another thread
    }
    Optional<Duration> pause = attempts.pauseAfter(failure);
    if (pause.isEmpty()) {
      hasEnded = true;
      throw failure;
    }
    try {
      Thread.sleep(pause.get().toMillis());
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      close();
      throw failure;
    }
  }

  private void cancel(String turnId) {
    CancelRequest request = CancelRequest.newBuilder().setTurnId(turnId).build();
    try {
      gateway.get().withDeadlineAfter(CANCEL_TIME.toMillis(), TimeUnit.MILLISECONDS).cancel(request);
    } catch (StatusRuntimeException unreachable) {
      // The turn ends by itself when nobody resumes it.
    }
  }
}
