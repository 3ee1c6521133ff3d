// A question with its answer: text with citations, pictures, timeline, plan, and what did not go as it should.

import { Fragment, type VNode } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { type PlacedImage, Verdict } from "@gen/context/v1/answer_pb.js";
import { Outcome } from "@gen/context/v1/session_pb.js";
import { announce } from "./announcer";
import { CitationChip } from "./citation_chip";
import { ask } from "./conversation";
import { explain, useWords } from "./i18n";
import { Icon } from "./icons";
import { Markdown } from "./markdown";
import { Picture } from "./picture";
import { PlanGraph } from "./plan_graph";
import { SourceList } from "./source_list";
import { TimelineView } from "./timeline_view";
import { withoutMarks } from "./tokens";
import { markedText, paragraphsOf, type Turn } from "./turn";

const READ_CHARACTERS = 1200;

export function TurnView({ turn, isLast }: { turn: Turn; isLast: boolean }): VNode {
  const t = useWords();
  const text = useMemo(() => markedText(turn), [turn.sentences, turn.text, turn.citations, turn.references]);
  useAnnouncement(turn, text);
  return (
    <article class={`turn ${turn.running ? "running" : ""}`} aria-busy={turn.running}>
      <h2 class="question"><span class="visually-hidden">{t("question")}: </span>{turn.question}</h2>
      {turn.standalone && turn.standalone !== turn.question && <p class="standalone">{t("searchedFor")}: <q>{turn.standalone}</q></p>}
      {(turn.graph?.nodes.length ?? 0) > 1 && turn.running && <PlanGraph graph={turn.graph!} nodes={turn.nodes} running />}
      <Outcomes turn={turn} />
      <section class="answer" aria-label={t("answer")}>
        <AnswerText turn={turn} text={text} />
      </section>
      {turn.running && <Working turn={turn} hasText={Boolean(text.trim())} />}
      {turn.failure && (
        <div class="notice bad" role="alert">
          <Icon name="warn" />
          <div><p>{explain(turn.failure.reason, t)}</p><p class="hint">{turn.failure.message}</p>
            {isLast && <button type="button" onClick={() => void ask(turn.question)}>{t("askAgain")}</button>}</div>
        </div>
      )}
      <Choices turn={turn} isLast={isLast} />
      {turn.timeline && turn.timeline.events.length > 0 && <TimelineView timeline={turn.timeline} turn={turn} />}
      {!turn.running && <SourceList turn={turn} />}
      {!turn.running && <Warnings turn={turn} />}
      {isLast && <FollowUps questions={turn.recommendations} />}
      {!turn.running && <Background turn={turn} text={text} />}
    </article>
  );
}

function AnswerText({ turn, text }: { turn: Turn; text: string }): VNode {
  const paragraphs = paragraphsOf(text);
  const cite = (sentence: number, number: number): VNode => <CitationChip turn={turn} sentence={sentence} number={number} />;
  const images = (number: number): PlacedImage[] => turn.images.filter((image) => image.paragraph === number);
  const late = turn.images.filter((image) => image.paragraph > paragraphs.length);
  return (
    <>
      {merged(paragraphs).map(([number, paragraph]) => (
        <Fragment key={number}>
          {images(number).map((placed) => <Picture key={placed.image?.imageId} placed={placed} turn={turn} />)}
          <Markdown text={paragraph} cite={cite} />
        </Fragment>
      ))}
      {late.map((placed) => <Picture key={placed.image?.imageId} placed={placed} turn={turn} />)}
    </>
  );
}

/** Paragraphs with their numbers; items of a list or rows of a table that are apart stay together. */
function merged(paragraphs: string[]): [number, string][] {
  const item = /^\s*([-*+]|\d{1,9}[.)])\s/;
  const row = /^\s*\|[\s\S]*\|\s*(\uE000\d+:\d+\uE001\s*)*$/;
  const result: [number, string][] = [];
  paragraphs.forEach((paragraph, n) => {
    const last = result.at(-1);
    if (last && item.test(last[1]) && (item.test(paragraph) || /^\s{2,}/.test(paragraph))) last[1] += `\n\n${paragraph}`;
    else if (last && row.test(paragraphs[n - 1] ?? "") && row.test(paragraph)) last[1] += `\n${paragraph}`;
    else result.push([n + 1, paragraph]);
  });
  return result;
}

function Working({ turn, hasText }: { turn: Turn; hasText: boolean }): VNode {
  const t = useWords();
  const activity = turn.waiting ? t("reconnecting") : turn.activity && turn.activity.text !== "accepted" ? turn.activity.text : t("thinking");
  return <p class={`working ${hasText ? "below" : ""}`}><span class="pulse" aria-hidden="true" />{activity}</p>;
}

function Outcomes({ turn }: { turn: Turn }): VNode | null {
  const t = useWords();
  if (turn.outcome === Outcome.ABSTAINED) return <p class="tag warn"><Icon name="warn" />{t("abstained")}</p>;
  if (turn.outcome === Outcome.ASKED) return <p class="tag"><Icon name="arrow" />{t("asked")}</p>;
  if (turn.outcome === Outcome.REJECTED) return <p class="tag warn"><Icon name="warn" />{t("rejected")}</p>;
  if (turn.outcome === Outcome.CANCELLED) return <p class="tag"><Icon name="stop" />{t("cancelled")}</p>;
  return null;
}

function Choices({ turn, isLast }: { turn: Turn; isLast: boolean }): VNode | null {
  const t = useWords();
  if (!isLast || turn.running || turn.outcome !== Outcome.ASKED || !turn.choices.length) return null;
  return <Questions label={t("choices")} questions={turn.choices} />;
}

function FollowUps({ questions }: { questions: string[] }): VNode | null {
  const t = useWords();
  return questions.length ? <Questions label={t("followUps")} questions={questions} /> : null;
}

function Questions({ label, questions }: { label: string; questions: string[] }): VNode {
  return (
    <section class="follow-ups" aria-label={label}>
      <h3>{label}</h3>
      <ul>{questions.map((question) => <li key={question}><button type="button" onClick={() => void ask(question)}><span>{question}</span><Icon name="arrow" /></button></li>)}</ul>
    </section>
  );
}

/** What is not as good as it looks: weak and withdrawn sentences, gaps, and what was left out. */
function Warnings({ turn }: { turn: Turn }): VNode | null {
  const t = useWords();
  const verdicts = [...turn.citations.values()].map((citation) => citation.verdict);
  const weak = verdicts.filter((verdict) => verdict === Verdict.WEAK).length;
  const withdrawn = verdicts.filter((verdict) => verdict === Verdict.WITHDRAWN).length;
  const lines = [
    weak && (weak === 1 ? t("weakOne") : t("weakMany", { n: weak })),
    withdrawn && (withdrawn === 1 ? t("withdrawnOne") : t("withdrawnMany", { n: withdrawn })),
    turn.gaps.length && `${t("gaps")}: ${turn.gaps.join("; ")}`,
    ...new Set(turn.degraded.map((each) => `${t("degraded")}: ${each.effect || each.reason}`)),
  ].filter((line): line is string => Boolean(line));
  if (!lines.length) return null;
  return <ul class="warnings">{lines.map((line) => <li key={line}><Icon name="warn" /><span>{line}</span></li>)}</ul>;
}

function Background({ turn, text }: { turn: Turn; text: string }): VNode | null {
  const t = useWords();
  if (!turn.id) return null;
  const seconds = turn.usage ? (turn.usage.milliseconds / 1000).toFixed(1) : "";
  const tokens = Number((turn.usage?.inputTokens ?? 0n) + (turn.usage?.outputTokens ?? 0n));
  const facts = [
    turn.engine === "llm" ? t("byModel") : turn.engine === "rules" ? t("byRules") : "",
    seconds && t("took", { seconds }),
    tokens ? t("tokens", { n: tokens.toLocaleString() }) : "",
    turn.usage?.costUsd ? `$${turn.usage.costUsd.toPrecision(2)}` : "",
  ].filter(Boolean);
  const copy = (): void => void navigator.clipboard?.writeText(withoutMarks(text)).then(() => announce(t("copied"), true));
  return (
    <footer class="background">
      <details>
        <summary>{t("howItCame")}</summary>
        <p class="hint">{facts.join(" · ")}</p>
        {(turn.graph?.nodes.length ?? 0) > 1 && <PlanGraph graph={turn.graph!} nodes={turn.nodes} running={false} />}
        {turn.withdrawn.map((sentence) => <p key={sentence} class="hint"><del>{sentence}</del></p>)}
      </details>
      <button type="button" class="quiet icon-only" aria-label={t("copy")} onClick={copy}><Icon name="copy" /></button>
    </footer>
  );
}

/** Say to a screen reader what happens: an activity now and then, and the answer once it is complete. */
function useAnnouncement(turn: Turn, text: string): void {
  const t = useWords();
  const wasRunning = useRef(turn.running);
  const activity = turn.running ? (turn.waiting ? t("reconnecting") : t("thinking")) : "";
  useEffect(() => {
    if (activity) announce(activity);
  }, [activity]);
  useEffect(() => {
    if (wasRunning.current && !turn.running) {
      const words = withoutMarks(text).replace(/[*_`#>|]/g, "").slice(0, READ_CHARACTERS);
      announce(turn.failure ? explain(turn.failure.reason, t) : `${t("ready")} ${words}`);
    }
    wasRunning.current = turn.running;
  }, [turn.running]);
}
