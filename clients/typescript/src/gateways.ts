// The gateways of a suite; another one is called when one cannot be reached.

import type { DescService } from "@bufbuild/protobuf";
import { type Client, createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import { ParleyError } from "./errors.js";

/** Who calls. */
export interface Identification {
  /** A JSON Web Token or an API key; sent to other machines over TLS alone. */
  token?: string;
  /** Names of the user; a suite without authentication believes them from its own machine. */
  principals?: readonly string[];
}

/** Adds to each call who calls. */
export function identify({ token, principals = [] }: Identification): Interceptor {
  return (next) => (request) => {
    if (token) request.header.set("authorization", `Bearer ${token}`);
    for (const principal of principals) request.header.append("x-parley-principal", principal);
    return next(request);
  };
}

/** Refuses a token that would be sent unencrypted to another machine. */
export function checkToken({ token }: Identification, urls: readonly string[]): void {
  const isSafe = urls.map((url) => new URL(url)).every(({ protocol, hostname }) => protocol === "https:" || isLoopback(hostname));
  if (token && !isSafe) throw new TypeError("a token is sent to other machines over TLS alone");
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
}

/** A gateway as one of several. */
export interface Place {
  readonly index: number;
  stub<Service extends DescService>(service: Service): Client<Service>;
}

export class Gateways {
  readonly #transports: readonly Transport[];
  #index = 0;

  constructor(transports: readonly Transport[]) {
    if (transports.length === 0) throw new TypeError("a suite has a gateway");
    this.#transports = transports;
  }

  current(): Place {
    const transport = this.#transports[this.#index] as Transport;
    return { index: this.#index, stub: (service) => createClient(service, transport) };
  }

  /** Goes over to the next gateway, unless another call did so already. */
  leave({ index }: Place): void {
    if (index === this.#index) this.#index = (index + 1) % this.#transports.length;
  }

  /** Makes a call that may be repeated, at the first gateway that can be reached. */
  async call<Service extends DescService, T>(service: Service, call: (stub: Client<Service>) => Promise<T>): Promise<T> {
    for (let tries = this.#transports.length; ; ) {
      const place = this.current();
      try {
        return await call(place.stub(service));
      } catch (cause) {
        const error = ParleyError.from(cause);
        if (--tries === 0 || !error.isUnreachable) throw error;
        this.leave(place);
      }
    }
  }
}
