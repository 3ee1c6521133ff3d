// Failed calls, with the reason that the suite gives.

import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "../gen/google/rpc/error_details_pb.js";

/** Node gives Aborted for a connection that was reset; browsers give Unknown for any that fails. */
const BROKEN: ReadonlySet<Code> = new Set([Code.Unavailable, Code.Canceled, Code.Internal, Code.Unknown, Code.Aborted]);
const PUSHBACK = "grpc-retry-pushback-ms";

/** A field of a request that breaks a rule. */
export interface Violation {
  /** Its path, such as `options.collection`. */
  readonly field: string;
  /** The rule, for people. */
  readonly description: string;
}

/** A failed call. */
export class ParleyError extends Error {
  /** The gRPC status. */
  readonly code: Code;
  /** A name of `ErrorReason` without its prefix, such as `DOCUMENT_NOT_FOUND`; empty if the connection failed. */
  readonly reason: string;
  /** What the reason is about. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Milliseconds after which the call may succeed; undefined if nothing is known. */
  readonly retryAfter: number | undefined;
  /** The fields of the request that break rules. */
  readonly violations: readonly Violation[];
  /** The time in milliseconds that the suite names for another attempt. */
  readonly pushback: number | undefined;

  private constructor(error: ConnectError) {
    const violations = error.findDetails(BadRequestSchema)[0]?.fieldViolations ?? [];
    const fields = violations.map(({ field, description }) => `${field}: ${description}`).join("; ");
    super(fields || error.rawMessage || Code[error.code], { cause: error });
    const info = error.findDetails(ErrorInfoSchema)[0];
    const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
    const pushback = Number.parseInt(error.metadata.get(PUSHBACK) ?? "", 10);
    this.name = "ParleyError";
    this.code = error.code;
    this.reason = info?.reason ?? "";
    this.metadata = info?.metadata ?? {};
    this.pushback = pushback >= 0 ? pushback : undefined;
    this.retryAfter = delay ? Number(delay.seconds) * 1000 + delay.nanos / 1e6 : this.pushback;
    this.violations = violations.map(({ field, description }) => ({ field, description }));
  }

  /** What a failed call of a stub threw, with its details read. */
  static from(error: unknown): ParleyError {
    return error instanceof ParleyError ? error : new ParleyError(ConnectError.from(error));
  }

  /** Whether the suite did not fail the call: it cannot be reached, or its connection broke, or it was cancelled. */
  get isOfConnection(): boolean {
    return this.reason === "" && this.pushback === undefined && BROKEN.has(this.code);
  }

  /** Whether another gateway may be reached. */
  get isUnreachable(): boolean {
    return this.isOfConnection && this.code !== Code.Canceled;
  }
}
