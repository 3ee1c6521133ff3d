// Connects programs that run on Node, by gRPC.

import { createGrpcTransport } from "@connectrpc/connect-node";
import { Parley } from "./client.js";
import { checkToken, identify, type Identification } from "./gateways.js";

const PORT = 50051;

/** How to connect. */
export interface Connection extends Identification {
  /** True or the options of `tls.connect` to encrypt the connection. */
  tls?: boolean | { ca?: string | Buffer; cert?: string | Buffer; key?: string | Buffer; servername?: string };
}

/** A client of the gateways at `host:port`, several with commas between them; it connects with the first call. */
export function connect(addresses = "127.0.0.1", connection: Connection = {}): Parley {
  const urls = addresses.split(",").map((address) => `${connection.tls ? "https" : "http"}://${place(address.trim())}`);
  checkToken(connection, urls);
  const nodeOptions = typeof connection.tls === "object" ? connection.tls : {};
  return new Parley(
    urls.map((baseUrl) => createGrpcTransport({ baseUrl, nodeOptions, interceptors: [identify(connection)] })),
  );
}

function place(address: string): string {
  if (/^[^:]*:\d+$|\]:\d+$/.test(address)) return address;
  return `${address.includes(":") && !address.startsWith("[") ? `[${address}]` : address}:${PORT}`;
}
