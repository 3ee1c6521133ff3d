// A timeline as a file: a picture, a table, a calendar, or data.

import { toJsonString } from "@bufbuild/protobuf";
import { type Timeline, type TimelineEvent, TimelineSchema } from "@gen/context/v1/timeline_pb.js";
import type { PartialDate } from "@gen/context/v1/basics_pb.js";
import { dateLabel } from "./timeline_scale";

export type Format = "svg" | "md" | "ics" | "json";

export const FORMATS: Record<Format, string> = { svg: "image/svg+xml", md: "text/markdown", ics: "text/calendar", json: "application/json" };

const LINE_ENDS = /\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]/g;
const UNFIT = /[\x00-\x08\x0e-\x1f\x7f-\x9f\p{Cs}\p{Noncharacter_Code_Point}]/gu;

const TWO = (number: number): string => String(number).padStart(2, "0");

export function exported(format: Format, timeline: Timeline, events: TimelineEvent[], title: string, locale: string): string {
  const shown = { ...timeline, events };
  if (format === "json") return toJsonString(TimelineSchema, shown, { prettySpaces: 2 });
  if (format === "md") return markdown(events, title, locale);
  if (format === "ics") return calendar(events, title);
  return picture(events, title, locale);
}

/** Hand a file to the user. */
export function download(name: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A text as a file can hold it: one kind of line end, no control characters and no halves of characters. */
function clean(text: string): string {
  return text.replace(LINE_ENDS, "\n").replace(UNFIT, "");
}

function oneLine(text: string): string {
  return clean(text).replace(/\s+/g, " ");
}

function markdown(events: TimelineEvent[], title: string, locale: string): string {
  const cell = (text: string): string => oneLine(text).replace(/[\\`*_[\]<>#|]/g, "\\$&");
  const rows = events.map((event) => `| ${cell(dateLabel(event, locale))} | ${cell(event.text)} | ${cell(sourcesOf(event))} |`);
  return [`# ${cell(title)}`, "", "| | | |", "|---|---|---|", ...rows, ""].join("\n");
}

function sourcesOf(event: TimelineEvent): string {
  return [...new Set(event.sources.map((source) => source.documentId))].join(", ");
}

/** Events that are known to the day, as those of a calendar. */
function calendar(events: TimelineEvent[], title: string): string {
  const entries = events.filter((event) => event.start?.day && event.start.year > 0).flatMap((event, n) => [
    "BEGIN:VEVENT",
    `UID:${n}-${escaped(event.eventId)}@parley`,
    `DTSTAMP:${new Date().toISOString().replace(/[-:]|\.\d+/g, "")}`,
    `DTSTART;VALUE=DATE:${stamp(event.start)}`,
    ...(event.end?.day ? [`DTEND;VALUE=DATE:${stamp(event.end, 1)}`] : []),
    `SUMMARY:${escaped(event.text)}`,
    `DESCRIPTION:${escaped(sourcesOf(event))}`,
    "END:VEVENT",
  ]);
  const lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Parley//Timeline//EN", `X-WR-CALNAME:${escaped(title)}`, ...entries, "END:VCALENDAR"];
  return lines.map(folded).join("\r\n") + "\r\n";
}

function stamp(date: PartialDate | undefined, later = 0): string {
  const day = new Date(Date.UTC(date?.year ?? 0, (date?.month ?? 1) - 1, (date?.day ?? 1) + later));
  return `${String(day.getUTCFullYear()).padStart(4, "0")}${TWO(day.getUTCMonth() + 1)}${TWO(day.getUTCDate())}`;
}

function escaped(text: string): string {
  return clean(text).replace(/[\\;,]/g, "\\$&").replace(/\n/g, "\\n");
}

/** Lines of a calendar have at most 75 bytes. */
function folded(line: string): string {
  const encoder = new TextEncoder();
  let [result, size] = ["", 0];
  for (const sign of line) {
    const bytes = encoder.encode(sign).length;
    if (size + bytes > 73) [result, size] = [`${result}\r\n `, 1];
    result += sign;
    size += bytes;
  }
  return result;
}

function picture(events: TimelineEvent[], title: string, locale: string): string {
  const width = 880;
  const rows = events.map((event) => ({ date: dateLabel(event, locale), lines: wrapped(event.text, 92), key: event.highlights.length > 0 }));
  let y = 76;
  const drawn = rows.map(({ date, lines, key }) => {
    const top = y;
    y += 20 * lines.length + 16;
    const words = lines.map((line, n) => `<tspan x="220" y="${top + 20 * n}">${markup(line)}</tspan>`).join("");
    return `<circle cx="196" cy="${top - 5}" r="${key ? 6 : 4}" class="${key ? "key" : "dot"}"/><text x="176" y="${top}" text-anchor="end" class="date">${markup(date)}</text><text${key ? ' class="strong"' : ""}>${words}</text>`;
  });
  const style = "text{font:14px system-ui,sans-serif;fill:#222}.date{fill:#14524f}.strong{font-weight:600}.line{stroke:#bbb}.dot{fill:#fff;stroke:#14524f;stroke-width:2}.key{fill:#14524f}";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" role="img"><title>${markup(title)}</title><style>${style}</style><rect width="100%" height="100%" fill="#fff"/><text x="24" y="34" class="strong">${markup(title)}</text><path class="line" d="M196,56V${y - 20}"/>${drawn.join("")}</svg>\n`;
}

function wrapped(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of oneLine(text).split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function markup(text: string): string {
  return oneLine(text).replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
