// A table with a trainer: what a seat could believe while it plays, and what its decisions gave up afterwards.

import { demand } from "./checks.mjs";
import { saying } from "./choice.mjs";
import { until } from "./guest.mjs";
import { open, play, start } from "./table.mjs";

const calmly = (guest) => guest.playByMouse(saying(/^(check|call)/));

export const trainerTests = {
  async "a trainer shows the hands that the other may have, and reviews decisions afterwards"({ browser, base }) {
    const table = await open(browser, base, "holdem", ["Ann", "Ben"], { trainer: true });
    const [ann, ben] = table.guests;
    await start(ann);
    const panel = (guest) => guest.page.locator("#panel-belief");
    for (const guest of table.guests) {
      await until(`the grid of ${guest.name}`, async () => (await panel(guest).locator("figure svg title").count()) > 169, 60_000);
      const told = await panel(guest).innerText();
      demand(/exact, [\d,]+ histories; model of the others: /.test(told), `it says what it rests on: ${told.slice(0, 300)}`);
      demand(/equity against the hands of a class/.test(told), `bars are explained: ${told.slice(0, 300)}`);
      const cells = await panel(guest).locator("figure svg title").allTextContents();
      // 50 cards are left, so every class is possible, most of them with all their hands.
      for (const name of ["AA", "AKs", "72o"]) {
        demand(cells.some((cell) => cell.startsWith(`${name}: `) && /your equity \d/.test(cell)), `${name} has its equity: ${cells.slice(0, 4)}`);
      }
    }
    demand((await panel(ann).locator("h2").count()) === 1, "the panel has one heading");
    demand((await table.watcher.page.locator("#panel-belief section").count()) === 0, "those who watch have no trainer");
    const violations = await ann.accessibility();
    demand(violations.length === 0, `the trainer's panel: ${violations.join("\n  ")}`);
    for (const width of [360, 1200]) demand((await ann.overflow(width)) <= 0, `the trainer's panel sticks out at ${width}`);
    await play(table, [calmly, calmly], 1);
    await ann.page.locator("#panel-session .hands a").last().click();
    await until("the review", async () => (await ann.page.locator("#replay-review article").count()) > 0, 60_000);
    const review = await ann.page.locator("#replay-review").innerText();
    demand(/gave up|histories|playouts|search/.test(review), review.slice(0, 300));
    demand(/bits unknown by turn/i.test(review), `how much was not known: ${review.slice(-300)}`);
    demand((await ann.page.locator(".moments a").count()) > 0, "there are moments to jump to");
    await ann.page.locator(".moments a").last().click();
    await until("the last table", async () => /showdown/i.test(await ann.page.locator("#replay-picture").innerText()));
    for (const guest of [ann, ben, table.watcher]) guest.demandNoTrouble();
  },
};
