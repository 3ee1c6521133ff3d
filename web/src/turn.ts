// A turn as its events build it. Pure: the same events give the same turn, wherever a stream broke in between.

import type { Citation, PlacedImage } from "@gen/context/v1/answer_pb.js";
import { Verdict } from "@gen/context/v1/answer_pb.js";
import type { Reference } from "@gen/context/v1/evidence_pb.js";
import type { QueryGraph } from "@gen/context/v1/query_pb.js";
import { Outcome, type Turn as StoredTurn } from "@gen/context/v1/session_pb.js";
import type { Timeline } from "@gen/context/v1/timeline_pb.js";
import type { Degraded, Stage } from "@gen/context/v1/usage_pb.js";
import type { CompletedEvent, Event, SubQueryEvent, UsageEvent } from "@gen/gateway/v1/event_pb.js";
import type { Failure } from "./api";
import { cite, MARK, MARK_END, plain } from "./tokens";

export interface Activity {
  stage: Stage;
  text: string;
}

export interface Sentence {
  number: number;
  paragraph: number;
  text: string;
}

export interface Turn {
  /** Its place in the page, from the moment that it is asked. */
  key: string;
  /** The suite's id; empty until the first event. */
  id: string;
  question: string;
  seq: number;
  running: boolean;
  /** Whether the connection is broken, and is being tried again. */
  waiting: boolean;
  activity: Activity | null;
  standalone: string;
  choices: string[];
  graph: QueryGraph | null;
  nodes: Map<string, SubQueryEvent>;
  references: Reference[];
  sentences: Sentence[];
  /** The final text; null as long as it is being written, or if the sentences are it. */
  text: string | null;
  citations: Map<number, Citation>;
  withdrawn: string[];
  images: PlacedImage[];
  timeline: Timeline | null;
  gaps: string[];
  engine: string;
  recommendations: string[];
  degraded: Degraded[];
  usage: UsageEvent | null;
  outcome: Outcome;
  abstainScore: number;
  failure: Failure | null;
}

export function newTurn(key: string, question: string): Turn {
  return {
    key, id: "", question, seq: 0, running: true, waiting: false, activity: null, standalone: "", choices: [],
    graph: null, nodes: new Map(), references: [], sentences: [], text: null, citations: new Map(), withdrawn: [],
    images: [], timeline: null, gaps: [], engine: "", recommendations: [], degraded: [], usage: null,
    outcome: Outcome.UNSPECIFIED, abstainScore: 0, failure: null,
  };
}

/** The turn after an event; the same turn if the event was seen before. */
export function apply(turn: Turn, event: Event): Turn {
  if (event.seq && event.seq <= turn.seq) return turn;
  const next: Turn = { ...turn, id: event.turnId || turn.id, seq: event.seq || turn.seq, waiting: false };
  const { event: content } = event;
  switch (content.case) {
    case "state":
      if (!content.value.done) next.activity = { stage: content.value.stage, text: content.value.activity };
      break;
    case "condensed":
      next.standalone = content.value.sureStandalone || content.value.standalone;
      break;
    case "understanding":
      next.choices = content.value.questionSupplement?.supplyChoices ?? [];
      break;
    case "plan":
      if (!content.value.timeline) next.graph = content.value.graph ?? null;
      break;
    case "subQuery":
      next.nodes = new Map(turn.nodes).set(content.value.nodeId, content.value);
      break;
    case "references":
      next.references = content.value.references;
      break;
    case "text":
      next.sentences = withDelta(turn.sentences, content.value.sentence, content.value.paragraph, content.value.delta);
      break;
    case "citation":
      return withCitation(next, content.value);
    case "image":
      next.images = [...turn.images, content.value];
      break;
    case "timeline":
      next.timeline = content.value;
      break;
    case "textEnd":
      return { ...next, ...finalText(next, content.value.text), gaps: content.value.gaps, engine: content.value.engine };
    case "recommendation":
      next.recommendations = content.value.questions;
      break;
    case "degraded":
      next.degraded = [...turn.degraded, content.value];
      break;
    case "usage":
      next.usage = content.value;
      break;
    case "completed":
      return completed(next, content.value);
    case "restarted":
      return { ...newTurn(turn.key, turn.question), id: next.id, seq: next.seq };
    default:
      break;
  }
  return next;
}

function withDelta(sentences: Sentence[], number: number, paragraph: number, delta: string): Sentence[] {
  const last = sentences.at(-1);
  const text = plain(delta);
  if (last?.number === number) return [...sentences.slice(0, -1), { ...last, text: last.text + text }];
  return [...sentences, { number, paragraph, text }];
}

function withCitation(turn: Turn, citation: Citation): Turn {
  turn.citations = new Map(turn.citations).set(citation.sentence, citation);
  const sentence = turn.sentences.find((each) => each.number === citation.sentence);
  if (citation.replacement === undefined || !sentence || turn.text !== null) return turn;
  if (citation.replacement === "") turn.withdrawn = [...turn.withdrawn, sentence.text.trim()];
  const before = /^\s*/.exec(sentence.text)?.[0] ?? "";
  const text = citation.replacement === "" ? "" : before + plain(citation.replacement.trimStart());
  turn.sentences = turn.sentences.map((each) => (each === sentence ? { ...each, text } : each));
  return turn;
}

/** The sentences stay if they are the final text; otherwise the text itself is kept. */
function finalText(turn: Turn, text: string): Partial<Turn> {
  const written = turn.sentences.map((sentence) => sentence.text).join("");
  const same = (one: string): string => one.replace(/\s+/g, " ").trim();
  return { text: same(written) === same(text) ? null : plain(text) };
}

function completed(turn: Turn, event: CompletedEvent): Turn {
  return { ...turn, running: false, activity: null, outcome: event.outcome, abstainScore: event.abstainScore };
}

/** A turn that a session stores. */
export function fromStored(key: string, stored: StoredTurn): Turn {
  const answer = stored.answer;
  return {
    ...newTurn(key, stored.question),
    id: stored.questionId,
    running: false,
    standalone: stored.record?.sureStandalone || stored.record?.standalone || "",
    choices: stored.understanding?.questionSupplement?.supplyChoices ?? [],
    graph: stored.graph ?? null,
    references: stored.references,
    text: plain(answer?.text ?? ""),
    citations: new Map((answer?.citations ?? []).map((citation) => [citation.sentence, citation])),
    images: answer?.images ?? [],
    timeline: stored.timeline ?? null,
    gaps: answer?.gaps ?? [],
    engine: answer?.engine ?? "",
    outcome: stored.outcome,
    abstainScore: answer?.abstainScore ?? 0,
  };
}

/** The answer with the marks of its citations, paragraph by paragraph. */
export function markedText(turn: Turn): string {
  if (turn.text !== null) return markStored(turn.text, [...turn.citations.values()], turn.engine);
  return turn.sentences.map((sentence) => markSentence(sentence, turn)).join("");
}

function markSentence({ number, text }: Sentence, turn: Turn): string {
  const citation = turn.citations.get(number);
  if (citation?.answers) text = markStrong(text);
  const marked = replaceMarks(text, (shown) => cite(number, shown));
  if (marked !== text) return marked;
  const marks = marksOf(citation, turn);
  if (!marks) return text;
  const end = text.trimEnd().replace(/\|$/, "").trimEnd().length;
  return text.slice(0, end) + marks + text.slice(end);
}

/** The text of a sentence that answers, with its bold words marked instead. */
function markStrong(text: string): string {
  return text.replace(/\*\*([\s\S]+?)\*\*/g, `${MARK}$1${MARK_END}`);
}

/** The text with its citation marks replaced; brackets in code and behind a backslash are the document's own. */
function replaceMarks(text: string, mark: (number: number) => string): string {
  const markOrCode = /(`{3,}|~{3,})[\s\S]*?(?:\1|$)|(`{1,2})(?!`)[^\n]*?[^`\n]\2(?!`)|\\.|\[(\d{1,3})\](?!\()/g;
  return text.replace(markOrCode, (whole, _fence, _ticks, number) => (number ? mark(Number(number)) : whole));
}

function marksOf(citation: Citation | undefined, turn: Turn): string {
  if (!citation || citation.verdict === Verdict.WITHDRAWN) return "";
  const numbers = new Set(citation.references.map((span) => numberOf(turn, span.passageId) || span.number));
  return [...numbers].filter(Boolean).map((number) => cite(citation.sentence, number)).join("");
}

/** The number under which a passage is a reference now; 0 if it is none. */
export function numberOf(turn: Turn, passageId: string): number {
  return turn.references.find((reference) => reference.evidence?.passage?.passageId === passageId)?.number ?? 0;
}

/**
 * Marks the citations of a text whose sentences are not known. The words of a quotation are found again; a number in
 * the text belongs to the next citation that has it.
 */
function markStored(text: string, citations: Citation[], engine: string): string {
  return engine === "llm" ? markNumbers(text, citations) : markQuotes(text, citations);
}

function markNumbers(text: string, citations: Citation[]): string {
  let next = 0;
  return replaceMarks(text, (number) => {
    const found = citations.findIndex((each, n) => n >= next && each.references.some((span) => span.number === number));
    if (found >= 0) next = found;
    return cite(citations[found]?.sentence ?? 0, number);
  });
}

function markQuotes(text: string, citations: Citation[]): string {
  let marked = "";
  let rest = text;
  for (const citation of citations) {
    const found = quoteIn(rest, citation.references[0]?.quote ?? "");
    if (!found) continue;
    const numbers = new Set(citation.references.map((span) => span.number));
    const quote = citation.answers ? markStrong(found.quote) : found.quote;
    marked += found.before + quote + [...numbers].map((number) => cite(citation.sentence, number)).join("");
    rest = found.after.replace(/^(\[\d{1,3}\])+/, "");
  }
  return replaceMarks(marked + rest, (number) => cite(0, number));
}

/** A text cut around the words of a quote, which may stand there with other marks between them. */
function quoteIn(text: string, quote: string): { before: string; quote: string; after: string } | null {
  const words = quote.match(/[\p{L}\p{N}]+/gu)?.join("[^\\p{L}\\p{N}]+");
  const found = words ? new RegExp(`(?:\\*\\*)?${words}[^\\p{L}\\p{N}\\s[]*`, "u").exec(text) : null;
  if (!found) return null;
  const end = found.index + found[0].length;
  return { before: text.slice(0, found.index), quote: found[0], after: text.slice(end) };
}

/** The answer cut at its paragraphs, so that pictures stand beside theirs; never within code. */
export function paragraphsOf(text: string): string[] {
  const parts: string[] = [];
  let open: string[] = [];
  let fence = "";
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    if (mark) fence = fence ? (mark.startsWith(fence) ? "" : fence) : mark;
    if (!line.trim() && !fence) {
      if (open.length) parts.push(open.join("\n"));
      open = [];
    } else open.push(line);
  }
  if (open.length) parts.push(open.join("\n"));
  return parts;
}
