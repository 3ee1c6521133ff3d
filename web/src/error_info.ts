// Reads google.rpc.ErrorInfo {reason = 1, domain = 2} off the wire, without the whole contract of errors.

import { BinaryReader } from "@bufbuild/protobuf/wire";

export interface ErrorInfo {
  reason: string;
  domain: string;
}

export function errorInfoFrom(bytes: Uint8Array): ErrorInfo {
  const info: ErrorInfo = { reason: "", domain: "" };
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === 1) info.reason = reader.string();
    else if (field === 2) info.domain = reader.string();
    else reader.skip(wireType);
  }
  return info;
}
