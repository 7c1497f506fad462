// The page of a match in one file, opened from the disk: it plays, keeps its own policy, and gives away the record that it holds.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { demand } from "./checks.mjs";
import { Guest } from "./guest.mjs";

export const quick = {
  async "a saved page of a match gives its record and hand history"({ browser, program, server }) {
    const file = (name) => join(server.folder, name);
    const run = (...parts) => execFileSync(program, parts, { encoding: "utf8" });
    run("play", "holdem", "--seed", "9", "--record", file("m.jsonl"));
    run("replay", file("m.jsonl"), "--html", file("m.html"));
    const guest = await Guest.come(browser, "reader", pathToFileURL(server.folder).href, { acceptDownloads: true });
    const { page } = guest;
    await page.goto(pathToFileURL(file("m.html")).href);
    for (const [words, contents] of [["the record", readFileSync(file("m.jsonl"), "utf8")], ["hand history", run("replay", file("m.jsonl"), "--format", "phh")]]) {
      const coming = page.waitForEvent("download");
      await page.click(`.downloads a:has-text("${words}")`);
      const download = await coming;
      demand(readFileSync(await download.path(), "utf8") === contents, `${words}: what is saved is what the program has`);
      demand(/^[\w.-]+\.(jsonl|phh)$/.test(download.suggestedFilename()), download.suggestedFilename());
    }
    demand((await page.locator(".badges li").count()) === 3, "badges say what is proved");
    demand((await guest.accessibility()).length === 0, "no serious violation");
    for (const width of [360, 1200]) demand((await guest.overflow(width)) <= 0, `it sticks out at ${width}`);
    guest.demandNoTrouble();
  },
};
