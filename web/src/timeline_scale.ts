// Dates on a line: years as numbers, ticks at round distances.

import type { TimelineEvent } from "@gen/context/v1/timeline_pb.js";
import { type PartialDate, Precision } from "@gen/context/v1/basics_pb.js";

export interface Range {
  start: number;
  end: number;
}

const DAYS = 365.25;
const STEPS = [1 / 365.25, 7 / 365.25, 1 / 12, 3 / 12, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/** A date as a number of years: the first of July of 1969 is 1969.5. */
export function yearOf(date: PartialDate | undefined): number {
  if (!date) return 0;
  return date.year + (Math.max(1, date.month) - 1) / 12 + (Math.max(1, date.day) - 1) / DAYS;
}

export function spanOf(event: TimelineEvent): Range {
  const start = yearOf(event.start);
  return { start, end: event.end ? Math.max(start, yearOf(event.end)) : start };
}

/** The time of all events, with some room at both sides. */
export function rangeOf(events: TimelineEvent[]): Range {
  const spans = events.map(spanOf);
  const start = Math.min(...spans.map((span) => span.start));
  const end = Math.max(...spans.map((span) => span.end));
  const room = Math.max((end - start) * 0.06, 1 / DAYS);
  return { start: start - room, end: end + room };
}

/** A part of the range around a point of it; never beyond the whole, never less than some days. */
export function zoomed(range: Range, whole: Range, factor: number, centre = (range.start + range.end) / 2): Range {
  const length = Math.min(whole.end - whole.start, Math.max((range.end - range.start) / factor, 4 / DAYS));
  const share = (centre - range.start) / (range.end - range.start);
  return within({ start: centre - share * length, end: centre + (1 - share) * length }, whole);
}

export function moved(range: Range, whole: Range, share: number): Range {
  const step = (range.end - range.start) * share;
  return within({ start: range.start + step, end: range.end + step }, whole);
}

function within({ start, end }: Range, whole: Range): Range {
  const length = end - start;
  const first = Math.min(Math.max(start, whole.start), whole.end - length);
  return { start: first, end: first + length };
}

export interface Tick {
  at: number;
  label: string;
}

/** Round dates of the range, at most so many. */
export function ticksOf({ start, end }: Range, most: number, locale: string): Tick[] {
  const step = STEPS.find((each) => (end - start) / each <= most) ?? Math.ceil((end - start) / most / 1000) * 1000;
  const ticks: Tick[] = [];
  for (let at = Math.ceil(start / step) * step; at <= end; at += step) ticks.push({ at, label: tickLabel(at, step, locale) });
  return ticks;
}

function tickLabel(at: number, step: number, locale: string): string {
  if (step >= 1) return yearLabel(Math.round(at));
  const year = Math.floor(at + 1e-6);
  const month = Math.min(11, Math.floor((at - year) * 12 + 1e-3));
  const day = Math.max(1, Math.round(((at - year) * 12 - month) * 30.4) + 1);
  const date = new Date(Date.UTC(2000, month, Math.min(day, 28)));
  const fields: Intl.DateTimeFormatOptions = step >= 1 / 12 ? { month: "short" } : { month: "short", day: "numeric" };
  return `${date.toLocaleDateString(locale, { ...fields, timeZone: "UTC" })} ${yearLabel(year)}`;
}

function yearLabel(year: number): string {
  return year > 0 ? String(year) : `${1 - year} BC`;
}

/** A date as it is known: to the day, the month or the year. */
export function dateLabel(event: TimelineEvent, locale: string): string {
  const first = partLabel(event.start, event.precision, locale);
  const last = event.end ? partLabel(event.end, event.precision, locale) : "";
  return last && last !== first ? `${first} – ${last}` : first;
}

function partLabel(date: PartialDate | undefined, precision: Precision, locale: string): string {
  if (!date) return "";
  if (precision === Precision.DECADE) return `${date.year}s`;
  const fields: Intl.DateTimeFormatOptions = date.day ? { day: "numeric", month: "short" } : { month: "short" };
  if (!date.month) return yearLabel(date.year);
  const shown = new Date(Date.UTC(2000, date.month - 1, date.day || 1)).toLocaleDateString(locale, { ...fields, timeZone: "UTC" });
  return `${shown} ${yearLabel(date.year)}`;
}
