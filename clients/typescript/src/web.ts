// Connects web pages, by gRPC-Web: to `parley up --web`, or to Envoy.

import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { Parley } from "./client.js";
import { checkToken, identify, type Identification } from "./gateways.js";

/** A client of the suite behind these URLs, such as `location.origin`. */
export function connect(urls: string | readonly string[], identification: Identification = {}): Parley {
  const all = typeof urls === "string" ? [urls] : urls;
  checkToken(identification, all);
  return new Parley(
    all.map((baseUrl) => createGrpcWebTransport({ baseUrl, interceptors: [identify(identification)] })),
  );
}
