// Times turns by the generated stub and by the client, in turn: overhead ADDRESS TURNS. It prints the seconds of each as
// JSON.

import { GatewayService } from "../gen/parley/gateway/v1/gateway_pb.js";
import { connect } from "../src/node.js";

const [, , address, turns] = process.argv;
const client = connect(address);
const times = { stub: [] as number[], client: [] as number[] };
for (let turn = Number(turns); turn > 0; turn--) {
  times.stub.push(await seconds(() => client.stub(GatewayService).ask({ question: "When?" })));
  times.client.push(await seconds(() => client.ask("When?")));
}
console.log(JSON.stringify(times));
process.exit();

async function seconds(turn: () => AsyncIterable<unknown>): Promise<number> {
  const start = performance.now();
  for await (const _ of turn());
  return (performance.now() - start) / 1000;
}
