// Opens a page in Chromium, does what it is told there, and says what came of it, as JSON.
// On standard input: {page, script, width, dark, before, scripts, touch}; see conftest.py.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const [modules, chromiumPath] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const { chromium } = require("playwright-core");
const asked = JSON.parse(readFileSync(0, "utf-8"));

const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu", "--disable-quic"] });
const context = await browser.newContext({
  viewport: { width: asked.width, height: 900 },
  colorScheme: asked.dark ? "dark" : "light",
  javaScriptEnabled: asked.scripts,
  // axe and our own questions come by the protocol, which a page's policy does not hold for
  offline: true,
});
if (asked.before) await context.addInitScript(asked.before);
const page = await context.newPage();
const requests = [], said = [];
page.on("request", (request) => { if (!request.url().startsWith("data:")) requests.push(request.url()); });
page.on("console", (message) => said.push(message.text()));
page.on("pageerror", (error) => said.push(String(error)));
try {
  await page.goto(`file://${asked.page}`);
  if (asked.ready) await page.waitForSelector(".schedules[data-ready]", { state: "attached", timeout: 20000 });
  const AsyncFunction = (async () => {}).constructor;
  const axe = () => readFileSync(require.resolve("axe-core/axe.min.js"), "utf-8");
  // what was asked for is drawn in the next frame
  const drawn = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const result = await new AsyncFunction("page", "axe", "drawn", asked.script)(page, axe, drawn);
  console.log(JSON.stringify({ result: result === undefined ? null : result, requests, said }));
} finally {
  await browser.close();
}
