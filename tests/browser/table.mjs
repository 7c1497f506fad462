// A table with people at it: opened in three clicks, joined by links, watched.

import { Guest, until } from "./guest.mjs";

/** Opens a table as its host would, by clicking, and seats the others by their links. Gives all guests, the host first. */
export async function open(browser, base, game, names, settings = {}) {
  const host = await Guest.come(browser, names[0], base);
  await host.page.goto(`${base}/`);
  await host.page.locator(`a[href="/new?game=${game}"]`).first().click();
  await host.page.fill("#name", names[0]);
  for (const [field, value] of Object.entries(settings)) {
    const input = host.page.locator(`[name=${field}]`);
    if (value === true) await input.check();
    else if (await input.evaluate((element) => element.tagName === "SELECT")) await input.selectOption(String(value));
    else await input.fill(String(value));
  }
  await host.page.click("[data-testid=open-table]");
  await host.page.click("[data-testid=to-table]");
  const links = await host.page.locator("[data-testid=link]").evaluateAll((inputs) => inputs.map((input) => input.value));
  const guests = [host];
  for (const name of names.slice(1)) {
    const guest = await Guest.come(browser, name, base);
    await guest.page.goto(links[guests.length - 1]);
    await guest.page.fill("#name", name);
    await guest.page.click("[data-testid=join]");
    await guest.page.click("[data-testid=to-table]");
    guests.push(guest);
  }
  const watcher = await Guest.come(browser, "watcher", base);
  await watcher.page.goto(links.at(-1));
  await watcher.page.click("[data-testid=join]");
  const id = new URL(host.page.url()).pathname.split("/")[2];
  return { id, guests, watcher };
}

/** The host starts the first hand. */
export async function start(host) {
  await host.page.click("[data-testid=Start]");
}

/** Plays until so many hands are over; each guest plays in its own way. */
export async function play({ guests }, ways, hands, ms = 120_000) {
  const end = Date.now() + ms;
  const played = [];
  const over = () => guests[0].page.locator("#panel-session .hands li").count();
  while ((await over()) < hands) {
    if (Date.now() > end) throw new Error(`${await over()} of ${hands} hands after ${ms} ms: ${played.slice(-8).join(", ")}`);
    let hasPlayed = false;
    for (const [index, guest] of guests.entries()) {
      if (!(await guest.isAsked())) continue;
      const turn = await guest.page.locator("#panel-moves input[name=turn]").inputValue().catch(() => null);
      const hand = await guest.page.locator("#panel-moves input[name=hand]").inputValue().catch(() => null);
      if (turn === null || hand === null) continue;
      const label = await ways[index](guest).catch((error) => {
        // The panel may have changed under the hand.
        if (/Timeout/.test(error.message)) return null;
        throw error;
      });
      if (label === null) continue;
      hasPlayed = true;
      played.push(`${guest.name} ${label.trim()}`);
      await until(`the move of ${guest.name} (${label}) in turn ${turn}`, async () => {
        const now = await guest.page.locator("#panel-moves input[name=turn]").inputValue({ timeout: 200 }).catch(() => null);
        const inHand = await guest.page.locator("#panel-moves input[name=hand]").inputValue({ timeout: 200 }).catch(() => null);
        return now !== turn || inHand !== hand;
      }, 15_000);
    }
    if (!hasPlayed) await new Promise((resolve) => setTimeout(resolve, 30));
  }
  return played;
}
