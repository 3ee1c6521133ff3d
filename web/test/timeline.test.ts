// Where dates stand on a line, and what a timeline looks like as a file.

import { create } from "@bufbuild/protobuf";
import { type TimelineEvent, TimelineEventSchema, TimelineSchema } from "@gen/context/v1/timeline_pb.js";
import { expect, test } from "vitest";
import { exported } from "../src/timeline_export";
import { dateLabel, moved, rangeOf, ticksOf, yearOf, zoomed } from "../src/timeline_scale";

const event = (id: string, year: number, month = 0, day = 0, text = id): TimelineEvent =>
  create(TimelineEventSchema, { eventId: id, text, start: { year, month, day }, sources: [{ documentId: "doc.md" }] });
const EVENTS = [event("a", 1969, 7, 20), event("b", 1971), event("c", 1972, 12, 14, "Left; the Moon, \"for good\" <b>")];
const HOSTILE = ["\r", "\n", "\r\n", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029"].map((end) => `Launch${end}X-EVIL:1${end}BEGIN:VALARM${end}# Evil`);
const WHOLE = rangeOf(EVENTS);

test("a year is where its months are", () => {
  expect(yearOf(EVENTS[0]!.start)).toBeCloseTo(1969.55, 1);
  expect(yearOf(EVENTS[1]!.start)).toBe(1971);
});

test("zooming keeps the place under the pointer, and never leaves the whole", () => {
  const closer = zoomed(WHOLE, WHOLE, 2, 1970);
  expect((1970 - closer.start) / (closer.end - closer.start)).toBeCloseTo((1970 - WHOLE.start) / (WHOLE.end - WHOLE.start), 5);
  expect(zoomed(closer, WHOLE, 0.01)).toEqual(WHOLE);
  expect(moved(closer, WHOLE, 100).end).toBeCloseTo(WHOLE.end, 9);
  expect(moved(closer, WHOLE, -100).start).toBeCloseTo(WHOLE.start, 9);
});

test("ticks are round dates, not too many", () => {
  expect(ticksOf({ start: 1960, end: 2000 }, 6, "en-GB").map((tick) => tick.label)).toEqual(["1960", "1970", "1980", "1990", "2000"]);
  expect(ticksOf({ start: 1969.5, end: 1970.5 }, 5, "en-GB").map((tick) => tick.label)).toContain("Jan 1970");
  expect(ticksOf({ start: -500, end: 2026 }, 6, "en-GB").length).toBeLessThanOrEqual(7);
});

test("a date is as exact as it is known", () => {
  expect(EVENTS.map((each) => dateLabel(each, "en-GB"))).toEqual(["20 Jul 1969", "1971", "14 Dec 1972"]);
  expect(dateLabel(event("d", -43, 3, 15), "en-GB")).toBe("15 Mar 44 BC");
});

test("files hold the events that are shown", () => {
  const timeline = create(TimelineSchema, { events: EVENTS });
  const file = (format: "svg" | "md" | "ics" | "json"): string => exported(format, timeline, EVENTS.slice(1), "The Moon", "en-GB");
  expect(JSON.parse(file("json")).events).toHaveLength(2);
  expect(file("md")).toContain("| 14 Dec 1972 | Left; the Moon");
  expect(file("ics")).toContain("DTSTART;VALUE=DATE:19721214");
  expect(file("ics")).toContain("SUMMARY:Left\\; the Moon\\, ");
  expect(file("ics")).not.toContain("1971");
  expect(file("svg")).toContain("&#60;b&#62;");
  expect(file("svg")).not.toContain("<b>");
});

const written = (format: "svg" | "md" | "ics" | "json", text: string): string => {
  const one = create(TimelineEventSchema, { eventId: text, text, start: { year: 1969, month: 7, day: 20 }, sources: [{ documentId: text, quote: text }], group: text });
  return exported(format, create(TimelineSchema, { events: [one] }), [one], text, "en-GB");
};
const linesOf = (file: string): string[] => file.replace(/\r\n /g, "").split(/\r\n|[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]/);

test.each(["md", "ics", "svg"] as const)("no text begins a line of its own in %s", (format) => {
  for (const text of HOSTILE) {
    expect(linesOf(written(format, text)).length).toBe(linesOf(written(format, "Launch")).length);
    expect(linesOf(written(format, text)).filter((line) => /^(X-EVIL|BEGIN:VALARM|# Evil)/.test(line))).toEqual([]);
  }
});

test.each(["md", "ics", "svg", "json"] as const)("no control character, and no half of one, is written to %s", (format) => {
  const text = `a${String.fromCharCode(...Array.from({ length: 0xa0 }, (_, n) => n))}b\ud800c\uffff`;
  expect(written(format, text).replace(/[\t\r\n]/g, "")).not.toMatch(format === "json" ? /[\x00-\x1f]/ : /[\x00-\x1f\x7f-\x9f\ufffe\uffff]|\p{Cs}/u);
});

test.each(["é", "年", "😀"])("a line of %s is folded between characters, at 75 bytes", (sign) => {
  const lines = written("ics", sign.repeat(90)).split("\r\n");
  for (const line of lines) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
  expect(lines.join("").replace(/\ufffd/g, "!")).not.toContain("!");
  expect(linesOf(lines.join("\r\n"))).toContain(`SUMMARY:${sign.repeat(90)}`);
});

test("what sources say becomes no markup in a file of Markdown", () => {
  const row = written("md", "<script>alert(1)</script> [a](javascript:b) ![c](http://d) **e** \\| `f`").split("\n")[4] ?? "";
  expect(row.replace(/\\./g, "").slice(2, -2)).not.toMatch(/[<>[\]*`\\]/);
  expect(row.replace(/\\./g, "").split("|").length).toBe(5);
});
