// What conversations are called.

import { create } from "@bufbuild/protobuf";
import { type Session, SessionSchema } from "@gen/gateway/v1/session_pb.js";
import { beforeEach, expect, test, vi } from "vitest";
import { listSessions, nameOf, renameSession, sessionList } from "../src/session_list";

const gateway = vi.hoisted(() => ({ listSessions: vi.fn(), renameSession: vi.fn() }));
vi.mock("../src/api", () => ({ sessions: gateway }));

const session = (sessionId: string, title = ""): Session => create(SessionSchema, { sessionId, title, firstQuestion: `Question of ${sessionId}?` });

async function listed(...sessions: Session[]): Promise<void> {
  gateway.listSessions.mockResolvedValue({ sessions });
  await listSessions();
}

const titles = (): string[] => sessionList.value.map((each) => each.title);

beforeEach(() => {
  vi.resetAllMocks();
});

test("a conversation is called by its title, or by its first question", () => {
  expect(nameOf(session("a", "Named"))).toBe("Named");
  expect(nameOf(session("a"))).toBe("Question of a?");
});

test("a new title is what the gateway made of it, and the other conversations stay", async () => {
  await listed(session("a"), session("b", "Other"));
  gateway.renameSession.mockResolvedValue({ session: session("a", "On one line") });
  await renameSession("a", " On one\tline ");
  expect(gateway.renameSession.mock.calls).toEqual([[{ sessionId: "a", title: " On one\tline " }]]);
  expect(titles()).toEqual(["On one line", "Other"]);
});

test("a refused title changes nothing and is told", async () => {
  await listed(session("a", "Before"));
  gateway.renameSession.mockRejectedValue(new Error("refused"));
  await expect(renameSession("a", "After")).rejects.toThrow("refused");
  expect(titles()).toEqual(["Before"]);
});

test("without a gateway nothing is listed", async () => {
  await listed(session("a"));
  gateway.listSessions.mockRejectedValue(new Error("unavailable"));
  await listSessions();
  expect(titles()).toEqual([]);
});
