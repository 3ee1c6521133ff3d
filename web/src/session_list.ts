// The list of the user's conversations, and what they are called: the titles that the gateway stores.

import type { Session } from "@gen/gateway/v1/session_pb.js";
import { sessions } from "./api";
import { Store } from "./store";

export const PAGE_SIZE = 100;
export const LONGEST_TITLE = 200;

export const sessionList = new Store<Session[]>([]);

/** What a conversation is called: its title, or else its first question. */
export function nameOf(session: Session): string {
  return session.title || session.firstQuestion;
}

/** Conversations by the day of their latest turn, in the order of the list. */
export function byDay(listed: Session[], locale: string): [string, Session[]][] {
  const days = new Map<string, Session[]>();
  for (const session of listed) {
    const turn = new Date(Number(session.updatedAt?.seconds ?? 0) * 1000);
    const day = turn.toLocaleDateString(locale, { day: "numeric", month: "long", year: "numeric" });
    days.set(day, [...(days.get(day) ?? []), session]);
  }
  return [...days];
}

/** Read the list of the user's conversations anew. */
export async function listSessions(): Promise<void> {
  try {
    sessionList.value = (await sessions.listSessions({ pageSize: PAGE_SIZE })).sessions;
  } catch {
    sessionList.value = []; // the conversation itself says why nothing can be reached
  }
}

/** Give a conversation a title; an empty one takes it away. */
export async function renameSession(sessionId: string, title: string): Promise<void> {
  const { session } = await sessions.renameSession({ sessionId, title });
  if (session) sessionList.update((listed) => listed.map((each) => (each.sessionId === sessionId ? session : each)));
}
