// The suite as this page calls it: gRPC-Web to the server of the page, with the user's credentials.

import { type Client, Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { GatewayService } from "@gen/gateway/v1/gateway_pb.js";
import { SessionService } from "@gen/gateway/v1/session_pb.js";
import { CorpusService } from "@gen/retrieve/v1/corpus_pb.js";
import { type ErrorInfo, errorInfoFrom } from "./error_info";
import { kept } from "./store";

/** Who the user is: names that this machine is believed, or a key or token that the gateway checks. */
export interface Identity {
  kind: "principals" | "key" | "token";
  value: string;
}

export const identity = kept<Identity>(sessionStorage, "parley.identity", { kind: "principals", value: "" });

/** The headers that say who the user is. */
export function identityHeaders({ kind, value }: Identity): Record<string, string> {
  const text = value.trim();
  if (!text) return {};
  if (kind === "key") return { "x-api-key": text };
  if (kind === "token") return { authorization: `Bearer ${text}` };
  return { "x-parley-principal": text.split(/[\s,]+/).filter(Boolean).join(", ") };
}

const withIdentity: Interceptor = (next) => (request) => {
  for (const [name, value] of Object.entries(identityHeaders(identity.value))) request.header.set(name, value);
  return next(request);
};

const transport = createGrpcWebTransport({ baseUrl: location.origin, interceptors: [withIdentity] });

export const gateway: Client<typeof GatewayService> = createClient(GatewayService, transport);
export const sessions: Client<typeof SessionService> = createClient(SessionService, transport);
export const corpus: Client<typeof CorpusService> = createClient(CorpusService, transport);

/** A failed call, as the page explains it. */
export interface Failure {
  reason: string;
  message: string;
}

export function failureOf(error: unknown): Failure {
  const connectError = ConnectError.from(error);
  const info = infoOf(connectError);
  return { reason: info?.reason ?? Code[connectError.code], message: connectError.rawMessage };
}

/** Whether the connection broke, or nobody answered: the same call may succeed later. */
export function isBroken(error: unknown): boolean {
  const connectError = ConnectError.from(error);
  const reason = infoOf(connectError)?.reason;
  if (connectError.code === Code.Unavailable) return reason === undefined || reason === "STAGE_UNAVAILABLE";
  return reason === undefined && [Code.Unknown, Code.Internal, Code.DataLoss].includes(connectError.code);
}

export function isCancelled(error: unknown): boolean {
  return ConnectError.from(error).code === Code.Canceled;
}

export function isNotFound(error: unknown): boolean {
  return ConnectError.from(error).code === Code.NotFound;
}

function infoOf(error: ConnectError): ErrorInfo | undefined {
  for (const detail of error.details) {
    if ("type" in detail && detail.type === "google.rpc.ErrorInfo") return errorInfoFrom(detail.value);
  }
  return undefined;
}

/** A name that nobody guesses, for sessions and requests; also where the page has no secure context. */
export function unguessable(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `${prefix}-${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

