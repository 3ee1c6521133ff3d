// Asks a question and a follow-up of a suite: node dist/example/ask.js 127.0.0.1:50051

import { connect } from "../src/node.js";

const client = connect(process.argv[2] ?? "127.0.0.1:50051");
let sessionId = "";
for (const question of ["When did Phoenix land on Mars?", "And Spirit?"]) {
  const turn = client.ask({ question, sessionId });
  for await (const { event } of turn) {
    if (event.case === "text") process.stdout.write(event.value.delta);
  }
  console.log();
  const answer = turn.answerSoFar;
  for (const span of answer.citations.flatMap((citation) => citation.references)) {
    console.log(`  [${span.number}] "${span.quote}", ${answer.passage(span)?.title}`);
  }
  sessionId = answer.sessionId;
}
