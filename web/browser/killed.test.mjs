// The process of the gateway is killed in the middle of an answer, and the answer goes on when it is back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, ended, launch, openConsole } from "./browser.mjs";

const RESTART_MS = 150_000; // a busy machine starts a process slowly

test("a turn goes on after its gateway was killed and started again", async () => {
  const browser = await launch();
  try {
    const page = await openConsole(browser);
    const turn = await ask(page, "Tell me slowly how high the lighthouse of Harrow Point is", { wait: false });
    await turn.locator(".answer .chip").first().waitFor();
    process.kill(Number(process.env.GATEWAY_PID), "SIGKILL");
    await turn.getByText("Trying again").waitFor({ timeout: 10_000 });
    await ended(page, turn, RESTART_MS);
    assert.equal(await turn.locator(".notice.bad").count(), 0);
    assert.match(await turn.locator(".answer").innerText(), /Stone 39 of the tower/);
    const next = await ask(page, "When was the lighthouse of Harrow Point lit?");
    assert.match(await next.locator(".answer").innerText(), /3 May 1871/);
    assert.deepEqual(page.faults, []);
  } finally {
    await browser.close();
  }
});
