// What a reader does in the console, in a real browser against a running suite.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { after, afterEach, before, test } from "node:test";
import { ask, ended, launch, openConsole, setOptions, URL_OF_CONSOLE } from "./browser.mjs";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SLOW_QUESTION = "Tell me slowly how high the lighthouse of Harrow Point is";
const CASSINI = "What happened in the Cassini mission to Saturn, from launch to end?";
let browser;
let pages = [];

before(async () => (browser = await launch()));
after(() => browser.close());
afterEach(async () => {
  const faults = pages.flatMap((page) => page.faults);
  for (const page of pages) await page.context().close();
  pages = [];
  assert.deepEqual(faults, []);
});

async function open(options, path) {
  const page = await openConsole(browser, options, path);
  pages.push(page);
  return page;
}

test("three turns of a conversation, with Markdown and verdicts", async () => {
  const page = await open();
  const first = await ask(page, "When was the lighthouse of Harrow Point lit?");
  assert.match(await first.locator(".answer").innerText(), /lit on 3 May 1871/);
  const second = await ask(page, "How high is the tower of the lighthouse of Harrow Point?");
  assert.match(await second.locator(".answer table").innerText(), /Oil\s+1871 to 1912/);
  const third = await ask(page, "Who was the last keeper of the lighthouse of Harrow Point?");
  assert.match(await third.locator(".answer ul li").first().innerText(), /Ada Finch, left on 30 June 1964/);
  assert.match(await third.locator(".warnings").innerText(), /withdrawn|partly supported/);
  assert.equal(await page.locator(".session.current").count(), 1);
  await third.locator(".background summary").click();
  assert.match(await third.locator(".background").innerText(), /Written by a language model/);
});

test("the screen tells which collection is asked, and offers only what is there; conversations are listed by day, and found", async () => {
  const page = await open();
  await setOptions(page, { model: "rules" });
  assert.match(await page.locator(".summary").innerText(), /default/);
  await page.locator(".composer button[aria-haspopup=dialog]").click();
  await page.locator(".dialog").waitFor();
  assert.equal(await page.getByText("Search the web").count(), 0, "no search engine is configured");
  await page.keyboard.press("Escape");
  await page.locator(".starters button").first().click();
  await ended(page, page.locator(".turn").first());
  assert.match(await page.locator(".question").innerText(), /What does “.+” say\?/);
  assert.match(await page.locator(".day").first().innerText(), new RegExp(String(new Date().getFullYear())));
  await page.getByRole("searchbox", { name: "Find a conversation" }).fill("what does “");
  assert.deepEqual(await page.locator(".session").count(), 1);
});

for (const viewport of [{ width: 1280, height: 860 }, { width: 390, height: 844 }]) {
  test(`the page stays as high as its window, and an answer is shown from its question on: ${viewport.width} x ${viewport.height}`, async () => {
    const page = await open({ viewport });
    await setOptions(page, { model: "rules", pro: true });
    for (const question of [CASSINI, "When did Phoenix land on Mars?", "What did Viking 1 find?", CASSINI]) {
      const turn = await ask(page, question);
      assert.equal(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight), 0);
      const [scroll, asked] = await Promise.all([page.locator(".scroll").boundingBox(), turn.locator(".question").boundingBox()]);
      assert.ok(asked.y >= scroll.y && asked.y < scroll.y + 60, `${question} stands at ${asked.y}`);
    }
  });
}

test("a hovered citation shows its words, an open one marks them in the document", async () => {
  const page = await open();
  const turn = await ask(page, "When was the lighthouse of Harrow Point lit?");
  const chip = turn.locator(".answer .chip").first();
  await chip.hover();
  const quote = await page.locator(".preview-quote").innerText();
  await chip.click();
  await page.locator(".panel mark").waitFor();
  assert.equal((await page.locator(".panel mark").allInnerTexts()).join(""), quote);
  assert.match(await page.locator(".document").innerText(), /Ada Finch/, "the whole document is there");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".panel").count(), 0);
  assert.equal(await chip.evaluate((node) => node === document.activeElement), true, "the focus is back");
});

test("a running answer is stopped", async () => {
  const page = await open();
  const turn = await ask(page, SLOW_QUESTION, { wait: false });
  await turn.locator(".answer .chip").first().waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await turn.getByText("Stopped").waitFor();
  const text = await turn.locator(".answer").innerText();
  await page.waitForTimeout(600);
  assert.equal(await turn.locator(".answer").innerText(), text, "nothing more is written");
  assert.ok(!text.includes("Stone 39"));
});

test("an answer goes on after the page was loaded anew in the middle of it", async () => {
  const page = await open();
  const turn = await ask(page, SLOW_QUESTION, { wait: false });
  await turn.locator(".answer .chip").first().waitFor();
  await page.reload();
  const again = page.locator(".turn").first();
  await again.waitFor();
  await ended(page, again);
  const text = await again.locator(".answer").innerText();
  assert.match(text, /Stone 1[^0-9]/);
  assert.match(text, /Stone 39/);
  assert.equal((text.match(/Stone 20[^0-9]/g) ?? []).length, 1, "nothing is written twice");
});

test("a stored conversation opens by its link, is renamed and deleted", async () => {
  const page = await open();
  await ask(page, "When was the lighthouse of Harrow Point lit?");
  const link = page.url();
  const other = await open({}, new URL(link).hash);
  await other.locator(".answer .chip").first().waitFor();
  assert.match(await other.locator(".answer").innerText(), /lit on 3 May 1871/);
  await other.locator(".session.current button").click();
  await other.getByLabel("Name").fill("The lamp");
  await other.getByRole("button", { name: "Save" }).click();
  await other.getByRole("link", { name: "The lamp" }).waitFor();
  await page.reload();
  await page.getByRole("link", { name: "The lamp" }).waitFor(); // another browser has the name, too
  assert.equal(await page.locator(".bar-title").innerText(), "The lamp");
  await other.locator(".session.current button").click();
  await other.locator(".dialog .danger").click();
  await other.locator(".dialog .danger").click();
  await other.locator(".welcome").waitFor();
  await other.getByRole("link", { name: "The lamp" }).waitFor({ state: "detached" }); // the list is read anew
});

test("a dropped PDF is ingested and asked about, another one fails with a reason, and it is deleted", async () => {
  const page = await open({}, "#/documents");
  const bytes = [...(await readFile(process.env.CONSOLE_PDF))];
  const transfer = await page.evaluateHandle((content) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(content)], "windmill.pdf", { type: "application/pdf" }));
    data.items.add(new File(["no pdf"], "broken.pdf"));
    return data;
  }, bytes);
  await page.dispatchEvent(".drop", "drop", { dataTransfer: transfer });
  await page.locator(".jobs .done").waitFor({ timeout: 60_000 });
  await page.locator(".jobs .failed").waitFor({ timeout: 60_000 });
  assert.match(await page.locator(".jobs .failed").innerText(), /broken\.pdf.*is not in the pdf format/s);
  const row = page.locator(".document-list li", { hasText: "windmill.pdf" });
  await row.waitFor();
  await page.goto(`${URL_OF_CONSOLE}#/`);
  await setOptions(page, { model: "rules" });
  const turn = await ask(page, "When was the windmill of Elm Hill built?");
  assert.match(await turn.locator(".answer").innerText(), /1788/);
  await turn.locator(".answer .chip").first().click();
  await page.locator(".sheet-boxes span").first().waitFor(); // the page stands beside the text, and the words are marked in both
  assert.match((await page.locator(".panel mark").allInnerTexts()).join(""), /1788/);
  const [marked, picture] = await Promise.all([page.locator(".sheet-boxes span").first().boundingBox(), page.locator(".sheet img").boundingBox()]);
  assert.ok(marked.x > picture.x && marked.y > picture.y && marked.width < picture.width / 2 && marked.height < picture.height / 20);
  assert.ok(await page.locator(".sheet img").evaluate((image) => image.naturalWidth === 850));
  await page.goto(`${URL_OF_CONSOLE}#/documents`);
  await row.getByRole("button").click();
  await page.locator(".dialog .danger").click();
  await row.waitFor({ state: "detached" });
});

test("a document that is nested and emphasised without end is opened at the cited words", async () => {
  const page = await open({}, "#/documents");
  const hostile = `${"> ".repeat(1000)}deep\n\n${"**a ".repeat(20_000)}\n\n${"- a\n".repeat(20_000)}`;
  const transfer = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "mill.md"));
    return data;
  }, `${hostile}\n\nThe watermill of Ash Fen was built in 1690.\n\n${hostile}`);
  await page.dispatchEvent(".drop", "drop", { dataTransfer: transfer });
  await page.locator(".jobs .done").waitFor({ timeout: 60_000 });
  await page.goto(`${URL_OF_CONSOLE}#/`);
  await setOptions(page, { model: "rules" });
  const turn = await ask(page, "When was the watermill of Ash Fen built?");
  await turn.locator(".answer .chip").first().click();
  await page.locator(".panel mark").first().waitFor({ timeout: 5_000 });
  assert.match((await page.locator(".panel mark").allInnerTexts()).join(""), /1690/);
  const elements = async () => page.evaluate(() => document.querySelectorAll(".panel *").length);
  assert.ok((await elements()) < 25_000);
  await page.getByRole("button", { name: "Show what stands before" }).click();
  assert.ok((await elements()) < 45_000);
  await page.keyboard.press("Escape");
});

test("the timeline is zoomed, filtered and exported; pictures stand in their places", async () => {
  const page = await open();
  await setOptions(page, { model: "rules", pro: true });
  const turn = await ask(page, CASSINI);
  await turn.locator(".picture img").first().waitFor();
  const shown = async () => Number((await turn.locator(".timeline-filter .hint").innerText()).split(" ")[0]);
  const all = await shown();
  await turn.getByRole("button", { name: "Zoom in" }).click();
  await turn.getByRole("button", { name: "Zoom in" }).click();
  assert.ok((await shown()) < all, "fewer events fit");
  await turn.locator(".axis").focus();
  await page.keyboard.press("Home");
  assert.equal(await shown(), all);
  await turn.getByRole("searchbox").fill("enceladus");
  assert.ok((await shown()) < all);
  await turn.getByRole("searchbox").fill("");
  for (const [format, begins] of [["SVG", "<svg"], ["ICS", "BEGIN:VCALENDAR"], ["JSON", "{"], ["MD", "# "]]) {
    await turn.locator(".menu summary").click();
    const [file] = await Promise.all([page.waitForEvent("download"), turn.getByRole("button", { name: format, exact: true }).click()]);
    assert.ok((await readFile(await file.path(), "utf8")).startsWith(begins), format);
  }
});

test("the plan of a question with two parts is drawn, with what was found for each", async () => {
  const page = await open();
  await setOptions(page, { model: "rules" });
  const turn = await ask(page, "When did Phoenix land, and what did Viking 1 find?");
  await turn.locator(".background summary").click();
  assert.equal(await turn.locator(".plan-node.done").count(), 2);
});

test("what a user may not see is in no answer, list or document", async () => {
  const page = await open();
  await setOptions(page, { model: "rules" });
  const question = "What does the vault of Harrow Point hold?";
  const stranger = await ask(page, question);
  assert.doesNotMatch(await stranger.innerText(), /Osric/);
  await page.goto(`${URL_OF_CONSOLE}#/documents`);
  await page.locator(".document-list").waitFor();
  assert.doesNotMatch(await page.locator("main").innerText(), /The vault of Harrow Point/);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("textbox", { name: "Principals" }).fill("keeper");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");
  await page.locator(".document-list li", { hasText: "The vault of Harrow Point" }).waitFor();
  await page.goto(`${URL_OF_CONSOLE}#/`);
  const keeper = await ask(page, question);
  assert.match(await keeper.locator(".answer").innerText(), /Osric/);
});

test("an answer that the documents do not hold is said to be none", async () => {
  const page = await open();
  await setOptions(page, { model: "rules" });
  const turn = await ask(page, "Which recipe did Napoleon's cook use for marzipan?");
  assert.match(await turn.locator(".tag").innerText(), /hold no answer/);
});

test("the keyboard alone asks, opens a source and comes back", async () => {
  const page = await open();
  await page.keyboard.type("When was the lighthouse of Harrow Point lit?");
  await page.keyboard.press("Enter");
  await ended(page, page.locator(".turn").first());
  await page.locator(".answer .chip").first().focus();
  await page.locator(".preview").waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".panel mark").waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement?.className.includes("chip")), true);
  assert.match(await page.locator("[role=status]").innerText(), /The answer is complete\..*3 May 1871/s);
});

for (const colorScheme of ["light", "dark"]) {
  for (const width of [1280, 390]) {
    test(`axe finds no violation: ${colorScheme}, ${width} px`, async () => {
      const page = await open({ colorScheme, viewport: { width, height: 844 }, locale: width === 390 ? "de-DE" : "en-US", bypassCSP: true });
      await axe(page, "welcome");
      await setOptions(page, { model: "rules", pro: true });
      const turn = await ask(page, CASSINI);
      await turn.locator(".picture img").first().waitFor();
      await axe(page, "answer");
      await turn.locator(".answer .chip").first().click();
      await page.locator(".panel mark").waitFor();
      await axe(page, "passage");
      await page.keyboard.press("Escape");
      await page.locator(".composer button[aria-haspopup=dialog]").click();
      await axe(page, "options");
      await page.keyboard.press("Escape");
      await page.goto(`${URL_OF_CONSOLE}#/documents`);
      await page.locator(".document-list").waitFor();
      await axe(page, "documents");
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, "nothing is wider than the page");
    });
  }
}

async function axe(page, where) {
  await page.waitForTimeout(250);
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const found = violations.map(({ id, nodes }) => `${where}: ${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).slice(0, 3).join(" | ")}`);
  assert.deepEqual(found, []);
}
