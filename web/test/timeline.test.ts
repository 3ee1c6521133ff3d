// Where dates stand on a line, and what a timeline looks like as a file.

import { create } from "@bufbuild/protobuf";
import { type TimelineEvent, TimelineEventSchema, TimelineSchema } from "@gen/context/v1/timeline_pb.js";
import { expect, test } from "vitest";
import { exported } from "../src/timeline_export";
import { dateLabel, moved, rangeOf, ticksOf, yearOf, zoomed } from "../src/timeline_scale";

const event = (id: string, year: number, month = 0, day = 0, text = id): TimelineEvent =>
  create(TimelineEventSchema, { eventId: id, text, start: { year, month, day }, sources: [{ documentId: "doc.md" }] });
const EVENTS = [event("a", 1969, 7, 20), event("b", 1971), event("c", 1972, 12, 14, "Left; the Moon, \"for good\" <b>")];
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
