// Plays in a real browser, and looks at every page: `node run.mjs PROGRAM CHROMIUM [FOLDER-FOR-PICTURES] [NAME...]`.
//
// Without names the quick tests run, with CROUPIER_SLOW=1 all of them; with names those whose name has one of these parts.

import { chromium } from "playwright-core";
import * as catalogue from "./catalogue.mjs";
import * as games from "./games.mjs";
import * as kills from "./kills.mjs";
import * as latency from "./latency.mjs";
import * as leaks from "./leaks.mjs";
import * as pages from "./pages.mjs";
import * as saved from "./saved.mjs";
import { serve } from "./server.mjs";
import * as sessions from "./sessions.mjs";
import * as tables from "./tables.mjs";
import { timedTestsOf } from "./timed.mjs";
import { trainerTests } from "./trainer.mjs";

const [program, executablePath, pictures, ...wanted] = process.argv.slice(2);

const files = [
  pages, saved, tables, sessions, { quick: trainerTests }, catalogue.testsOf(program), timedTestsOf(program), games, kills, leaks, latency,
];
const quick = Object.assign({}, ...files.map((file) => file.quick ?? {}));
const slow = Object.assign({}, ...files.map((file) => file.slow ?? {}));
const named = ([name]) => wanted.some((part) => name.includes(part));
const all = Object.entries({ ...quick, ...slow });
const chosen = wanted.length > 0 ? all.filter(named) : Object.entries(process.env.CROUPIER_SLOW ? { ...quick, ...slow } : quick);

/** Takes a picture of a page, if pictures are wanted. */
async function picture(guest, name) {
  if (pictures) await guest.page.screenshot({ path: `${pictures}/${name}.png` });
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
let failed = 0;
for (const [name, test] of chosen) {
  const server = await serve(program);
  const begun = Date.now();
  try {
    await test({ browser, base: server.url, server, picture, program });
    console.log(`ok    ${name} (${Date.now() - begun} ms)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}\n  ${error.stack ?? error}\n  ${server.log().split("\n").slice(-5).join("\n  ")}`);
  }
  await server.stop();
  for (const context of browser.contexts()) await context.close();
}
await browser.close();
console.log(`${chosen.length - failed} of ${chosen.length} passed`);
process.exit(failed === 0 && chosen.length > 0 ? 0 : 1);
