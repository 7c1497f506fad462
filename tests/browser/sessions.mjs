// How a session begins and what follows it: the blinds of a new table are those of its game, a match can be seen again, and a rematch
// takes everybody along.

import { demand, sound } from "./checks.mjs";
import { anyOf, chance } from "./choice.mjs";
import { Guest, until } from "./guest.mjs";
import { open, openBy, play, start } from "./table.mjs";

/** What the form of a new table has for blinds: the first level of the game's own, as its `[session.family]` says, or none. */
const BLINDS = { "no-limit-holdem": ["1", "2"], chess: [], "no-limit-holdem-6": ["1", "2"], holdem: [], kuhn: [] };

export const quick = {
  async "the blinds of a new table follow the game that is chosen"({ browser, base }) {
    const guest = await Guest.come(browser, "Ann", base);
    for (const [game, blinds] of Object.entries(BLINDS)) {
      await guest.page.goto(`${base}/`);
      await guest.page.locator(`a[href="/new?game=${game}"]`).first().click();
      const shown = await guest.page.locator("[name=small], [name=big]").evaluateAll((inputs) => inputs.map((input) => input.value));
      demand(String(shown) === String(blinds), `${game} offers the blinds ${shown}, not ${blinds}`);
    }
    guest.demandNoTrouble();
    // Those that are typed in are posted.
    const { id, guests: [ann, ben] } = await open(browser, base, "no-limit-holdem", ["Ann", "Ben"], { small: 5, big: 10 });
    await start(ann);
    await until("the first hand", async () => (await ann.isAsked()) || (await ben.isAsked()));
    for (const player of [ann, ben]) {
      const posted = await player.page.locator("[id^=p-][aria-label]").evaluateAll((all) => all.map((element) => element.getAttribute("aria-label")).filter((label) => !label.includes(" of ")).join("\n"));
      for (const blind of [5, 10]) demand(new RegExp(`\\b${blind}\\b`).test(posted), `${player.name} sees the blind of ${blind} in session ${id}: ${posted}`);
      player.demandNoTrouble();
    }
  },

  async "a seat's replay is the same when it is worked out again"({ browser, base, server }) {
    for (const game of ["no-limit-holdem", "battleship-4x4"]) {
      const { id, guests } = await openBy(browser, base, { game }, ["Ann", "Ben"]);
      const [ann] = guests;
      for (const guest of guests) guest.expectsRefusals = true;
      await start(ann);
      await ann.page.click("[data-testid='End the session']");
      const any = anyOf(chance(game));
      await play({ guests }, guests.map(() => (guest) => guest.playByMouse(any)), 1);
      for (const guest of guests) await until(`the end as ${guest.name} sees it`, async () => (await guest.look()).isOver);
      // What was shown while it was played is kept; a server that was killed works it out anew from what the seat was sent.
      const kept = await Promise.all(guests.map((guest) => replayOf(guest, id)));
      for (const guest of guests) await guest.page.goto("about:blank");
      await server.killAndRestart();
      const again = await Promise.all(guests.map((guest) => replayOf(guest, id)));
      for (const [index, pictures] of kept.entries()) {
        demand(pictures.length > 2 && new Set(pictures).size > 2, `${game}: a replay of ${pictures.length} turns`);
        const turn = pictures.findIndex((picture, turn) => picture !== again[index][turn]);
        demand(turn === -1 && again[index].length === pictures.length, `${game}: ${guests[index].name} sees another turn ${turn}:\n${pictures[turn]}\n${again[index][turn]}`);
      }
    }
  },

  async "a rematch takes everybody to the next session"({ browser, base }) {
    const table = await open(browser, base, "tic-tac-toe", ["Ann", "Ben"]);
    const { id, watcher } = table;
    const [ann, ben] = table.guests;
    const everybody = [ann, ben, watcher];
    const next = (guest) => guest.page.goto(`${base}/s/${id}/next`);
    const byMouse = table.guests.map(() => (guest) => guest.playByMouse());
    await start(ann);
    for (const guest of everybody) {
      const early = await next(guest);
      demand(early.status() === 404, `${guest.name} is sent to a session that does not exist: ${early.status()}`);
      // The browser itself complains of the page that is not there.
      guest.troubles = guest.troubles.filter((trouble) => !/status of 404/.test(trouble));
      await guest.page.goto(`${base}/s/${id}`);
    }
    await ann.page.click("[data-testid='End the session']");
    await play(table, byMouse, 1);
    for (const guest of everybody) await until(`the end as ${guest.name} sees it`, async () => (await guest.look()).isOver);
    await ann.page.click("[data-testid='Play again']");
    const place = (guest) => new URL(guest.page.url()).pathname;
    for (const guest of everybody) await until(`${guest.name} to come along`, () => place(guest) !== `/s/${id}`);
    demand(everybody.every((guest) => place(guest) === place(ann)), `all come to the same table: ${everybody.map(place)}`);
    // Whoever comes later, or twice, comes to the same one: there is one rematch.
    await next(ben);
    demand(place(ben) === place(ann), `the way to the next session leads to ${place(ben)}, not ${place(ann)}`);
    await sound(ann, "a rematch");
    await start(ann);
    await play(table, byMouse, 1);
    await until("what the watcher sees of it", async () => (await watcher.look()).hands >= 1);
    // Somebody from elsewhere gets nothing by the address alone.
    const stranger = await Guest.come(browser, "stranger", base);
    const refused = await next(stranger);
    demand(refused.status() >= 400 || !stranger.page.url().includes(place(ann)), `a stranger is sent on: ${refused.status()}`);
    for (const guest of everybody) guest.demandNoTrouble();
  },
};

/** The pictures of the turns of a seat's first match, from the first to the last, and the page around them. */
async function replayOf({ page, base }, id) {
  const path = `${base}/s/${id}/hands/1`;
  await page.goto(path);
  const turns = await page.locator("a[data-turn]").evaluateAll((all) => all.map((turn) => ({ number: turn.dataset.turn, text: turn.textContent })));
  const pictures = turns.map(async ({ number, text }) => `${text}: ${await (await page.request.get(`${path}?turn=${number}&part=picture`)).text()}`);
  return Promise.all(pictures);
}
