// Answers and documents are drawn as they are written, and nothing of them becomes HTML.

import { h, type VNode } from "preact";
import { expect, test } from "vitest";
import { Markdown, PlainText } from "../src/markdown";
import { cite, MARK, MARK_END, plain } from "../src/tokens";

/** The drawn elements as text: `<b>` for an element, with the attributes that matter. */
function drawn(node: unknown): string {
  if (Array.isArray(node)) return node.map(drawn).join("");
  if (node === null || node === undefined || typeof node === "boolean") return "";
  if (typeof node !== "object") return String(node).replace(/\u2060/g, "");
  const { type, props } = node as VNode<Record<string, unknown>>;
  if (typeof type === "function") return drawn((type as (props: unknown) => unknown)(props));
  if (!type) return drawn(props.children);
  const extra = props.href ?? props["data-language"];
  const href = extra ? ` ${String(extra)}` : "";
  return `<${type}${href}>${drawn(props.children)}</${type}>`;
}

const show = (text: string): string => drawn(h(Markdown, { text, cite: (sentence, number) => h("i", null, `${sentence}/${number}`) }));

test.each([
  ["plain", "One.\nTwo.", "<p>One.\nTwo.</p>"],
  ["paragraphs", "One.\n\nTwo.", "<p>One.</p><p>Two.</p>"],
  ["emphasis", "**bold** *slanted* ~~gone~~ `code`", "<p><strong>bold</strong> <em>slanted</em> <del>gone</del> <code>code</code></p>"],
  ["words with underscores and stars", "snake_case_name, 2 * 3 * 4", "<p>snake_case_name, 2 * 3 * 4</p>"],
  ["an escape", "\\*not slanted\\*", "<p>*not slanted*</p>"],
  ["heading", "## Title", "<h4>Title</h4>"],
  ["list", "- one\n- two\n  - deeper", "<ul><li>one</li><li>two<ul><li>deeper</li></ul></li></ul>"],
  ["numbers", "3. one\n4. two", "<ol><li>one</li><li>two</li></ol>"],
  ["code", "```python\na < b  # [1]\n```", "<pre python><code>a < b  # [1]</code></pre>"],
  ["open code", "```\nstill being written", "<pre><code>still being written</code></pre>"],
  ["quotation", "> said", "<blockquote><p>said</p></blockquote>"],
  ["link", "[here](https://example.org/a_b)", "<p><a https://example.org/a_b>here</a></p>"],
  ["address", "See https://example.org/x.", "<p>See <a https://example.org/x>https://example.org/x</a>.</p>"],
])("%s", (_, text, expected) => expect(show(text)).toBe(expected));

test("a table", () => {
  expect(show("| a | b |\n|---|:-:|\n| 1 | `x|` \\| 2 |")).toContain("<th>a</th><th>b</th>");
  expect(show(`| a | b |${cite(1, 1)}\n| 1 | 2 |`)).toContain("<td>1</td><td>2</td>");
  expect(show("a | b\n--|--\n1 | 2")).toContain("<td>1</td><td>2</td>");
});

test("a citation is drawn where it stands, in a cell and below code", () => {
  expect(show(`A sentence.${cite(3, 1)} Next.`)).toBe("<p>A sentence.<i>3/1</i> Next.</p>");
  expect(show(`**Bold.**${cite(2, 1)}`)).toBe("<p><strong>Bold.</strong><i>2/1</i></p>");
  expect(show(`| a | b |\n|---|---|\n| 1 | 2${cite(4, 2)} |`)).toContain("<td>2<i>4/2</i></td>");
  expect(show(`\`\`\`\nx = 1\n\`\`\`${cite(5, 1)}`)).toBe("<pre><code>x = 1</code></pre><p><i>5/1</i></p>");
});

test.each(["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))", "[x](data:text/html,a)", "[x](JaVaScRiPt:alert)"])(
  "%s stays text",
  (text) => {
    expect(show(text)).toBe(`<p>${text}</p>`);
  },
);

test("marked words are the same, whatever surrounds them", () => {
  const marked = show(`# One\n\nTwo ${MARK}three\n\n- four **five${MARK_END} six**`);
  expect([...marked.matchAll(/<mark>(.*?)<\/mark>/g)].map((match) => match[1]).join("|")).toBe("three|four |five");
  expect(drawn(h(PlainText, { text: `a ${MARK}b\nc${MARK_END} d` }))).toBe("<p>a <mark>b\nc</mark> d</p>");
});

test("characters that could be taken for marks are removed", () => {
  expect(plain(`a${cite(1, 1)}b${MARK}`)).toBe("a1:1b");
});

test("no text takes long or is lost", () => {
  const pieces = ["**", "_", "`", "[", "](", "|", "\n", "- ", "> ", "```", "word ", "~~", "* ", "1. ", "#"];
  let seed = 7;
  const random = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let round = 0; round < 400; round++) {
    const text = Array.from({ length: 60 }, () => pieces[Math.floor(random() * pieces.length)]).join("");
    const words = (text.match(/word/g) ?? []).length;
    const start = performance.now();
    expect((show(text).match(/word/g) ?? []).length).toBe(words);
    expect(performance.now() - start).toBeLessThan(200);
  }
});

const repeated = (unit: string, length = 80_000): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
const deep = (mark: string): string => Array.from({ length: 400 }, (_, n) => `${" ".repeat(2 * n)}${mark} a`).join("\n");
const HOSTILE: Record<string, string> = {
  "bold that never ends": repeated("**a "), "underscores": repeated("__a "), "emphasis": repeated("*a **b _c "), "ticks": "`".repeat(40_000) + "a",
  "ticks of each length": Array.from({ length: 390 }, (_, n) => "`".repeat(n + 1)).join("a "), "brackets": repeated("[a]("), "open brackets": repeated("["),
  "tildes": repeated("~~a"), "addresses": repeated("https://a"), "addresses of stops": repeated("https://."), "titles": repeated('[a](b "'), "escapes": repeated("\\*"),
  "quotations": repeated(">"), "quotation marks apart": repeated("> "), "a thousand quotations": `${"> ".repeat(1000)}a`, "quotations of each depth": Array.from({ length: 390 }, (_, n) => `${">".repeat(n)} a`).join("\n"),
  "lists": repeated("- "), "numbers": repeated("1. "), "a deep list": deep("-"), "deep numbers": deep("1."), "items": repeated("- a\n"), "empty items": repeated("-\n\n- \n"),
  "cells": repeated("a|"), "rows": repeated("|a|\n"), "a wide row above many": `${repeated("a|", 40_000)}\n${repeated("-|", 40_000)}\n${repeated("|a|\n", 40_000)}`, "delimiters": repeated("|-"), "cells below no head": `a|b\n${repeated("|-", 80_000)}x`,
  "spaces": `${repeated(" ")}x`, "spaces in a heading": `# a${repeated(" ")}x`, "signs in a heading": `# ${repeated("# ")}x`, "signs behind a heading": `# ${repeated("#")}x`, "spaces in a rule": `- -${repeated(" ")}x`,
  "spaces behind a fence": `\`\`\`${repeated(" ")}\``, "spaces behind a row": `a|b\n${repeated(" ")}x`, "spaces behind dashes": `a|b\n--${repeated(" ")}x`, "spaces in an item": `- ${repeated(" ")}\u2028x`,
  "rules": repeated("- - "), "blank lines": repeated("a\n\n"), "fences": repeated("```\na\n"), "headings": repeated("# a\n"), "citations": repeated(cite(1, 1)), "citations in code": `\`\`\`\n${repeated(`a${cite(1, 1)}\n`)}`, "tabs": repeated("\t"), "mixed": repeated("> - **[`a`](b) | ~~c\n"),
};
const MOST = 30_000;
const DEEPEST = 60;

test.each(Object.entries(HOSTILE))("the drawing of %s is bounded and linear", (_, text) => {
  const time = (part: string): number => {
    const start = performance.now();
    show(part);
    return performance.now() - start;
  };
  time(text.slice(0, 10_000));
  expect(time(text)).toBeLessThan(1_000); // without bounds 2,200 to more than 15,000
  const tags = [...show(text).matchAll(/<(\/?)(?=[a-z])/g)].map((tag) => (tag[1] ? -1 : 1));
  let depth = 0;
  expect(Math.max(0, ...tags.slice(0, 100_000).map((step) => (depth += step)))).toBeLessThan(DEEPEST);
  expect(tags.length / 2).toBeLessThan(MOST);
});

test("what is not drawn as markup is there as text", () => {
  expect(show(`${"> ".repeat(1000)}the end`)).toContain("the end");
  expect(show(`${deep("-")} the end`)).toContain("the end");
  expect(show(`${repeated("- **a** `b`\n", 600_000)}\n\nthe end`)).toContain("the end");
  expect(show(`${repeated("|a|b|\n", 600_000)}\n\nthe ${MARK}end${MARK_END}`)).toContain("the <mark>end</mark>");
  expect(show(repeated("**a** ", 600_000)).match(/a/g)?.length).toBe(100_000);
});
