// Marks within a text that its renderer turns into something else: citations, and words that are marked.
// They are characters of the private use area, which texts do not contain: `plain` removes those that do.

export const CITE = "\uE000";
export const CITE_END = "\uE001";
export const MARK = "\uE002";
export const MARK_END = "\uE003";

/** A text without characters that could be taken for marks. */
export function plain(text: string): string {
  return text.replace(/[\uE000-\uE003]/g, "");
}

/** The mark of a citation: the sentence that it belongs to (0: not known), and the number that it shows. */
export function cite(sentence: number, number: number): string {
  return `${CITE}${sentence}:${number}${CITE_END}`;
}

/** A text without marks; those of citations in the text's own words become those words again. */
export function withoutMarks(text: string): string {
  return text.replace(/\uE000(\d+):(\d+)\uE001/g, (_, __, number) => `[${number}]`).replace(/[\uE002\uE003]/g, "");
}

/** The part of a text between two code points, as the suite counts positions. */
export function codePoints(text: string, start: number, end = Infinity): string {
  const from = unitOf(text, start);
  return text.slice(from, unitOf(text, end - start, from));
}

/** Where a text goes on, `count` code points behind a place in it. */
function unitOf(text: string, count: number, from = 0): number {
  let at = from;
  for (let left = count; left > 0 && at < text.length; left--) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}
