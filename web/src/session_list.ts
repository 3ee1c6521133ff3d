// The list of the user's conversations, and what they are called: the titles that the gateway stores.

import type { Session } from "@gen/gateway/v1/session_pb.js";
import { sessions } from "./api";
import { kept, Store } from "./store";

type Names = Record<string, string>;

export const PAGE_SIZE = 100;
export const LONGEST_TITLE = 200;

export const sessionList = new Store<Session[]>([]);
/** Names by session that an earlier version of this page kept in the browser, until the gateway has them. */
const olderNames = kept<Names | null>(localStorage, "parley.titles", null);

/** What a conversation is called: its title, or else its first question. */
export function nameOf(session: Session): string {
  return session.title || session.firstQuestion;
}

/** Read the list of the user's conversations anew. */
export async function listSessions(): Promise<void> {
  try {
    sessionList.value = (await sessions.listSessions({ pageSize: PAGE_SIZE })).sessions;
  } catch {
    sessionList.value = []; // the conversation itself says why nothing can be reached
  }
  await moveOlderNames();
}

/** Give a conversation a title; an empty one takes it away. */
export async function renameSession(sessionId: string, title: string): Promise<void> {
  const { session } = await sessions.renameSession({ sessionId, title });
  if (session) sessionList.update((listed) => listed.map((each) => (each.sessionId === sessionId ? session : each)));
}

/** Give the gateway the older names of the conversations that are listed, each once. A title that is there stays. */
async function moveOlderNames(): Promise<void> {
  for (const session of sessionList.value) {
    const name = olderNames.value?.[session.sessionId];
    if (name === undefined || !session.firstQuestion) continue; // a gateway of an earlier version holds no titles
    forgetOlderName(session.sessionId);
    if (!name || session.title || name === session.firstQuestion) continue;
    try {
      await renameSession(session.sessionId, name);
    } catch {
      olderNames.update((names) => ({ ...names, [session.sessionId]: name })); // for the next listing
    }
  }
}

export function forgetOlderName(session: string): void {
  olderNames.update((names) => {
    const { [session]: _, ...rest } = names ?? {};
    return Object.keys(rest).length ? rest : null;
  });
}
