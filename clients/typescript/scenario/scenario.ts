// Runs the scenarios of `clients/scenarios`, given as JSON, and prints a line for each; with the word `web` as browsers
// do, by gRPC-Web.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Outcome } from "../gen/parley/context/v1/session_pb.js";
import { GatewayService, TurnState } from "../gen/parley/gateway/v1/gateway_pb.js";
import { IngestStatus } from "../gen/parley/retrieve/v1/corpus_pb.js";
import { type Answer, Code, type Event, type Parley, ParleyError } from "../src/index.js";
import { connect } from "../src/node.js";
import { connect as connectWeb } from "../src/web.js";

interface Plan {
  address: string;
  proxy: string;
  several: string;
  scenarios: { name: string; steps: Record<string, Step>[] }[];
}

interface Step {
  collection?: string;
  principals?: string[];
  documents?: { document_id: string; title?: string; text: string; principals?: string[] }[];
  document_id?: string;
  query?: string;
  question?: string;
  session?: string;
  through?: "proxy" | "several";
  leave_after?: string;
  expect: Expected;
}

interface Expected {
  statuses?: string[];
  documents?: string[];
  outcome?: string;
  text?: string[];
  not_text?: string[];
  standalone?: string[];
  order?: string[];
  contiguous?: boolean;
  cited?: boolean;
  cancelled?: boolean;
  error?: { code: string; reason: string; field?: string };
}

type Run = (client: Parley, step: Step, sessions: Map<string, string>) => Promise<void>;

const [, , file, way] = process.argv;
const isWeb = way === "web";
const RUNS: Record<string, Run> = { ingest: isWeb ? put : ingest, search, document, ask };

const plan = JSON.parse(readFileSync(file as string, "utf8")) as Plan;
let failures = 0;
for (const { name, steps } of plan.scenarios) {
  const sessions = new Map<string, string>();
  try {
    for (const [kind, step] of steps.flatMap((each) => Object.entries(each))) await run(kind, step, sessions);
    console.log(`${name}: ok`);
  } catch (failure) {
    failures++;
    console.log(`${name}: ${failure}`);
  }
}
process.exit(failures);

async function run(kind: string, step: Step, sessions: Map<string, string>): Promise<void> {
  const address = plan[step.through ?? "address"];
  const user = { principals: step.principals ?? [] };
  const client = isWeb ? connectWeb(address.split(",").map((each) => `http://${each}`), user) : connect(address, user);
  const expected = step.expect.error;
  const made = (RUNS[kind] as Run)(client, step, sessions);
  if (!expected) return made;
  await assert.rejects(made, (error) => {
    assert(error instanceof ParleyError, String(error));
    assert.equal(snake(Code[error.code]).toUpperCase(), expected.code);
    assert.equal(error.reason, expected.reason);
    assert.equal(error.violations[0]?.field, expected.field);
    return true;
  });
}

async function ingest(client: Parley, step: Step): Promise<void> {
  const statuses: string[] = [];
  for await (const { status } of client.ingest(documentsOf(step), { collection: step.collection ?? "" })) {
    statuses.push(snake(IngestStatus[status]));
  }
  assert.deepEqual(statuses, step.expect.statuses);
}

/** Browsers cannot stream requests. */
async function put(client: Parley, step: Step): Promise<void> {
  const statuses: string[] = [];
  for (const each of documentsOf(step)) {
    const put = client.put(each, { collection: step.collection ?? "" });
    statuses.push(await put.then(({ status }) => snake(IngestStatus[status]), () => "failed"));
  }
  assert.deepEqual(statuses, step.expect.statuses);
}

function documentsOf({ documents = [] }: Step) {
  return documents.map(({ document_id, ...rest }) => ({ documentId: document_id, ...rest }));
}

async function search(client: Parley, step: Step): Promise<void> {
  const passages = await client.search(step.query ?? "", { collection: step.collection ?? "" });
  const expected = step.expect.documents ?? [];
  assert.deepEqual(passages.slice(0, expected.length).map(({ documentId }) => documentId), expected);
}

async function document(client: Parley, step: Step): Promise<void> {
  const { text } = await client.document(step.document_id ?? "", { collection: step.collection ?? "" });
  for (const part of step.expect.text ?? []) assert(text.includes(part), text);
}

async function ask(client: Parley, step: Step, sessions: Map<string, string>): Promise<void> {
  const turn = client.ask({
    question: step.question ?? "",
    sessionId: sessions.get(step.session ?? "") ?? "",
    options: { collection: step.collection ?? "" },
  });
  const events: Event[] = [];
  for await (const event of turn) {
    events.push(event);
    if (kindOf(event) === step.leave_after) break;
  }
  const answer = turn.answerSoFar;
  if (step.expect.cancelled) {
    const { state } = await client.stub(GatewayService).cancel({ turnId: answer.turnId });
    assert.equal(TurnState[state], "CANCELLED");
    return;
  }
  if (step.session) sessions.set(step.session, answer.sessionId);
  check(answer, events, step.expect);
}

function check(answer: Answer, events: Event[], expect: Expected): void {
  if (expect.outcome) assert.equal(Outcome[answer.outcome].toLowerCase(), expect.outcome);
  for (const part of expect.text ?? []) assert(answer.text.includes(part), answer.text);
  for (const part of expect.not_text ?? []) assert(!answer.text.includes(part), answer.text);
  for (const part of expect.standalone ?? []) assert(answer.standaloneQuestion.includes(part), answer.standaloneQuestion);
  const kinds = events.map(kindOf);
  let place = 0;
  for (const kind of expect.order ?? []) {
    place = kinds.indexOf(kind, place) + 1;
    assert(place > 0, `the events came as ${kinds}`);
  }
  if (expect.contiguous) assert.deepEqual(events.map(({ seq }) => seq), events.map((_, index) => index + 1));
  if (expect.cited) assert(isCited(answer), "a quote is not the text of its passage");
}

/** Places are counted in characters, not in the halves of which a string is made. */
function isCited(answer: Answer): boolean {
  const spans = answer.citations.flatMap(({ references }) => references);
  return (
    spans.length > 0 &&
    spans.every((each) => {
      const characters = [...(answer.passage(each)?.text ?? "")];
      return characters.slice(each.span?.start, each.span?.end).join("") === each.quote;
    })
  );
}

function kindOf({ event }: Event): string {
  return snake(event.case ?? "");
}

/** `text_end` for `textEnd`, `invalid_argument` for `InvalidArgument`, `added` for `ADDED`. */
function snake(name = ""): string {
  return name.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();
}
