// The number of a source within the text: hovering shows the cited words, a click opens them in their document.

import type { VNode } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { type Citation, type CitedSpan, Verdict } from "@gen/context/v1/answer_pb.js";
import type { Passage } from "@gen/context/v1/evidence_pb.js";
import { type Translation, useWords } from "./i18n";
import { openPassage } from "./passage_panel";
import { titleOf } from "./passage_title";
import { numberOf, type Turn } from "./turn";

const PREVIEW_HEIGHT = 210;

interface Props {
  turn: Turn;
  sentence: number;
  number: number;
}

export function CitationChip({ turn, sentence, number }: Props): VNode {
  const t = useWords();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [side, setSide] = useState("");
  const citation = turn.citations.get(sentence);
  const span = spanOf(turn, citation, number);
  const passage = passageOf(turn, span, number);
  const verdict = citation?.verdict ?? Verdict.UNSPECIFIED;
  const show = (): void => {
    const place = button.current?.getBoundingClientRect();
    const area = button.current?.closest(".scroll")?.getBoundingClientRect();
    if (!place || !area) return;
    const isHigh = place.top - area.top < PREVIEW_HEIGHT;
    setSide(`${place.left > area.left + area.width / 2 ? "end" : "start"} ${isHigh ? "under" : ""}`);
  };
  const hide = (): void => setSide("");
  const open = (): void => passage && openPassage({ passage, span: span?.span ?? null, quote: span?.quote ?? "", cells: span?.cells ?? "", number });
  const label = t("openSource", { n: number, title: passage?.title || passage?.documentId || "" });
  return (
    <span class="cite" onMouseEnter={show} onMouseLeave={hide} onKeyDown={(event) => event.key === "Escape" && hide()}>
      <button ref={button} type="button" class={`chip ${kindOf(verdict)}`} aria-label={label} aria-describedby={side ? id : undefined} onClick={open} onFocus={show} onBlur={hide} disabled={!passage}>{number}</button>
      {side && passage && (
        <span class={`preview ${side}`} role="tooltip" id={id}>
          <span class="preview-title">{titleOf(passage)}</span>
          {span?.quote && <span class="preview-quote">{shortened(span.quote)}</span>}
          <span class={`preview-verdict ${kindOf(verdict)}`}>{verdictWords(verdict, t)}{verdict !== Verdict.VERIFIED && citation?.reason ? ` ${citation.reason}` : ""}</span>
        </span>
      )}
    </span>
  );
}

/** The cited words of this number; those of the citation's first source if it names no such number. */
function spanOf(turn: Turn, citation: Citation | undefined, number: number): CitedSpan | undefined {
  const spans = citation?.references ?? [];
  return spans.find((span) => (numberOf(turn, span.passageId) || span.number) === number) ?? (spans.length === 1 && !turn.references.some((each) => each.number === number) ? spans[0] : undefined);
}

function passageOf(turn: Turn, span: CitedSpan | undefined, number: number): Passage | undefined {
  const references = turn.references.map((reference) => ({ number: reference.number, passage: reference.evidence?.passage }));
  const exact = span && references.find((each) => each.passage?.passageId === span.passageId);
  return exact?.passage ?? references.find((each) => each.number === number)?.passage;
}

function kindOf(verdict: Verdict): string {
  return verdict === Verdict.WEAK ? "weak" : verdict === Verdict.WITHDRAWN ? "withdrawn" : verdict === Verdict.VERIFIED ? "verified" : "";
}

function verdictWords(verdict: Verdict, t: Translation): string {
  return verdict === Verdict.WEAK ? t("weak") : verdict === Verdict.WITHDRAWN ? t("withdrawn") : verdict === Verdict.VERIFIED ? t("verified") : "";
}

function shortened(text: string): string {
  return text.length > 280 ? `${text.slice(0, 280).trimEnd()} …` : text;
}
