// The sources of an answer and its timeline, one line each.

import type { VNode } from "preact";
import { citedSources } from "./cited_sources";
import { placeOf, titleOf } from "./passage_title";
import { useWords } from "./i18n";
import { openPassage } from "./passage_panel";
import type { Turn } from "./turn";

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
            <button type="button" onClick={() => openPassage({ passage, span: span.span ?? null, quote: span.quote, cells: span.cells ?? "", number })}>
              <span class="number">{number}</span>
              <span class="where">{[titleOf(passage), placeOf(passage, span.cells ?? "", t)].filter(Boolean).join(", ")}</span>
              <span class="origin">{[passage.url ? hostOf(passage.url) : passage.documentId, passage.date.slice(0, 10)].filter(Boolean).join(" · ")}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}
