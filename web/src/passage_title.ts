// What a passage is called: its document, and the headings above it.

import type { Passage } from "@gen/context/v1/evidence_pb.js";
import type { Translation } from "./i18n";

export function titleOf(passage: Passage): string {
  const title = passage.title || passage.documentId;
  return [title, ...headingsOf(passage)].join(" › ");
}

/** Where words stand in their document: the cells of a sheet, else the page; empty if it has neither. */
export function placeOf(passage: Passage, cells: string, t: Translation): string {
  return cells || passage.cells || (passage.page ? t("page", { n: passage.page }) : "");
}

/** The headings above a passage, without one that is the document's title again. */
export function headingsOf(passage: Passage): string[] {
  return passage.headings.filter((heading, n) => n > 0 || heading !== passage.title);
}
