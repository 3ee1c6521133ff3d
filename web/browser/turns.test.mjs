// Turns by server-sent events in a page: asked by the code of the documentation, and followed by an EventSource.

import assert from "node:assert/strict";
import { test } from "node:test";
import { launch, openConsole } from "./browser.mjs";

const NAMES = ["state", "ref_answer", "text", "text_end", "usage", "completed"];

test("a turn is asked by fetch, broken off, and followed to its end", async () => {
  const browser = await launch();
  try {
    const page = await openConsole(browser);
    const asked = await page.evaluate(async (code) => {
      const ask = new Function(`${code}; return ask;`)();
      const events = [];
      const question = "Tell me slowly how high the lighthouse of Harrow Point is";
      for await (const event of ask({ question })) {
        events.push(event);
        if (event.name === "text") break;
      }
      return events;
    }, process.env.PAGE_CODE);
    assert.equal(asked[0].name, "state");
    const turnId = asked[0].turn_id;
    const followed = await page.evaluate(
      ([turnId, names]) =>
        new Promise((resolve) => {
          const source = new EventSource(`/v1/turns/${turnId}`);
          const events = [];
          for (const name of names) source.addEventListener(name, (event) => events.push([name, JSON.parse(event.data)]));
          source.onerror = () => source.readyState === EventSource.CLOSED && resolve(events);
        }),
      [turnId, NAMES],
    );
    const seqs = followed.map(([, event]) => event.seq);
    assert.deepEqual(seqs, [...new Set(seqs)].sort((one, other) => one - other), "each event once, in order");
    assert.equal(followed.at(-1)[0], "completed");
    const [, end] = followed.find(([name]) => name === "text_end");
    assert.match(end.text_end.text, /Stone 39 of the tower/);
  } finally {
    await browser.close();
  }
});

test("the reader of the documentation goes on behind the last event", async () => {
  const browser = await launch();
  try {
    const page = await openConsole(browser);
    const result = await page.evaluate(async (code) => {
      const fetched = window.fetch;
      const headers = [];
      // The first answer breaks off behind its third event.
      window.fetch = async (...request) => {
        headers.push(request[1].headers["last-event-id"] ?? "");
        const response = await fetched(...request);
        if (headers.length > 1) return response;
        let blocks = 0;
        const broken = new TransformStream({
          transform(chunk, controller) {
            controller.enqueue(chunk);
            if (++blocks === 3) controller.error(new TypeError("network error"));
          },
        });
        return new Response(response.body.pipeThrough(broken), response);
      };
      const ask = new Function(`${code}; return ask;`)();
      const seqs = [];
      for await (const event of ask({ question: "When was the lighthouse of Harrow Point lit?" })) seqs.push(event.seq);
      return { headers, seqs };
    }, process.env.PAGE_CODE);
    assert.equal(result.headers.length, 2);
    assert.match(result.headers[1], /^q-.+\/\d+$/);
    assert.deepEqual(result.seqs, result.seqs.map((_, index) => index + 1), "no event is lost or comes twice");
  } finally {
    await browser.close();
  }
});
