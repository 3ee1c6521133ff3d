// Client of a Parley suite. It is connected by `parley-client/node` or `parley-client/web`.

export { Code } from "@connectrpc/connect";
export { Outcome } from "../gen/parley/context/v1/session_pb.js";
export type { Event } from "../gen/parley/gateway/v1/event_pb.js";
export { Answer } from "./answer.js";
export { Attempts, type NextCall } from "./attempts.js";
export { Parley } from "./client.js";
export { ParleyError, type Violation } from "./errors.js";
export { identify, type Identification } from "./gateways.js";
export { Turn } from "./turn.js";
