// The sources that an answer cites, one line each.

import type { VNode } from "preact";
import { type CitedSpan, Verdict } from "@gen/context/v1/answer_pb.js";
import type { Passage } from "@gen/context/v1/evidence_pb.js";
import { placeOf, titleOf } from "./passage_title";
import { useWords } from "./i18n";
import { openPassage } from "./passage_panel";
import { numberOf, type Turn } from "./turn";

export function SourceList({ turn }: { turn: Turn }): VNode | null {
  const t = useWords();
  const cited = citedSources(turn);
  if (!cited.length) return null;
  return (
    <section class="sources" aria-label={t("sources")}>
      <h3>{t("sources")}</h3>
      <ol>
        {cited.map(({ number, passage, span }) => (
          <li key={number} value={number}>
            <button type="button" onClick={() => openPassage({ passage, span: span?.span ?? null, quote: span?.quote ?? "", cells: span?.cells ?? "", number })}>
              <span class="number">{number}</span>
              <span class="where">{[titleOf(passage), placeOf(passage, span?.cells ?? "", t)].filter(Boolean).join(", ")}</span>
              <span class="origin">{[passage.url ? hostOf(passage.url) : passage.documentId, passage.date].filter(Boolean).join(" · ")}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

interface Cited {
  number: number;
  passage: Passage;
  span: CitedSpan | undefined;
}

function citedSources(turn: Turn): Cited[] {
  const spans = [...turn.citations.values()].filter((each) => each.verdict !== Verdict.WITHDRAWN).flatMap((each) => each.references);
  const found = new Map<number, Cited>();
  for (const span of spans) {
    const number = numberOf(turn, span.passageId) || span.number;
    const passage = turn.references.find((each) => each.evidence?.passage?.passageId === span.passageId)?.evidence?.passage;
    if (passage && !found.has(number)) found.set(number, { number, passage, span });
  }
  return [...found.values()].sort((one, other) => one.number - other.number);
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}
