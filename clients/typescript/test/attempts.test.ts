import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema } from "../gen/google/rpc/error_details_pb.js";
import { type Event, EventSchema } from "../gen/parley/gateway/v1/event_pb.js";
import { Attempts, ParleyError } from "../src/index.js";
import { connect } from "../src/node.js";

function event(seq: number, name: "state" | "text" | "completed"): Event {
  return create(EventSchema, { turnId: "q-1", seq, event: { case: name, value: {} } });
}

function broken(code: Code): ParleyError {
  return ParleyError.from(new ConnectError("broken", code));
}

function failed(code: Code, headers: Record<string, string> = {}): ParleyError {
  return ParleyError.from(new ConnectError("failed", code, headers, [{ desc: ErrorInfoSchema, value: { reason: "OVERLOADED" } }]));
}

for (const code of [Code.Unavailable, Code.Canceled, Code.Internal, Code.Unknown, Code.Aborted]) {
  test(`a turn that breaks with ${Code[code]} is resumed after its last event`, () => {
    const turn = new Attempts({ question: "When?" });
    assert(turn.isNew(event(1, "text")) && turn.isNew(event(2, "text")));
    assert.equal(turn.pauseAfter(broken(code)), 100);
    assert.deepEqual(turn.nextCall(), { method: "resume", request: { turnId: "q-1", afterSeq: 2 } });
    assert(!turn.isNew(event(2, "text")) && turn.isNew(event(3, "text")));
  });
}

test("a turn that the suite failed after something of an answer is lost", () => {
  const turn = new Attempts({ question: "When?" });
  turn.isNew(event(1, "text"));
  assert.equal(turn.pauseAfter(failed(Code.Internal)), undefined);
});

test("a turn without an answer is asked again by the same id when the suite says when", () => {
  const turn = new Attempts({ question: "When?" });
  const first = turn.nextCall();
  turn.isNew(event(1, "state"));
  const pause = turn.pauseAfter(failed(Code.ResourceExhausted, { "grpc-retry-pushback-ms": "200" }));
  assert(pause !== undefined && 200 <= pause && pause <= 250);
  const second = turn.nextCall();
  assert(first.method === "ask" && second.method === "ask");
  assert.match(first.request.requestId, /^[0-9a-f]{32}$/);
  assert.equal(second.request.requestId, first.request.requestId);
  assert.equal(second.request.options?.resumable, true);
});

test("a suite that cannot be reached is asked four times", () => {
  const turn = new Attempts({ question: "When?" });
  const pauses = [1, 2, 3, 4].map(() => turn.pauseAfter(broken(Code.Unavailable)));
  assert.deepEqual(pauses, [100, 200, 400, undefined]);
});

test("resuming ends after the patience", () => {
  const turn = new Attempts({ question: "When?" }, 0);
  turn.isNew(event(1, "text"));
  assert.equal(turn.pauseAfter(broken(Code.Unavailable)), undefined);
});

test("a turn is cancelled while it runs only", () => {
  const turn = new Attempts({ question: "When?" });
  assert.equal(turn.runningTurn, undefined);
  turn.isNew(event(1, "text"));
  assert.equal(turn.runningTurn, "q-1");
  turn.isNew(event(2, "completed"));
  assert.equal(turn.runningTurn, undefined);
});

test("a token goes to other machines over TLS alone", () => {
  assert(connect("127.0.0.1,[::1]:7000,localhost", { token: "key" }));
  assert(connect("parley.example.org", { token: "key", tls: true }));
  assert.throws(() => connect("127.0.0.1,parley.example.org", { token: "key" }), TypeError);
});
