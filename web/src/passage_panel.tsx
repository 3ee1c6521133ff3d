// The passage behind a citation, in its document, with the cited words marked.

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Span } from "@gen/context/v1/basics_pb.js";
import type { Passage } from "@gen/context/v1/evidence_pb.js";
import { corpus, failureOf } from "./api";
import { headingsOf, placeOf } from "./passage_title";
import { explain, useWords } from "./i18n";
import { Icon } from "./icons";
import { PageView, type Place } from "./page_view";
import { Markdown, PlainText } from "./markdown";
import { Store, useStore } from "./store";
import { codePoints, MARK, MARK_END, plain } from "./tokens";

const PART = 40_000; // characters of a document that are drawn before and behind the cited words (taste)

export interface OpenPassage {
  passage: Passage;
  /** The cited words within the passage's text; null for none. */
  span: Span | null;
  quote: string;
  /** The cells of a sheet that the words are in; empty for that of the passage. */
  cells: string;
  /** Of the reference; 0 for what is none. */
  number: number;
}

const opened = new Store<OpenPassage | null>(null);
let opener: HTMLElement | null = null;

export function openPassage(passage: OpenPassage): void {
  opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  opened.value = passage;
}

function close(): void {
  opened.value = null;
  opener?.focus();
}

export function PassagePanel(): VNode | null {
  const open = useStore(opened);
  return open ? <Panel key={`${open.passage.passageId} ${open.number} ${open.span?.start}`} open={open} /> : null;
}

function Panel({ open }: { open: OpenPassage }): VNode {
  const t = useWords();
  const panel = useRef<HTMLElement>(null);
  const { passage, number, cells } = open;
  const { text, place } = useDocument(open);
  useEffect(() => panel.current?.focus(), []);
  const showWords = (): void => panel.current?.querySelector("mark")?.scrollIntoView({ block: "center" });
  useEffect(showWords, [text]);
  const facts = [headingsOf(passage).join(" › "), placeOf(passage, cells, t), passage.date].filter(Boolean);
  return (
    <>
      <div class="backdrop panel-backdrop" onClick={close} />
      <aside class="panel" ref={panel} tabIndex={-1} aria-label={t("source")} onKeyDown={(event) => event.key === "Escape" && close()}>
        <header>
          {number > 0 && <span class="number">{number}</span>}
          <div><h2>{passage.title || passage.documentId}</h2>{facts.length > 0 && <p class="hint">{facts.join(" · ")}</p>}</div>
          <button type="button" class="quiet icon-only" aria-label={t("close")} onClick={close}><Icon name="close" /></button>
        </header>
        <div class="views">
          {place && passage.page > 0 && <PageView passage={passage} place={place} onShown={showWords} />}
          <div class="document" tabIndex={0} aria-label={t("inDocument")}>
            {text === null ? <p class="hint">{t("loading")}</p> : <DocumentText passage={passage} text={text} />}
          </div>
        </div>
        <footer>
          <span class="hint">{passage.documentId}</span>
          {/^https?:\/\//.test(passage.url) && <a class="button" href={passage.url} target="_blank" rel="noopener noreferrer"><Icon name="external" />{t("openOriginal")}</a>}
        </footer>
      </aside>
    </>
  );
}

function DocumentText({ passage, text }: { passage: Passage; text: string }): VNode {
  const t = useWords();
  const [[before, after], show] = useState([1, 1]);
  if (text.startsWith("!")) return <p class="problem">{explain(text.slice(1), t)}</p>;
  const at = Math.max(0, text.indexOf(MARK));
  const [start, end] = [lineAt(text, at - before * PART), lineAt(text, at + after * PART)];
  const Text = isMarkdown(passage.documentId) ? Markdown : PlainText;
  return (
    <>
      {start > 0 && <button type="button" onClick={() => show([before + 1, after])}>{t("loadBefore")}</button>}
      <Text text={text.slice(start, end)} />
      {end < text.length && <button type="button" onClick={() => show([before, after + 1])}>{t("loadMore")}</button>}
    </>
  );
}

/** The start of the line of a place in a text, or the place itself in a line without end. */
function lineAt(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.min(Math.max(at, 0), text.length);
  const start = text.lastIndexOf("\n", at) + 1;
  return at - start < PART ? start : at;
}

function isMarkdown(documentId: string): boolean {
  return /\.(md|markdown|mdx|html?|docx|pptx|epub|re?st|tex|latex|rtf|ipynb)(\.gz)?(#.*)?$/i.test(documentId);
}

interface Opened {
  /** The document's text with the cited words marked, or that of the passage alone; null while it loads, "!…" if it fails. */
  text: string | null;
  /** Where the words are in the document; null if the passage is alone. */
  place: Place | null;
}

function useDocument({ passage, span, quote }: OpenPassage): Opened {
  const [opened, setOpened] = useState<Opened>({ text: null, place: null });
  useEffect(() => {
    let gone = false;
    const show = (text: string, place: Place | null = null): void => void (gone || setOpened({ text, place }));
    const alone = marked(passage.text, span, quote);
    corpus.getDocument({ collection: passage.collection, documentId: passage.documentId }).then(
      ({ document }) => {
        const place = placeIn(document?.text ?? "", passage, span);
        if (place) show(marked(document?.text ?? "", place, ""), place);
        else show(alone);
      },
      (error) => show(passage.text ? alone : `!${failureOf(error).reason}`),
    );
    return () => {
      gone = true;
    };
  }, []);
  return opened;
}

/** Where the words are in the document; null if the passage is no longer where it was. */
function placeIn(document: string, passage: Passage, span: Span | null): Place | null {
  const place = passage.span;
  if (!place || !document || codePoints(document, place.start, place.end) !== passage.text) return null;
  return span ? { start: place.start + span.start, end: place.start + span.end } : place;
}

/** A text with the words of a span marked; by their own words if they are not at the span. */
function marked(text: string, span: { start: number; end: number } | null, quote: string): string {
  if (!span) return plain(text);
  let [at, words] = [codePoints(text, 0, span.start).length, codePoints(text, span.start, span.end)];
  if (quote && words !== quote && text.includes(quote)) [at, words] = [text.indexOf(quote), quote];
  return plain(text.slice(0, at)) + MARK + plain(words) + MARK_END + plain(text.slice(at + words.length));
}
