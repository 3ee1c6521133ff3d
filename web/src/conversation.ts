// The conversation of the page: asks, follows a turn's stream through broken connections, and opens stored sessions.

import { create } from "@bufbuild/protobuf";
import { BudgetSchema, Length } from "@gen/answer/v1/answer_pb.js";
import { Strategy } from "@gen/context/v1/query_pb.js";
import { Outcome } from "@gen/context/v1/session_pb.js";
import type { Event } from "@gen/gateway/v1/event_pb.js";
import { RequestOptionsSchema, type RequestOptions } from "@gen/gateway/v1/gateway_pb.js";
import { type Failure, failureOf, gateway, isBroken, isCancelled, isNotFound, sessions, unguessable } from "./api";
import { listSessions, PAGE_SIZE } from "./session_list";
import { kept, Store } from "./store";
import { apply, fromStored, newTurn, type Turn } from "./turn";

export interface Options {
  collection: string;
  strategy: Strategy;
  model: string;
  length: Length;
  web: boolean;
  pro: boolean;
  maxTokens: number;
}

export const DEFAULTS: Options = {
  collection: "", strategy: Strategy.UNSPECIFIED, model: "", length: Length.UNSPECIFIED, web: false, pro: false, maxTokens: 0,
};

export interface Conversation {
  /** The session; made up before its first question. */
  session: string;
  turns: Turn[];
  loading: boolean;
  failure: Failure | null;
}

/** What is needed to go on with a turn after the page was loaded anew. */
interface Running {
  session: string;
  turn: string;
  question: string;
}

const MOST_SECONDS = 600;
const PATIENCE_MS = 180_000;
const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 4_000;

export const options = kept<Options>(localStorage, "parley.options", DEFAULTS);
export const conversation = new Store<Conversation>(emptyConversation());
const running = kept<Running | null>(sessionStorage, "parley.running", null);
let following: AbortController | null = null;

function emptyConversation(): Conversation {
  return { session: "", turns: [], loading: false, failure: null };
}

export function isRunning(): boolean {
  return conversation.value.turns.at(-1)?.running ?? false;
}

/** Ask a question in the conversation that is open. */
export async function ask(question: string): Promise<void> {
  if (isRunning() || !question.trim()) return;
  const session = conversation.value.session || unguessable("s");
  const turn = newTurn(unguessable("k"), question);
  conversation.update((open) => ({ ...open, session, turns: [...open.turns, turn] }));
  if (location.hash !== `#/c/${session}`) history.pushState(null, "", `#/c/${session}`);
  const requestId = unguessable("r");
  const request = { question, sessionId: session, requestId, options: requestOptions(options.value) };
  await follow(session, turn, (signal) => gateway.ask(request, { signal, timeoutMs: MOST_SECONDS * 1000 }));
  await listSessions();
}

export function requestOptions(chosen: Options): RequestOptions {
  return create(RequestOptionsSchema, {
    collection: chosen.collection,
    strategy: chosen.strategy,
    answerModel: chosen.model,
    length: chosen.length,
    web: chosen.web,
    pro: chosen.pro,
    resumable: true,
    progress: true,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    budget: chosen.maxTokens ? create(BudgetSchema, { maxTokens: BigInt(chosen.maxTokens) }) : undefined,
  });
}

/** Stop the running turn; it is stored as cancelled. */
export async function stop(): Promise<void> {
  const turn = conversation.value.turns.at(-1);
  if (!turn?.running) return;
  try {
    if (turn.id) await gateway.cancel({ turnId: turn.id });
  } catch (error) {
    if (!isNotFound(error)) change(turn.key, (now) => ({ ...now, failure: failureOf(error) }));
  }
  following?.abort();
  change(turn.key, (now) => (now.running ? { ...now, running: false, activity: null, outcome: Outcome.CANCELLED } : now));
  running.value = null;
}

type Stream = AsyncIterable<{ event?: Event }>;

/** Read a turn to its end; a broken stream is resumed after the last event that came. */
async function follow(session: string, first: Turn, start: (signal: AbortSignal) => Stream): Promise<void> {
  following?.abort();
  const abort = (following = new AbortController());
  let open = start;
  let pause = FIRST_PAUSE_MS;
  let patience = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      for await (const response of open(abort.signal)) {
        if (response.event) take(session, first, response.event);
        [pause, patience] = [FIRST_PAUSE_MS, performance.now() + PATIENCE_MS];
      }
      finish(first.key);
      return;
    } catch (error) {
      if (abort.signal.aborted) return;
      if (!isBroken(error) || performance.now() > patience) return await fail(session, first.key, error);
      const turn = turnOf(first.key);
      if (!turn?.running) return finish(first.key);
      change(first.key, (now) => ({ ...now, waiting: true }));
      if (turn.id) open = (signal) => gateway.resume({ turnId: turn.id, afterSeq: turn.seq }, { signal, timeoutMs: MOST_SECONDS * 1000 });
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
  }
}

function take(session: string, first: Turn, event: Event): void {
  if (event.turnId && running.value?.turn !== event.turnId) running.value = { session, turn: event.turnId, question: first.question };
  change(first.key, (turn) => apply(turn, event));
  if (event.event.case === "completed") running.value = null;
}

function finish(key: string): void {
  running.value = null;
  change(key, (turn) => ({ ...turn, running: false, waiting: false, activity: null }));
}

async function fail(session: string, key: string, error: unknown): Promise<void> {
  running.value = null;
  const turn = turnOf(key);
  const ended = { running: false, waiting: false, activity: null };
  if (isCancelled(error)) return change(key, (now) => ({ ...now, ...ended, outcome: Outcome.CANCELLED }));
  if (isNotFound(error) && turn?.id && (await loadStored(session, key, turn.id))) return;
  change(key, (now) => ({ ...now, ...ended, failure: failureOf(error) }));
}

/** A turn that is too old to be resumed may be stored. */
async function loadStored(session: string, key: string, turnId: string): Promise<boolean> {
  try {
    const { turn } = await sessions.getTurn({ turnId });
    if (turn) change(key, () => fromStored(key, turn));
    return Boolean(turn) && session !== "";
  } catch {
    return false;
  }
}

function turnOf(key: string): Turn | undefined {
  return conversation.value.turns.find((turn) => turn.key === key);
}

function change(key: string, changed: (turn: Turn) => Turn): void {
  conversation.update((open) => ({ ...open, turns: open.turns.map((turn) => (turn.key === key ? changed(turn) : turn)) }));
}

/** Begin a conversation; its session is created by its first question. */
export function begin(): void {
  following?.abort();
  running.value = null;
  conversation.value = emptyConversation();
}

/** Open a stored conversation, and go on with a turn of it that was running when the page was left. */
export async function open(session: string): Promise<void> {
  if (conversation.value.session === session && !conversation.value.failure) return;
  following?.abort();
  conversation.value = { ...emptyConversation(), session, loading: true };
  const unfinished = running.value?.session === session ? running.value : null;
  try {
    const turns = await storedTurns(session, unfinished !== null);
    if (conversation.value.session !== session) return;
    conversation.value = { session, turns, loading: false, failure: null };
  } catch (error) {
    if (conversation.value.session === session) conversation.update((now) => ({ ...now, loading: false, failure: failureOf(error) }));
    return;
  }
  if (unfinished && !conversation.value.turns.some((turn) => turn.id === unfinished.turn)) resume(unfinished);
}

function resume(unfinished: Running): void {
  const turn = { ...newTurn(unguessable("k"), unfinished.question), id: unfinished.turn };
  conversation.update((now) => ({ ...now, turns: [...now.turns, turn] }));
  const request = { turnId: unfinished.turn, afterSeq: 0 };
  void follow(unfinished.session, turn, (signal) => gateway.resume(request, { signal, timeoutMs: MOST_SECONDS * 1000 })).then(listSessions);
}

async function storedTurns(session: string, mayBeNew: boolean): Promise<Turn[]> {
  const ids: string[] = [];
  try {
    for (let pageToken = ""; ; ) {
      const page = await sessions.listTurns({ sessionId: session, pageSize: PAGE_SIZE, pageToken });
      ids.push(...page.turns.map((turn) => turn.turnId));
      pageToken = page.nextPageToken;
      if (!pageToken) break;
    }
  } catch (error) {
    if (mayBeNew && isNotFound(error)) return []; // its first turn is still running
    throw error;
  }
  const stored = await Promise.all(ids.map((turnId) => sessions.getTurn({ turnId })));
  return stored.flatMap(({ turn }, n) => (turn ? [{ ...fromStored(unguessable("k"), turn), id: ids[n] ?? "" }] : []));
}

export async function deleteSession(session: string): Promise<void> {
  if (conversation.value.session === session) await stop();
  await sessions.deleteSession({ sessionId: session });
  if (conversation.value.session === session) location.hash = "#/";
  await listSessions();
}
