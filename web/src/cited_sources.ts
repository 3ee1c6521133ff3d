// The sources of a turn under the numbers of its references: those of its sentences, and those of its timeline.

import type { Span } from "@gen/context/v1/basics_pb.js";
import { Verdict } from "@gen/context/v1/answer_pb.js";
import type { Passage } from "@gen/context/v1/evidence_pb.js";
import type { EventSource, TimelineEvent } from "@gen/context/v1/timeline_pb.js";
import { numberOf, type Turn } from "./turn";

interface Cited {
  number: number;
  passage: Passage;
  span: { span?: Span; quote: string; cells?: string; passageId: string };
}

/** What the answer cites, and what else its timeline does, by number. */
export function citedSources(turn: Turn): Cited[] {
  const cited = [...turn.citations.values()].filter((each) => each.verdict !== Verdict.WITHDRAWN).flatMap((each) => each.references);
  const dated = (turn.timeline?.events ?? []).flatMap((event) => event.sources);
  const found = new Map<number, Cited>();
  for (const span of [...cited, ...dated]) {
    const reference = turn.references.find((each) => each.evidence?.passage?.passageId === span.passageId);
    const passage = reference?.evidence?.passage;
    if (passage && !found.has(reference.number)) found.set(reference.number, { number: reference.number, passage, span });
  }
  return [...found.values()].sort((one, other) => one.number - other.number);
}

/** The sources of an event by their numbers; by the name of its document one that is no reference of the answer. */
export function sourcesOf(turn: Turn, event: TimelineEvent): Map<string, EventSource> {
  const label = (source: EventSource): string => String(numberOf(turn, source.passageId) || source.documentId.split("/").at(-1));
  return new Map(event.sources.map((source) => [label(source), source]));
}
