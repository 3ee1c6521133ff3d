// A finished answer, and how it is put together from a turn's events.

import type { Citation, CitedSpan, PlacedImage } from "../gen/parley/context/v1/answer_pb.js";
import type { Passage, Reference } from "../gen/parley/context/v1/evidence_pb.js";
import { Outcome } from "../gen/parley/context/v1/session_pb.js";
import type { Timeline } from "../gen/parley/context/v1/timeline_pb.js";
import type { Degraded } from "../gen/parley/context/v1/usage_pb.js";
import type { Event, UsageEvent } from "../gen/parley/gateway/v1/event_pb.js";

/** What a turn came to, or what of it has come until now. */
export class Answer {
  /** The turn. */
  readonly turnId: string;
  /** The session that stores the turn; empty if the client stores the conversation. */
  sessionId = "";
  /** The encoded conversation, if the client stores it. */
  context = "";
  /** The question with what it leaves to the conversation filled in. */
  standaloneQuestion = "";
  /** CommonMark, with citation markers such as [1]. */
  text = "";
  /** How the turn ended; unspecified until it has. */
  outcome = Outcome.UNSPECIFIED;
  /** The passages that it may cite. */
  references: Reference[] = [];
  /** Pictures placed beside paragraphs. */
  images: PlacedImage[] = [];
  timeline: Timeline | undefined;
  /** Follow-up questions to propose. */
  recommendations: string[] = [];
  /** What was left out or done in a simpler way. */
  degraded: Degraded[] = [];
  /** Tokens, cost and time. */
  usage: UsageEvent | undefined;
  readonly #citations = new Map<number, Citation>();

  constructor(turnId = "") {
    this.turnId = turnId;
  }

  /** One for each checked sentence, in the order of the text. */
  get citations(): Citation[] {
    return [...this.#citations.values()].sort((one, other) => one.sentence - other.sentence);
  }

  /** The passage that a citation's words are from; undefined if it is none of the references. */
  passage(span: CitedSpan): Passage | undefined {
    return this.references.map((each) => each.evidence?.passage).find((each) => each?.passageId === span.passageId);
  }

  /** Takes in an event of the turn. */
  add({ event }: Event): void {
    switch (event.case) {
      case "condensed":
        this.standaloneQuestion = event.value.standalone;
        break;
      case "references":
        this.references = event.value.references;
        break;
      case "text":
        this.text += event.value.delta;
        break;
      case "textEnd":
        this.text = event.value.text;
        break;
      case "citation":
        this.#citations.set(event.value.sentence, event.value);
        break;
      case "image":
        this.images.push(event.value);
        break;
      case "timeline":
        this.timeline = event.value;
        break;
      case "recommendation":
        this.recommendations = event.value.questions;
        break;
      case "degraded":
        this.degraded.push(event.value);
        break;
      case "usage":
        this.usage = event.value;
        break;
      case "completed":
        this.outcome = event.value.outcome;
        this.sessionId = event.value.sessionId;
        this.context = event.value.context;
    }
  }
}
