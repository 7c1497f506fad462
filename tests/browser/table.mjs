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

/** Opens a table as `croupier host` does, with what the form has no field for; the first of the guests is the host. */
export async function openBy(browser, base, request, names, options = {}) {
  const answer = await fetch(`${base}/v1/sessions`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ break_ms: 500, ...request }),
  });
  const opened = await answer.json();
  if (answer.status !== 201 && answer.status !== 200) throw new Error(`a table of ${JSON.stringify(request)}: ${JSON.stringify(opened)}`);
  const guests = [];
  for (const [index, token] of Object.values(opened.invitations).entries()) {
    const guest = await Guest.come(browser, names[index], base, options);
    if (index === 0) await follow(guest, opened.host);
    await follow(guest, token);
    await guest.page.goto(`${base}/s/${opened.id}`);
    guests.push(guest);
  }
  const watcher = await Guest.come(browser, "watcher", base);
  await follow(watcher, opened.watch);
  await watcher.page.goto(`${base}/s/${opened.id}`);
  return { id: opened.id, guests, watcher, watch: opened.watch };
}

/** Takes what a link offers. */
async function follow(guest, token) {
  await guest.page.goto(`${guest.base}/i/${token}`);
  const name = guest.page.locator("#name");
  if ((await name.count()) > 0) await name.fill(guest.name);
  await guest.page.click("[data-testid=join]");
}

/** The host starts the first hand. */
export async function start(host) {
  await host.page.click("[data-testid=Start]");
}

/** Waits until what was chosen counts: another turn, another hand, or a refusal in words, after which something else may be chosen. */
export async function counted(guest, before, label) {
  const isNews = async () => {
    const now = await guest.look();
    return now.turn !== before.turn || now.hand !== before.hand || now.hands !== before.hands || now.isOver || (now.notice !== "" && now.notice !== before.notice);
  };
  await until(`the move of ${guest.name} (${label}) in turn ${before.turn}`, isNews, 30_000).catch(async (error) => {
    throw new Error(`${error.message}: ${await guest.situation()}`);
  });
}

/** Plays until so many hands are over, or the session is; each guest plays in its own way. Gives what was played. */
export async function play({ guests }, ways, hands, ms = 120_000) {
  const end = Date.now() + ms;
  const played = [];
  for (;;) {
    let hasPlayed = false;
    for (const [index, guest] of guests.entries()) {
      const before = await guest.look();
      if (before.hands >= hands || before.isOver) return played;
      if (Date.now() > end) throw new Error(`${before.hands} of ${hands} hands after ${ms} ms: ${played.slice(-8).join(", ")}`);
      if (!before.isAsked) continue;
      const label = await ways[index](guest).catch((error) => {
        // The panel may have changed under the hand.
        if (/Timeout/.test(error.message)) return null;
        throw error;
      });
      if (label === null) continue;
      hasPlayed = true;
      played.push(`${guest.name} ${label.trim()}`);
      await counted(guest, before, label.trim());
    }
    if (!hasPlayed) await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
