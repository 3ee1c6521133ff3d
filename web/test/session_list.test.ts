// What conversations are called, and what becomes of names that an earlier version of the page kept in the browser.

import { create } from "@bufbuild/protobuf";
import { type Session, SessionSchema } from "@gen/gateway/v1/session_pb.js";
import { beforeEach, expect, test, vi } from "vitest";

const gateway = vi.hoisted(() => ({ listSessions: vi.fn(), renameSession: vi.fn() }));
vi.mock("../src/api", () => ({ sessions: gateway }));

const OLDER = "parley.titles";
let stored: Map<string, string>;

const session = (sessionId: string, title = ""): Session => create(SessionSchema, { sessionId, title, firstQuestion: `Question of ${sessionId}?` });

async function page(older: Record<string, string> | null, ...listed: Session[]): Promise<typeof import("../src/session_list")> {
  if (older) stored.set(OLDER, JSON.stringify(older));
  gateway.listSessions.mockResolvedValue({ sessions: listed });
  gateway.renameSession.mockImplementation(async ({ sessionId, title }) => ({ session: session(sessionId, title) }));
  return await import("../src/session_list");
}

const leftNames = (): unknown => JSON.parse(stored.get(OLDER) ?? "null");

beforeEach(() => {
  vi.resetModules();
  vi.resetAllMocks();
  stored = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});

test("a conversation is called by its title, or by its first question", async () => {
  const { nameOf } = await page(null);
  expect(nameOf(session("a", "Named"))).toBe("Named");
  expect(nameOf(session("a"))).toBe("Question of a?");
});

test("a new title is what the gateway made of it, and the other conversations stay", async () => {
  const { listSessions, renameSession, sessionList } = await page(null, session("a"), session("b", "Other"));
  await listSessions();
  gateway.renameSession.mockResolvedValue({ session: session("a", "On one line") });
  await renameSession("a", " On one\tline ");
  expect(gateway.renameSession.mock.calls).toEqual([[{ sessionId: "a", title: " On one\tline " }]]);
  expect(sessionList.value.map((each) => each.title)).toEqual(["On one line", "Other"]);
});

test("a refused title changes nothing and is told", async () => {
  const { listSessions, renameSession, sessionList } = await page(null, session("a", "Before"));
  await listSessions();
  gateway.renameSession.mockRejectedValue(new Error("refused"));
  await expect(renameSession("a", "After")).rejects.toThrow("refused");
  expect(sessionList.value.map((each) => each.title)).toEqual(["Before"]);
});

test("an older name moves to the gateway once", async () => {
  const { listSessions, sessionList } = await page({ a: "Mine" }, session("a"), session("b"));
  await listSessions();
  expect(sessionList.value.map((each) => each.title)).toEqual(["Mine", ""]);
  await listSessions();
  expect(gateway.renameSession.mock.calls).toEqual([[{ sessionId: "a", title: "Mine" }]]);
  expect(stored.has(OLDER)).toBe(false);
});

test("an older name that says nothing new is dropped, and a title that is there stays", async () => {
  const { listSessions } = await page({ a: "Mine", b: "Question of b?", c: "" }, session("a", "Title"), session("b"), session("c"));
  await listSessions();
  expect(gateway.renameSession).not.toHaveBeenCalled();
  expect(stored.has(OLDER)).toBe(false);
});

test("older names wait until their conversation is listed, and for a gateway that answers", async () => {
  const { listSessions } = await page({ a: "Mine", b: "Of another user" }, session("a"));
  gateway.renameSession.mockRejectedValueOnce(new Error("unavailable"));
  await listSessions();
  expect(leftNames()).toEqual({ a: "Mine", b: "Of another user" });
  await listSessions();
  expect(leftNames()).toEqual({ b: "Of another user" });
});

test("older names wait for a gateway that holds titles, and its conversations are called by what it says", async () => {
  const earlier = create(SessionSchema, { sessionId: "a", title: "Question of a?" });
  const { listSessions, nameOf } = await page({ a: "Mine" }, earlier);
  await listSessions();
  expect(nameOf(earlier)).toBe("Question of a?");
  expect(gateway.renameSession).not.toHaveBeenCalled();
  expect(leftNames()).toEqual({ a: "Mine" });
});

test("the older name of a deleted conversation is dropped", async () => {
  const { forgetOlderName } = await page({ a: "Mine", b: "Other" });
  forgetOlderName("a");
  expect(leftNames()).toEqual({ b: "Other" });
});

test("without a gateway nothing is listed, and the older names stay", async () => {
  const { listSessions, sessionList } = await page({ a: "Mine" }, session("a"));
  gateway.listSessions.mockRejectedValue(new Error("unavailable"));
  await listSessions();
  expect(sessionList.value).toEqual([]);
  expect(leftNames()).toEqual({ a: "Mine" });
});
