// CommonMark as it occurs in answers and documents, drawn as elements: text never becomes HTML.
// Headings, paragraphs, lists, tables, code, quotations; emphasis, code, links. HTML in a text stays text.

import type { ComponentChildren, VNode } from "preact";
import { CITE, CITE_END, MARK, MARK_END, withoutMarks } from "./tokens";

export type DrawCitation = (sentence: number, number: number) => VNode | null;

interface Context {
  cite: DrawCitation;
  marking: boolean;
  key: number;
  foot: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^`]*)$/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const RULE = /^ {0,3}([-*_])(\s*\1){2,}\s*$/;
const DELIMITER = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;
const CITES = new RegExp(`${CITE}\\d+:\\d+${CITE_END}`, "g");

/** Draw a text. Marks of citations are drawn by `cite`; words between marks are marked. */
export function Markdown({ text, cite = () => null }: { text: string; cite?: DrawCitation }): VNode {
  const context: Context = { cite, marking: false, key: 0, foot: "" };
  return <>{blocks(text.split("\n"), context)}</>;
}

/** A text as it is, with its line breaks and marks. */
export function PlainText({ text }: { text: string }): VNode {
  const context: Context = { cite: () => null, marking: false, key: 0, foot: "" };
  return <p class="verbatim">{leaf(text, context)}</p>;
}

function blocks(lines: string[], context: Context): ComponentChildren[] {
  const drawn: ComponentChildren[] = [];
  let at = 0;
  while (at < lines.length) {
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

function block(lines: string[], at: number, line: string, bare: string, context: Context): [ComponentChildren, number] {
  const fence = FENCE.exec(bare);
  if (fence) return code(lines, at, fence[1] ?? "", fence[2] ?? "", context);
  const heading = HEADING.exec(line);
  if (heading && HEADING.test(bare)) return [draw(`h${Math.min(6, (heading[1] ?? "").length + 2)}`, inline(heading[2] ?? "", context), context), at + 1];
  if (RULE.test(bare)) return [<hr key={context.key++} />, at + 1];
  if (bare.includes("|") && DELIMITER.test(withoutMarks(lines[at + 1] ?? "")) && (lines[at + 1] ?? "").includes("-")) return table(lines, at, at + 2, context);
  if (isRow(line) && isRow(lines[at + 1] ?? "")) return table(lines, at, at + 1, context);
  if (ITEM.test(line)) return list(lines, at, context);
  if (/^ {0,3}>/.test(bare)) return quotation(lines, at, context);
  return paragraph(lines, at, context);
}

function code(lines: string[], at: number, fence: string, language: string, context: Context): [ComponentChildren, number] {
  const rest: string[] = [];
  let cites = (lines[at] ?? "").match(CITES) ?? [];
  let next = at + 1;
  for (; next < lines.length; next++) {
    const line = lines[next] ?? "";
    cites = [...cites, ...(line.match(CITES) ?? [])] as RegExpMatchArray;
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
  return /^\s*\|.+\|\s*$/.test(line.replace(CITES, ""));
}

function table(lines: string[], at: number, body: number, context: Context): [ComponentChildren, number] {
  const head = cells(lines[at] ?? "");
  const rows: string[][] = [];
  let next = body;
  for (; next < lines.length && (lines[next] ?? "").includes("|") && (lines[next] ?? "").trim(); next++) rows.push(cells(lines[next] ?? ""));
  const width = Math.max(head.length, ...rows.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, n) => n);
  const drawn = (
    <div class="table" key={context.key++} tabIndex={0}>
      <table>
        <thead><tr>{columns.map((n) => <th key={n} scope="col">{inline(head[n] ?? "", context)}</th>)}</tr></thead>
        <tbody>{rows.map((row, r) => <tr key={r}>{columns.map((n) => <td key={n}>{inline(row[n] ?? "", context)}</td>)}</tr>)}</tbody>
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
  for (; next < lines.length; next++) {
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
  const drawn = items.map((item, n) => <li key={n}>{tight(blocks(item, context))}</li>);
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
  return [<blockquote key={context.key++}>{blocks(quoted, context)}</blockquote>, next];
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

const INLINE =
  /(?<escape>\\[!-/:-@[-`{-~])|(?<ticks>`+)(?<code>[\s\S]*?[^`])\k<ticks>(?!`)|\[(?<label>[^[\]]*)\]\((?<target>[^()\s]+)(?:\s+"[^"]*")?\)|(?<auto>https?:\/\/[^\s<>()\uE000-\uE003]*[^\s<>().,;:!?'"\uE000-\uE003])|(?<strong>\*\*|__)(?=\S)(?<bold>[\s\S]*?\S)\k<strong>|(?<![\w*])\*(?=[^\s*])(?<italic>[^*]*?[^\s*])\*(?!\w)|(?<![\w_])_(?=[^\s_])(?<under>[^_]*?[^\s_])_(?!\w)|~~(?<struck>[^~]+)~~/;

function inline(text: string, context: Context): ComponentChildren[] {
  const drawn: ComponentChildren[] = [];
  let rest = text;
  while (rest) {
    const match = INLINE.exec(rest);
    if (!match) break;
    if (match.index) drawn.push(...leaf(rest.slice(0, match.index), context));
    drawn.push(...emphasised(match, context));
    rest = rest.slice(match.index + match[0].length);
  }
  if (rest) drawn.push(...leaf(rest, context));
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
  for (const part of text.split(/(\uE000\d+:\d+\uE001|\uE002|\uE003)/)) {
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
