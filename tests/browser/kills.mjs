// The server is killed in the middle of hands, again and again, while two people play: their browsers go on by themselves.
//
//     CROUPIER_KILLS=50 .ci/browser "50 kills"    fifty instead of the hundred of the slow tests

import { demand } from "./checks.mjs";
import { anyOf, chance } from "./choice.mjs";
import { until } from "./guest.mjs";
import { recordOf, replayed } from "./hidden.mjs";
import { openBy, start } from "./table.mjs";

const STACK = 200;

/** How often the server is killed in the slow test; other numbers kill at other times, so that runs of 50 and of 51 make a hundred and one. */
const KILLS = Number(process.env.CROUPIER_KILLS ?? 100);

export const quick = { "three kills in the middle of hands": (world) => killed(world, 3) };
export const slow = { [`${KILLS} kills in the middle of hands`]: (world) => killed(world, KILLS) };

async function killed({ browser, base, server, program }, kills) {
  const request = { game: "no-limit-holdem", stack: STACK, until: "host", rebuy: "always", play_clock_ms: 60_000 };
  const table = await openBy(browser, base, request, ["Ann", "Ben"]);
  await start(table.guests[0]);
  const random = chance(`kills ${kills}`);
  const fate = { isOver: false, seen: new Set() };
  const players = table.guests.map((guest) => playOn(guest, random, fate));
  try {
    await Promise.race([killAgainAndAgain({ base, server, table, fate, random, program }, kills), ...players.map(failing)]);
  } finally {
    fate.isOver = true;
    await Promise.allSettled(players);
  }
  // A browser says so when a server is gone, and that a move came too late when it is back: nothing else.
  const expected = /^console: (\[object Event\]|htmx:(afterRequest|sendError)|.*ERR_|.*status of [45]\d\d|Response Status Error Code [45])/;
  for (const guest of table.guests) {
    guest.troubles = guest.troubles.filter((trouble) => !expected.test(trouble));
    guest.demandNoTrouble();
  }
}

/** Fails with somebody who plays, and never ends otherwise. */
const failing = (player) => player.then(() => new Promise(() => undefined));

/** Kills the server so often, ends the session, and proves its record. */
async function killAgainAndAgain({ base, server, table, fate, random, program }, kills) {
  const times = [];
  // Whoever asks for a start and gets no answer asks again: that is no part of this test.
  await until("the first hand", async () => fate.seen.size > 1, 120_000);
  for (let kill = 1; kill <= kills; kill += 1) {
    // At any time of a hand: while a form is on its way, while cards are dealt, between two hands.
    await new Promise((resolve) => setTimeout(resolve, random() * 1_500));
    await server.killAndRestart();
    const back = Date.now();
    const before = fate.seen.size;
    await demandChips(base, table);
    await until(`moves after kill ${kill}`, async () => fate.seen.size > before + 1, 300_000).catch(async (error) => {
      for (const guest of table.guests) console.log(`  ${guest.name}: ${await standing(guest)}`);
      throw error;
    });
    times.push(Date.now() - back);
    if (kill % 10 === 0) console.log(`  ${kill} kills, ${fate.seen.size} moves`);
  }
  const [host] = table.guests;
  await host.page.click("[data-testid='End the session']");
  await until("the end of the session", async () => (await host.look()).isOver, 120_000);
  const { hands } = await demandChips(base, table);
  // It fails unless every hand follows from the seed and the moves, and the stacks from the hands.
  replayed(program, await recordOf(base, server, table), ["--verify"]);
  times.sort((one, other) => one - other);
  console.log(`  ${kills} kills, ${hands} hands, ${fate.seen.size} moves; two moves after a restart within ${times[Math.floor(times.length / 2)]} ms (half of the times), ${times.at(-1)} ms (always)`);
}

/** Plays whatever is asked, and buys in again, until it is over. */
async function playOn(guest, random, fate) {
  const any = anyOf(random);
  while (!fate.isOver) {
    const now = await guest.look();
    fate.seen.add(`${now.hand} ${now.turn}`);
    const again = guest.page.locator("#panel-session button", { hasText: /Buy in again|I am back/ });
    if ((await again.count()) > 0) await again.first().click({ timeout: 1_000 }).catch(() => undefined);
    if (!now.isAsked) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      continue;
    }
    const calm = now.moves.filter(({ label }) => !/^fold/.test(label.trim()));
    const pick = () => any(random() < 0.8 ? calm.filter(({ isRange }) => !isRange) : now.moves) ?? now.moves[0];
    const label = await guest.playByMouse(pick).catch(() => null);
    const counted = async () => {
      const { turn, hand } = await guest.look();
      return turn !== now.turn || hand !== now.hand;
    };
    // A form that met a dead server is sent again.
    if (label !== null) await until("a move", counted, 1_000).catch(() => undefined);
  }
}

/** What somebody sees who waits in vain. */
async function standing(guest) {
  const text = (selector) => guest.page.locator(selector).innerText({ timeout: 1_000 }).catch(() => "");
  const words = [await text("#connection"), await text("#panel-moves"), await text("#panel-session")].join(" | ");
  return `${JSON.stringify(await guest.look())} ${words.replace(/\s+/g, " ").slice(0, 600)}; ${guest.troubles.slice(-3)}`;
}

/** No chip is lost or made: what the seats hold, as the session itself says. */
async function demandChips(base, { id, watch }) {
  const look = async () => (await fetch(`${base}/v1/sessions/${id}`, { headers: { Authorization: `Bearer ${watch}` } })).json();
  const view = await look();
  demand(!/fault/i.test(JSON.stringify(view.ending ?? "")), `the session ended by a fault: ${view.ending}`);
  const held = view.seats.reduce((sum, { stack }) => sum + stack, 0);
  demand(held >= 2 * STACK && held % STACK === 0, `${held} chips, bought by ${STACK}`);
  return { hands: view.hands_played };
}
