// A browser for the scripts beside this one.

import { chromium } from "playwright-core";

export const URL_OF_CONSOLE = process.env.CONSOLE_URL;
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export function launch() {
  return chromium.launch({ executablePath: process.env.PARLEY_CHROMIUM ?? "/usr/bin/chromium", args: ARGUMENTS });
}

/** A page with the console, whose faults are collected. */
export async function openConsole(browser, options = {}, path = "") {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: "en-US", acceptDownloads: true, permissions: ["clipboard-read", "clipboard-write"], ...options });
  const page = await context.newPage();
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && /Content Security Policy|Uncaught/.test(message.text())) page.faults.push(message.text());
  });
  await page.goto(URL_OF_CONSOLE + path);
  await page.waitForSelector("#question, .documents");
  return page;
}

export async function ask(page, question, { wait = true } = {}) {
  const before = await page.locator(".turn").count();
  await page.fill("#question", question);
  await page.keyboard.press("Enter");
  const turn = page.locator(".turn").nth(before);
  await turn.waitFor();
  if (wait) await ended(page, turn);
  return turn;
}

/** Wait until a turn is complete. */
export async function ended(page, turn, timeout = 120_000) {
  await turn.locator(".background, .notice.bad").first().waitFor({ timeout });
  return turn;
}

export async function setOptions(page, change) {
  await page.evaluate((options) => {
    const now = JSON.parse(localStorage.getItem("parley.options") ?? "null") ?? { collection: "", strategy: 0, model: "", length: 0, web: false, pro: false, maxTokens: 0 };
    localStorage.setItem("parley.options", JSON.stringify({ ...now, ...options }));
  }, change);
  await page.reload();
  await page.waitForSelector("#question");
}
