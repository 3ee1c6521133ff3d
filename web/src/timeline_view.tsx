// A timeline to look around in: zoomed and moved by wheel, keys or buttons, filtered, exported.

import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { EventSource, Timeline, TimelineEvent } from "@gen/context/v1/timeline_pb.js";
import { corpus } from "./api";
import { sourcesOf } from "./cited_sources";
import { language, useWords } from "./i18n";
import { Icon } from "./icons";
import { openPassage } from "./passage_panel";
import { useStore } from "./store";
import { download, exported, type Format, FORMATS } from "./timeline_export";
import { dateLabel, moved, type Range, rangeOf, spanOf, ticksOf, zoomed } from "./timeline_scale";
import { codePoints } from "./tokens";
import type { Turn } from "./turn";

const HEIGHT = 86;
const LINE = 44;
const ZOOM = 1.6;
const STEP = 0.25;
const TICK_WIDTH = 88;
const LOCALES = { en: "en-GB", de: "de-DE" };

export function TimelineView({ timeline, turn }: { timeline: Timeline; turn: Turn }): VNode {
  const t = useWords();
  const locale = LOCALES[useStore(language)];
  const [words, setWords] = useState("");
  const [keyOnly, setKeyOnly] = useState(false);
  const whole = useMemo(() => rangeOf(timeline.events), [timeline]);
  const [range, setRange] = useState<Range | null>(null);
  const [active, setActive] = useState("");
  const shown = range ?? whole;
  const fitting = timeline.events.filter((event) => fits(event, words, keyOnly));
  const visible = fitting.filter((event) => overlaps(event, shown));
  const list = useRef<HTMLOListElement>(null);
  const choose = (id: string): void => {
    setActive(id);
    list.current?.querySelector(`[data-event="${CSS.escape(id)}"]`)?.scrollIntoView({ block: "nearest" });
  };
  const save = (format: Format): void => download(`timeline.${format}`, FORMATS[format], exported(format, timeline, visible, turn.question, locale));
  const hasKeys = timeline.events.some((event) => event.highlights.length > 0);
  return (
    <section class="timeline" aria-label={t("timeline")}>
      <header>
        <h3>{t("timeline")}</h3>
        <div class="timeline-tools" role="toolbar" aria-label={t("timeline")}>
          <button type="button" class="quiet icon-only" aria-label={t("zoomOut")} onClick={() => setRange(zoomed(shown, whole, 1 / ZOOM))}><Icon name="minus" /></button>
          <button type="button" class="quiet icon-only" aria-label={t("zoomIn")} onClick={() => setRange(zoomed(shown, whole, ZOOM))}><Icon name="plus" /></button>
          <button type="button" class="quiet" disabled={!range} onClick={() => setRange(null)}>{t("wholeTime")}</button>
          <Export onExport={save} />
        </div>
      </header>
      <Axis events={fitting} range={shown} whole={whole} active={active} onRange={setRange} onChoose={choose} locale={locale} />
      <div class="timeline-filter">
        <input type="search" value={words} placeholder={t("filterEvents")} aria-label={t("filterEvents")} onInput={(event) => setWords(event.currentTarget.value)} />
        {hasKeys && <label class="check"><input type="checkbox" checked={keyOnly} onChange={(event) => setKeyOnly(event.currentTarget.checked)} /><span>{t("keyEvents")}</span></label>}
        <span class="hint" aria-live="polite">{t("eventsShown", { n: visible.length, m: timeline.events.length })}</span>
      </div>
      {visible.length === 0 && <p class="hint">{t("noEvents")}</p>}
      <ol ref={list} class="events" tabIndex={0} aria-label={t("timeline")}>
        {visible.map((event) => <EventRow key={event.eventId} event={event} turn={turn} isActive={event.eventId === active} locale={locale} onEnter={() => setActive(event.eventId)} />)}
      </ol>
      {visible.some((event) => event.carried) && <p class="hint">* {t("carried")}</p>}
    </section>
  );
}

function fits(event: TimelineEvent, words: string, keyOnly: boolean): boolean {
  const text = `${event.text} ${event.dateText} ${event.start?.year ?? ""}`.toLowerCase();
  return (!keyOnly || event.highlights.length > 0) && words.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

function overlaps(event: TimelineEvent, range: Range): boolean {
  const { start, end } = spanOf(event);
  return end >= range.start && start <= range.end;
}

function Export({ onExport }: { onExport: (format: Format) => void }): VNode {
  const t = useWords();
  const menu = useRef<HTMLDetailsElement>(null);
  const pick = (format: Format): void => {
    onExport(format);
    if (menu.current) menu.current.open = false;
  };
  return (
    <details class="menu" ref={menu} onKeyDown={(event) => event.key === "Escape" && menu.current && (menu.current.open = false)}>
      <summary class="button quiet"><Icon name="down" />{t("export")}</summary>
      <div class="menu-items">{(Object.keys(FORMATS) as Format[]).map((format) => <button key={format} type="button" onClick={() => pick(format)}>{format.toUpperCase()}</button>)}</div>
    </details>
  );
}

interface AxisProps {
  events: TimelineEvent[];
  range: Range;
  whole: Range;
  active: string;
  locale: string;
  onRange: (range: Range) => void;
  onChoose: (id: string) => void;
}

function Axis({ events, range, whole, active, locale, onRange, onChoose }: AxisProps): VNode {
  const t = useWords();
  const [place, width] = useWidth();
  const drag = useRef<{ x: number; range: Range } | null>(null);
  const at = (year: number): number => ((year - range.start) / (range.end - range.start)) * width;
  useEffect(() => {
    const node = place.current;
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY) && !event.altKey) return;
      event.preventDefault();
      const share = event.offsetX / width;
      const isMove = Math.abs(event.deltaX) > Math.abs(event.deltaY);
      onRange(isMove ? moved(range, whole, event.deltaX / width) : zoomed(range, whole, Math.exp(-event.deltaY / 300), range.start + share * (range.end - range.start)));
    };
    node?.addEventListener("wheel", onWheel, { passive: false });
    return () => node?.removeEventListener("wheel", onWheel);
  }, [range, width]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const change = keyChange(event.key, range, whole);
    if (!change) return;
    event.preventDefault();
    onRange(change);
  };
  const onPointerMove = (event: PointerEvent): void => {
    if (drag.current) onRange(moved(drag.current.range, whole, (drag.current.x - event.clientX) / width));
  };
  return (
    <div class="axis" ref={place} tabIndex={0} role="group" aria-label={`${t("timeline")}: + − ← →`} onKeyDown={onKeyDown}
      onPointerDown={(event) => (drag.current = { x: event.clientX, range })} onPointerMove={onPointerMove} onPointerUp={() => (drag.current = null)} onPointerLeave={() => (drag.current = null)}>
      <svg width={width} height={HEIGHT} aria-hidden="true">
        <line class="base" x1={0} x2={width} y1={LINE} y2={LINE} />
        {ticksOf(range, Math.max(2, width / TICK_WIDTH), locale).map((tick) => <g key={tick.at} class="tick"><line x1={at(tick.at)} x2={at(tick.at)} y1={LINE} y2={LINE + 8} /><text x={at(tick.at)} y={LINE + 26} text-anchor="middle">{tick.label}</text></g>)}
        {events.filter((event) => overlaps(event, range)).map((event) => <Dot key={event.eventId} event={event} at={at} isActive={event.eventId === active} onChoose={onChoose} />)}
      </svg>
    </div>
  );
}

function Dot({ event, at, isActive, onChoose }: { event: TimelineEvent; at: (year: number) => number; isActive: boolean; onChoose: (id: string) => void }): VNode {
  const { start, end } = spanOf(event);
  const isKey = event.highlights.length > 0;
  const height = 10 + 20 * Math.min(1, event.salience);
  return (
    <g class={`dot ${isKey ? "key" : ""} ${isActive ? "active" : ""}`} onClick={() => onChoose(event.eventId)}>
      {end > start && <line class="duration" x1={at(start)} x2={at(end)} y1={LINE} y2={LINE} />}
      <line class="stem" x1={at(start)} x2={at(start)} y1={LINE} y2={LINE - height} />
      <circle cx={at(start)} cy={LINE - height} r={isKey ? 6 : 4.5} />
      <circle class="target" cx={at(start)} cy={LINE - height} r={14} />
    </g>
  );
}

function keyChange(key: string, range: Range, whole: Range): Range | null {
  if (key === "+" || key === "=") return zoomed(range, whole, ZOOM);
  if (key === "-") return zoomed(range, whole, 1 / ZOOM);
  if (key === "ArrowLeft") return moved(range, whole, -STEP);
  if (key === "ArrowRight") return moved(range, whole, STEP);
  if (key === "0" || key === "Home") return whole;
  return null;
}

function EventRow({ event, turn, isActive, locale, onEnter }: { event: TimelineEvent; turn: Turn; isActive: boolean; locale: string; onEnter: () => void }): VNode {
  const t = useWords();
  const conflicts = turn.timeline?.conflicts.filter((conflict) => conflict.eventIds.includes(event.eventId));
  return (
    <li data-event={event.eventId} class={`${event.highlights.length ? "key" : ""} ${isActive ? "active" : ""}`} onMouseEnter={onEnter}>
      <span class="event-date">{dateLabel(event, locale)}{event.carried && <span class="carried" title={t("carried")}> *</span>}</span>
      <span class="event-text">
        <Emphasised event={event} />
        {[...sourcesOf(turn, event)].slice(0, 3).map(([label, source]) => (
          <button key={label} type="button" class="chip verified" aria-label={t("openSource", { n: label, title: source.documentId })} onClick={() => void openSource(source, label)}>{label}</button>
        ))}
        {conflicts?.map((conflict) => <span key={conflict.reason} class="conflict">{t("conflict")}: {conflict.reason}</span>)}
      </span>
    </li>
  );
}

function Emphasised({ event }: { event: TimelineEvent }): VNode {
  const parts: (string | VNode)[] = [];
  let at = 0;
  for (const { start, end } of event.highlights) {
    parts.push(codePoints(event.text, at, start), <strong key={start}>{codePoints(event.text, start, end)}</strong>);
    at = end;
  }
  return <>{parts}{codePoints(event.text, at)}</>;
}

async function openSource(source: EventSource, label: string): Promise<void> {
  const { passage } = await corpus.getPassage({ passageId: source.passageId });
  if (passage) openPassage({ passage, span: source.span ?? null, quote: source.quote, cells: "", number: Number(label) || 0 });
}

function useWidth(): [{ current: HTMLDivElement | null }, number] {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.max(200, entry.contentRect.width)));
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return [place, width];
}
