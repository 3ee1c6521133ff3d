// A running suite.

import type { DescService, MessageInitShape } from "@bufbuild/protobuf";
import type { Client, Transport } from "@connectrpc/connect";
import type { Passage } from "../gen/parley/context/v1/evidence_pb.js";
import type { AskRequestSchema } from "../gen/parley/gateway/v1/gateway_pb.js";
import {
  CorpusService,
  type Document,
  type DocumentSchema,
  type IngestRequestSchema,
  type IngestResponse,
  type PutDocumentResponse,
} from "../gen/parley/retrieve/v1/corpus_pb.js";
import { Attempts } from "./attempts.js";
import { ParleyError } from "./errors.js";
import { Gateways } from "./gateways.js";
import { Turn } from "./turn.js";

type Question = MessageInitShape<typeof AskRequestSchema>;
type NewDocument = MessageInitShape<typeof DocumentSchema>;

/** A running suite. `connect` of `parley-client/node` or `parley-client/web` makes one. */
export class Parley {
  readonly #gateways: Gateways;

  /** The transports are those to its gateways. */
  constructor(transports: readonly Transport[]) {
    this.#gateways = new Gateways(transports);
  }

  /** Asks a question: a text, or the fields of an AskRequest. The turn begins when it is iterated over or awaited. */
  ask(question: string | Question, { signal }: { signal?: AbortSignal } = {}): Turn {
    const request = typeof question === "string" ? { question } : question;
    return new Turn(this.#gateways, new Attempts(request), signal);
  }

  /**
   * Stores documents and yields an acknowledgement for each, in their order. Leaving the loop ends the ingest. Browsers
   * cannot stream requests: use `put` there.
   */
  async *ingest(
    documents: Iterable<NewDocument> | AsyncIterable<NewDocument>,
    { collection = "", signal }: { collection?: string; signal?: AbortSignal } = {},
  ): AsyncGenerator<IngestResponse, void> {
    const left = new AbortController();
    const either = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
    try {
      yield* this.stub(CorpusService).ingest(parts(collection, documents), { signal: either });
    } catch (error) {
      throw ParleyError.from(error);
    } finally {
      left.abort();
    }
  }

  /** Stores one document. */
  put(document: NewDocument, { collection = "" } = {}): Promise<PutDocumentResponse> {
    return this.#gateways.call(CorpusService, (stub) => stub.putDocument({ collection, document }));
  }

  /** Passages for a query, best first; without a limit as many as the suite's setting says. */
  async search(query: string, { collection = "", limit = 0 } = {}): Promise<Passage[]> {
    const options = { collection, ...(limit > 0 && { depth: { evidence: limit } }) };
    const { evidence } = await this.#gateways.call(CorpusService, (stub) => stub.search({ query, options }));
    return evidence.flatMap(({ passage }) => passage ?? []);
  }

  /** A passage as it is now. */
  async passage(passageId: string, { collection = "" } = {}): Promise<Passage> {
    const response = await this.#gateways.call(CorpusService, (stub) => stub.getPassage({ passageId, collection }));
    return response.passage as Passage;
  }

  /** A document with its text. */
  async document(documentId: string, { collection = "" } = {}): Promise<Document> {
    const response = await this.#gateways.call(CorpusService, (stub) => stub.getDocument({ documentId, collection }));
    return response.document as Document;
  }

  /** The stub of a service, for what has no method here. ParleyError.from reads its errors. */
  stub<Service extends DescService>(service: Service): Client<Service> {
    return this.#gateways.current().stub(service);
  }
}

async function* parts(
  collection: string,
  documents: Iterable<NewDocument> | AsyncIterable<NewDocument>,
): AsyncGenerator<MessageInitShape<typeof IngestRequestSchema>, void> {
  yield { part: { case: "header", value: { collection } } };
  for await (const value of documents) yield { part: { case: "document", value } };
}
