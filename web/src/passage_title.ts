// What a passage is called: its document, and the headings above it.

import type { Passage } from "@gen/context/v1/evidence_pb.js";

export function titleOf(passage: Passage): string {
  const title = passage.title || passage.documentId;
  return [title, ...headingsOf(passage)].join(" › ");
}

/** The headings above a passage, without one that is the document's title again. */
export function headingsOf(passage: Passage): string[] {
  return passage.headings.filter((heading, n) => n > 0 || heading !== passage.title);
}
