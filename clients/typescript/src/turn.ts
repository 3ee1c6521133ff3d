// A turn that outlasts a broken connection, the restart of a gateway or a stage, and a busy suite.

import type { Event } from "../gen/parley/gateway/v1/event_pb.js";
import { GatewayService } from "../gen/parley/gateway/v1/gateway_pb.js";
import { Answer } from "./answer.js";
import type { Attempts } from "./attempts.js";
import { ParleyError } from "./errors.js";
import type { Gateways, Place } from "./gateways.js";

/** Greatest time in milliseconds of telling the suite that the user cancelled. */
const CANCEL_TIME = 2_000;

/**
 * A turn: iterate over it for its events, each once, or call `answer` for the whole. It begins with the first of both.
 *
 * If the connection breaks, the turn is resumed, at any gateway that can be reached. If a stage restarts or the suite
 * is busy, it is asked again by the same request id, as long as nothing of an answer came; the events then have another
 * `turnId`, and hold in place of those before. Leaving the loop, or the signal, cancels a turn that has not ended.
 */
export class Turn implements AsyncIterable<Event> {
  readonly #gateways: Gateways;
  readonly #attempts: Attempts;
  readonly #signal: AbortSignal | undefined;
  readonly #events: AsyncGenerator<Event, void>;
  #answer = new Answer();

  constructor(gateways: Gateways, attempts: Attempts, signal?: AbortSignal) {
    this.#gateways = gateways;
    this.#attempts = attempts;
    this.#signal = signal;
    this.#events = this.#follow();
  }

  [Symbol.asyncIterator](): AsyncIterator<Event> {
    return this.#events;
  }

  /** Waits for the end and returns the answer; throws a ParleyError if the turn failed. */
  async answer(): Promise<Answer> {
    for await (const _ of this.#events);
    return this.#answer;
  }

  /** What has come until now. */
  get answerSoFar(): Answer {
    return this.#answer;
  }

  /** Cancels the turn between two events, and returns when the suite has been told. */
  async cancel(): Promise<void> {
    await this.#events.return();
  }

  async *#follow(): AsyncGenerator<Event, void> {
    let isWanted = true;
    try {
      for (;;) {
        const place = this.#gateways.current();
        try {
          yield* this.#call(place);
          isWanted = false;
          return;
        } catch (error) {
          const pause = this.#pauseAfter(ParleyError.from(error), place);
          isWanted = this.#signal?.aborted === true; // a turn that failed is not cancelled
          if (pause === undefined) throw ParleyError.from(error);
          isWanted = true;
          await new Promise((resolve) => setTimeout(resolve, pause));
        }
      }
    } finally {
      if (isWanted) await this.#cancel();
    }
  }

  /** Yields the new events of one call. */
  async *#call(place: Place): AsyncGenerator<Event, void> {
    const left = new AbortController();
    const signal = this.#signal ? AbortSignal.any([this.#signal, left.signal]) : left.signal;
    const gateway = place.stub(GatewayService);
    const next = this.#attempts.nextCall();
    const responses =
      next.method === "ask" ? gateway.ask(next.request, { signal }) : gateway.resume(next.request, { signal });
    try {
      for await (const { event } of responses) {
        if (!event || !this.#attempts.isNew(event)) continue;
        const isAnew = event.turnId !== this.#answer.turnId || event.event.case === "restarted";
        if (isAnew) this.#answer = new Answer(event.turnId);
        this.#answer.add(event);
        yield event;
      }
    } finally {
      left.abort();
    }
  }

  #pauseAfter(error: ParleyError, place: Place): number | undefined {
    if (this.#signal?.aborted) return undefined;
    if (error.isOfConnection) this.#gateways.leave(place);
    return this.#attempts.pauseAfter(error);
  }

  async #cancel(): Promise<void> {
    const turnId = this.#attempts.runningTurn;
    if (turnId === undefined) return;
    try {
      await this.#gateways.call(GatewayService, (stub) => stub.cancel({ turnId }, { timeoutMs: CANCEL_TIME }));
    } catch {
      // The turn ends by itself when nobody resumes it.
    }
  }
}
