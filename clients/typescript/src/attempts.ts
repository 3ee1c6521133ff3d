// Decides what becomes of a turn whose call failed: it is resumed, asked again, or lost. Knows no transport.

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import type { Event } from "../gen/parley/gateway/v1/event_pb.js";
import { type AskRequest, AskRequestSchema, RequestOptionsSchema } from "../gen/parley/gateway/v1/gateway_pb.js";
import type { ParleyError } from "./errors.js";

/** Milliseconds for which a turn is resumed without a further event, or asked again; a gateway's turns are taken over after 5 s. */
export const PATIENCE = 15_000;
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 2_000;
/** Before a turn is asked again where the suite names no time. */
const PAUSE = 500;
/** Greatest factor by which a named time is drawn out, so that callers do not come back all at once. */
const SPREAD = 1.25;
/** Further calls of a turn that no gateway has answered. */
const UNANSWERED = 3;
const SHOWN: ReadonlySet<string | undefined> = new Set(["references", "text", "textEnd", "completed"]);

/** The call that begins or continues a turn. */
export type NextCall =
  | { method: "ask"; request: AskRequest }
  | { method: "resume"; request: { turnId: string; afterSeq: number } };

/** One turn over all its calls. */
export class Attempts {
  readonly #request: AskRequest;
  readonly #patience: number;
  #turnId = "";
  #seq = 0;
  /** Something of an answer came: the turn is not asked again. */
  #isShown = false;
  #isComplete = false;
  /** An event came in the last call. */
  #hasAnswered = false;
  /** The last call resumed the turn. */
  #isResumed = false;
  #failsSince: number | undefined;
  /** Failed calls in a row without an event. */
  #breaks = 0;

  /** Makes the request one that can be resumed and asked again. */
  constructor(request: MessageInitShape<typeof AskRequestSchema>, patience = PATIENCE) {
    const turn = create(AskRequestSchema, request);
    const options = turn.options ?? create(RequestOptionsSchema);
    this.#request = { ...turn, requestId: turn.requestId || unguessable(), options: { ...options, resumable: true } };
    this.#patience = patience;
  }

  /** Notes an event; false if the caller has it already. */
  isNew(event: Event): boolean {
    this.#hasAnswered = true;
    if (event.turnId && event.turnId === this.#turnId && event.seq <= this.#seq) return false;
    [this.#turnId, this.#seq] = [event.turnId, event.seq];
    this.#isShown ||= SHOWN.has(event.event.case);
    this.#isComplete = event.event.case === "completed";
    if (this.#isResumed) [this.#failsSince, this.#breaks] = [undefined, 0];
    return true;
  }

  /** Milliseconds before the call that continues the turn after this failure; undefined if the turn is lost. */
  pauseAfter(error: ParleyError): number | undefined {
    const now = performance.now();
    this.#failsSince ??= now;
    this.#isResumed = this.#turnId !== "" && error.isOfConnection;
    const pause = this.#isResumed ? this.#nextPause() : this.#pauseBeforeRetry(error);
    this.#hasAnswered = false;
    return pause !== undefined && now + pause <= this.#failsSince + this.#patience ? pause : undefined;
  }

  /** The call that is made next. */
  nextCall(): NextCall {
    if (this.#isResumed) return { method: "resume", request: { turnId: this.#turnId, afterSeq: this.#seq } };
    return { method: "ask", request: this.#request };
  }

  /** The turn to cancel when nobody wants it any more; undefined if it never began, or has ended. */
  get runningTurn(): string | undefined {
    return this.#isComplete ? undefined : this.#turnId || undefined;
  }

  #nextPause(): number {
    return Math.min(FIRST_PAUSE * 2 ** this.#breaks++, LONGEST_PAUSE);
  }

  #pauseBeforeRetry(error: ParleyError): number | undefined {
    if (this.#isShown) return undefined;
    // A gateway that stops cancels calls that it has accepted but not begun.
    if (error.isOfConnection && error.code === Code.Canceled) return PAUSE;
    const mayComeBack = error.code === Code.Unavailable || error.code === Code.ResourceExhausted;
    if (mayComeBack && error.pushback !== undefined) return error.pushback * (1 + Math.random() * (SPREAD - 1));
    if (this.#hasAnswered) return error.code === Code.Unavailable ? PAUSE : undefined;
    return error.isUnreachable && this.#breaks < UNANSWERED ? this.#nextPause() : undefined;
  }
}

/** An id that nobody guesses; also where a page has no secure context. */
function unguessable(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
