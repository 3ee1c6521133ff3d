// How long a text takes from the gateway's event to the screen. The gateway writes the time into the text.

import { launch, openConsole } from "./browser.mjs";

const TURNS = 30;
const browser = await launch();
const page = await openConsole(browser);
await page.evaluate(() => {
  window.latencies = [];
  const seen = new Set();
  new MutationObserver(() => {
    const text = [...document.querySelectorAll(".answer")].at(-1)?.textContent ?? "";
    const stamp = Number(/stamp ([\d.]+)/.exec(text)?.[1]);
    if (!stamp || seen.has(stamp)) return;
    seen.add(stamp);
    // The frame that holds the text is painted before a task that its first callback queues.
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => window.latencies.push(performance.timeOrigin + performance.now() - stamp);
      channel.port2.postMessage(0);
    });
  }).observe(document.getElementById("app"), { subtree: true, childList: true, characterData: true });
});
for (let turn = 0; turn < TURNS; turn++) {
  await page.fill("#question", `Question ${turn}`);
  await page.keyboard.press("Enter");
  await page.waitForFunction((count) => window.latencies.length === count && !document.querySelector(".turn.running"), turn + 1);
}
const latencies = (await page.evaluate(() => window.latencies)).sort((one, other) => one - other);
const at = (share) => latencies[Math.floor(share * (latencies.length - 1))].toFixed(1);
console.log(`first text on screen after the gateway's event: median ${at(0.5)} ms, 95 % within ${at(0.95)} ms, ${TURNS} turns`);
await browser.close();
