// Sends files to be ingested, and follows what happens to them.

import { identity, identityHeaders } from "./api";

/** A part of a file that is not in its document. */
export interface Omission {
  reason: string;
  place: string;
  excerpt: string;
  characters: number;
}

export type UploadEvent =
  | { event: "reading"; name: string }
  | { event: "progress"; document_id: string; passages: number }
  | { event: "stored"; document_id: string; passages: number; status: "added" | "replaced" | "unchanged" | "empty" }
  | { event: "left_out"; document_id: string; summary: string; omissions: Omission[] }
  | { event: "skipped"; name: string; reason: string }
  | { event: "failed"; name: string; reason: string; code?: string; line?: number }
  | { event: "done"; name: string; documents: number; passages: number; failed: number; left_out?: string };

/** Yield what happens to a file. */
export async function* upload(file: File, collection: string, principals: string[], signal: AbortSignal): AsyncGenerator<UploadEvent> {
  const query = new URLSearchParams({ name: file.name, collection });
  for (const principal of principals) query.append("principal", principal);
  const headers = { ...identityHeaders(identity.value), "content-type": "application/octet-stream" };
  const response = await fetch(`./upload?${query}`, { method: "POST", headers, body: file, signal });
  let rest = "";
  for await (const part of texts(response)) {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim()) yield JSON.parse(line) as UploadEvent;
  }
  if (rest.trim()) yield parsed(rest, file.name, response.status);
}

function parsed(text: string, name: string, status: number): UploadEvent {
  try {
    return JSON.parse(text) as UploadEvent;
  } catch {
    return { event: "failed", name, reason: `HTTP ${status}: ${text.slice(0, 200)}` };
  }
}

async function* texts(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
