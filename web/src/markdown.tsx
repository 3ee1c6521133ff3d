// CommonMark as it occurs in answers and documents, drawn as elements: text never becomes HTML.
// Headings, paragraphs, lists, tables, code, quotations; emphasis, code, links. HTML in a text stays text.
// However long or nested a text is, time grows with its length alone, and past two limits it is drawn as it is written.

import type { ComponentChildren, VNode } from "preact";
import { CITE, CITE_END, MARK, MARK_END, withoutMarks } from "./tokens";

export type DrawCitation = (sentence: number, number: number) => VNode | null;

interface Context {
  cite: DrawCitation;
  marking: boolean;
  /** The key of the next element, and so the number of those that are drawn. */
  key: number;
  /** Elements around the text that is being drawn. */
  depth: number;
}

const MOST_ELEMENTS = 20_000; // a browser lays them out within half a second
const DEEPEST = 16;

const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;
const HEADING = /^ {0,3}(#{1,6})\s(.*)$/s;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/s;
const RULE = /^ {0,3}([-*_])(\s*\1){2,}\s*$/;
const CITES = new RegExp(`${CITE}\\d+:\\d+${CITE_END}`, "g");

/** Draw a text. Marks of citations are drawn by `cite`; words between marks are marked. */
export function Markdown({ text, cite = () => null }: { text: string; cite?: DrawCitation }): VNode {
  const context: Context = { cite, marking: false, key: 0, depth: 0 };
  return <>{blocks(text.split("\n"), context)}</>;
}

/** A text as it is, with its line breaks and marks. */
export function PlainText({ text }: { text: string }): VNode {
  return verbatim([text], { cite: () => null, marking: false, key: 0, depth: 0 });
}

function isFull(context: Context): boolean {
  return context.key >= MOST_ELEMENTS;
}

/** The blocks of lines within another block, or the lines as they are. */
function inner(lines: string[], context: Context): ComponentChildren[] {
  context.depth += 1;
  const drawn = blocks(lines, context);
  context.depth -= 1;
  return drawn;
}

function blocks(lines: string[], context: Context): ComponentChildren[] {
  const drawn: ComponentChildren[] = [];
  let at = 0;
  while (at < lines.length) {
    if (isFull(context) || context.depth > DEEPEST) return [...drawn, verbatim(lines.slice(at), context)];
    const line = lines[at] ?? "";
    const bare = withoutMarks(line);
    if (!bare.trim()) {
      at += 1;
      continue;
    }
    const [node, next] = block(lines, at, line, bare, context);
    drawn.push(node);
    at = Math.max(next, at + 1);
  }
  return drawn;
}

function verbatim(lines: string[], context: Context): VNode {
  return <p key={context.key++} class="verbatim">{leaf(lines.join("\n"), context)}</p>;
}

function block(lines: string[], at: number, line: string, bare: string, context: Context): [ComponentChildren, number] {
  const fence = FENCE.exec(bare);
  if (fence) return code(lines, at, fence[1] ?? "", fence[2] ?? "", context);
  const heading = HEADING.exec(line);
  if (heading && HEADING.test(bare)) return [draw(`h${Math.min(6, (heading[1] ?? "").length + 2)}`, inline(titleOf(heading[2] ?? ""), context), context), at + 1];
  if (RULE.test(bare)) return [<hr key={context.key++} />, at + 1];
  if (bare.includes("|") && isDelimiter(withoutMarks(lines[at + 1] ?? ""))) return table(lines, at, at + 2, context);
  if (isRow(line) && isRow(lines[at + 1] ?? "")) return table(lines, at, at + 1, context);
  if (ITEM.test(line)) return list(lines, at, context);
  if (/^ {0,3}>/.test(bare)) return quotation(lines, at, context);
  return paragraph(lines, at, context);
}

/** The words of a heading, without the signs that close it. */
function titleOf(text: string): string {
  const closed = text.trim();
  let end = closed.length;
  while (closed[end - 1] === "#") end -= 1;
  return closed.slice(0, end).trimEnd();
}

function code(lines: string[], at: number, fence: string, language: string, context: Context): [ComponentChildren, number] {
  const rest: string[] = [];
  const cites: string[] = (lines[at] ?? "").match(CITES) ?? [];
  let next = at + 1;
  for (; next < lines.length; next++) {
    const line = lines[next] ?? "";
    cites.push(...(line.match(CITES) ?? []));
    if (closes(line.replace(CITES, "").trim(), fence)) break;
    rest.push(line.replace(CITES, ""));
  }
  const label = language.trim() ? { "data-language": language.trim() } : {};
  const body = <pre key={context.key++} tabIndex={0} {...label}><code>{leaf(rest.join("\n"), context)}</code></pre>;
  const foot = cites.length ? <p key={context.key++} class="cites-below">{inline(cites.join(""), context)}</p> : null;
  return [[body, foot], next + 1];
}

function closes(line: string, fence: string): boolean {
  return line.startsWith(fence) && [...line].every((sign) => sign === fence[0]);
}

/** Whether a line is a row between bars: a model may forget the line below the head. */
function isRow(line: string): boolean {
  const row = line.replace(CITES, "").trim();
  return row.length > 2 && row.startsWith("|") && row.endsWith("|");
}

/** Whether a line is the one below the head of a table. */
function isDelimiter(line: string): boolean {
  return cells(line).every((cell) => /^:?-+:?$/.test(cell));
}

function table(lines: string[], at: number, body: number, context: Context): [ComponentChildren, number] {
  const head = cells(lines[at] ?? "");
  const rows: string[][] = [];
  let next = body;
  let left = MOST_ELEMENTS - context.key - head.length;
  if (left < 0) return paragraph(lines, at, context);
  for (; next < lines.length && (lines[next] ?? "").includes("|"); next++) {
    const row = cells(lines[next] ?? "");
    if ((left -= 1 + row.length) < 0) break;
    rows.push(row);
  }
  const drawn = (
    <div class="table" key={context.key++} tabIndex={0}>
      <table>
        <thead><tr>{head.map((cell) => <th key={context.key++} scope="col">{inline(cell, context)}</th>)}</tr></thead>
        <tbody>{rows.map((row) => <tr key={context.key++}>{row.map((cell) => <td key={context.key++}>{inline(cell, context)}</td>)}</tr>)}</tbody>
      </table>
    </div>
  );
  return [drawn, next];
}

function cells(line: string): string[] {
  const text = line.trim().replace(/^\|/, "").replace(/\|(?=[^|]*$)(?=(?:\s|\uE000\d+:\d+\uE001)*$)/, "");
  return text.split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/\\\|/g, "|"));
}

function list(lines: string[], at: number, context: Context): [ComponentChildren, number] {
  const first = ITEM.exec(lines[at] ?? "");
  const indent = (first?.[1] ?? "").length;
  const ordered = /\d/.test(first?.[2] ?? "");
  const items: string[][] = [];
  let next = at;
  for (; next < lines.length && context.key + items.length < MOST_ELEMENTS; next++) {
    const line = lines[next] ?? "";
    const item = ITEM.exec(line);
    const here = item ? (item[1] ?? "").length : 0;
    if (item && here <= indent + 1) {
      if (here < indent || /\d/.test(item[2] ?? "") !== ordered) break;
      items.push([item[3] ?? ""]);
    } else if (!withoutMarks(line).trim()) {
      const after = lines[next + 1] ?? "";
      if (!ITEM.test(after) && !/^\s{2,}\S/.test(after)) break;
      items.at(-1)?.push("");
    } else if (item || /^\s{2,}/.test(line) || withoutMarks(lines[next - 1] ?? "").trim()) {
      if (!item && !/^\s/.test(line) && (HEADING.test(line) || FENCE.test(line))) break;
      items.at(-1)?.push(line.slice(Math.min(indent + 2, line.length - line.trimStart().length)));
    } else break;
  }
  const drawn = items.map((item) => <li key={context.key++}>{tight(inner(item, context))}</li>);
  const start = parseInt(first?.[2] ?? "1", 10);
  return [ordered ? <ol key={context.key++} start={start}>{drawn}</ol> : <ul key={context.key++}>{drawn}</ul>, next];
}

/** An item of one paragraph shows its text alone. */
function tight(drawn: ComponentChildren[]): ComponentChildren {
  return drawn.map((node) => (isVNode(node) && node.type === "p" ? node.props.children : node));
}

function isVNode(node: ComponentChildren): node is VNode<{ children: ComponentChildren }> {
  return typeof node === "object" && node !== null && "type" in node;
}

function quotation(lines: string[], at: number, context: Context): [ComponentChildren, number] {
  const quoted: string[] = [];
  let next = at;
  for (; next < lines.length && (lines[next] ?? "").trim(); next++) quoted.push((lines[next] ?? "").replace(/^ {0,3}> ?/, ""));
  return [<blockquote key={context.key++}>{inner(quoted, context)}</blockquote>, next];
}

function paragraph(lines: string[], at: number, context: Context): [ComponentChildren, number] {
  const words: string[] = [];
  let next = at;
  for (; next < lines.length; next++) {
    const line = lines[next] ?? "";
    const bare = withoutMarks(line);
    if (!bare.trim() || (next > at && (FENCE.test(bare) || HEADING.test(bare) || /^ {0,3}>/.test(bare) || /^ {0,3}[-*+]\s/.test(bare)))) break;
    words.push(line.trimStart());
  }
  return [<p key={context.key++}>{inline(words.join("\n"), context)}</p>, next];
}

function draw(tag: string, children: ComponentChildren, context: Context): VNode {
  const Tag = tag as "h3";
  return <Tag key={context.key++}>{children}</Tag>;
}

// The end of what is emphasised, a link or code is searched for within a thousand characters, so that time stays linear.
const INLINE =
  /(?<escape>\\[!-/:-@[-`{-~])|(?<!`)(?<ticks>`{1,9})(?!`)(?<code>[\s\S]{0,1000}?[^`])\k<ticks>(?!`)|\[(?<label>[^[\]]{0,1000})\]\((?<target>[^()\s]{1,1000})(?:\s"[^"]{0,1000}")?\)|(?<auto>https?:\/\/[^\s<>()\uE000-\uE003]{0,1000}[^\s<>().,;:!?'"\uE000-\uE003])|(?<strong>\*\*|__)(?=\S)(?<bold>[\s\S]{0,1000}?\S)\k<strong>|(?<![\w*])\*(?=[^\s*])(?<italic>[^*]{0,1000}?[^\s*])\*(?!\w)|(?<![\w_])_(?=[^\s_])(?<under>[^_]{0,1000}?[^\s_])_(?!\w)|~~(?<struck>[^~]{1,1000})~~/g;

function inline(text: string, context: Context): ComponentChildren[] {
  const drawn: ComponentChildren[] = [];
  context.depth += 1;
  let at = 0;
  for (const match of context.depth > DEEPEST ? [] : text.matchAll(INLINE)) {
    if (isFull(context)) break;
    if (match.index > at) drawn.push(...leaf(text.slice(at, match.index), context));
    drawn.push(...emphasised(match, context));
    at = match.index + match[0].length;
  }
  context.depth -= 1;
  if (at < text.length) drawn.push(...leaf(text.slice(at), context));
  return drawn;
}

function emphasised(match: RegExpExecArray, context: Context): ComponentChildren[] {
  const { escape, code, label, target, auto, bold, italic, under, struck } = match.groups ?? {};
  if (escape) return leaf(escape.slice(1), context);
  if (code !== undefined) return [<code key={context.key++}>{leaf(code, context)}</code>];
  if (target !== undefined) return link(target, inline(label ?? "", context), match[0], context);
  if (auto) return link(auto, leaf(auto, context), auto, context);
  if (bold) return [<strong key={context.key++}>{inline(bold, context)}</strong>];
  if (struck) return [<del key={context.key++}>{inline(struck, context)}</del>];
  return [<em key={context.key++}>{inline(italic ?? under ?? "", context)}</em>];
}

/** A link, to the web or a mail alone: others stay text. */
function link(target: string, children: ComponentChildren[], text: string, context: Context): ComponentChildren[] {
  const address = withoutMarks(target);
  if (!/^(https?:\/\/|mailto:)/i.test(address)) return leaf(text, context);
  return [<a key={context.key++} href={address} target="_blank" rel="noopener noreferrer">{children}</a>];
}

/** Text with its marks drawn. */
function leaf(text: string, context: Context): ComponentChildren[] {
  const drawn: ComponentChildren[] = [];
  const shown = isFull(context) ? text.replace(CITES, withoutMarks) : text;
  for (const part of shown.split(/(\uE000\d+:\d+\uE001|\uE002|\uE003)/)) {
    if (part === MARK) context.marking = true;
    else if (part === MARK_END) context.marking = false;
    else if (part.startsWith(CITE)) {
      const [sentence, number] = part.slice(1, -1).split(":").map(Number);
      drawn.push(<CitePlace key={context.key++}>{context.cite(sentence ?? 0, number ?? 0)}</CitePlace>);
    } else if (part) drawn.push(context.marking ? <mark key={context.key++}>{part}</mark> : part);
  }
  return drawn;
}

/** A citation stays on the line of the word before it. */
function CitePlace({ children }: { children: ComponentChildren }): VNode {
  return <>{"\u2060"}{children}</>;
}
