// Pictures of the console for the documentation.

import { ask, launch, openConsole, setOptions } from "./browser.mjs";

const QUESTION = "What happened in the Cassini mission to Saturn, from launch to end?";
const FOLDER = process.env.PICTURES;
const browser = await launch();
for (const [name, options] of [
  ["light-1280", { colorScheme: "light", viewport: { width: 1280, height: 860 } }],
  ["dark-1280", { colorScheme: "dark", viewport: { width: 1280, height: 860 } }],
  ["light-390", { colorScheme: "light", viewport: { width: 390, height: 844 } }],
  ["dark-390", { colorScheme: "dark", viewport: { width: 390, height: 844 }, locale: "de-DE" }],
]) {
  const page = await openConsole(browser, options);
  await setOptions(page, { pro: true, model: "rules" });
  const turn = await ask(page, QUESTION);
  await turn.locator(".picture img").first().waitFor();
  await page.locator("#question").blur();
  if (name === "light-1280") {
    await turn.locator(".answer .chip").nth(2).click();
    await page.locator(".panel mark").waitFor();
  }
  if (name === "dark-1280") await turn.locator(".timeline").scrollIntoViewIfNeeded();
  const top = name === "dark-1280" ? 330 : 0;
  await page.evaluate((place) => (document.querySelector(".scroll").scrollTop = place), top);
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${FOLDER}/console-${name}.png` });
  await page.context().close();
}
await browser.close();
