// Two or three people and a watcher, and every byte that each of them receives: none has what only others knew.
//
// That the scan would find a leak is proved by one: in the middle of each match a browser gets the cookie of another seat, so that the
// server serves it the wrong view, and the same scan must fail. The product has no switch for it.

import { demand } from "./checks.mjs";
import { anyOf, chance } from "./choice.mjs";
import { until } from "./guest.mjs";
import { demandNoHidden, demandNoHiddenToWatcher, viewsOf } from "./hidden.mjs";
import { openBy, play, start } from "./table.mjs";

const NAMES = ["Ann", "Ben", "Cid"];

/** Games with the people that they take: ships, hands, cards that the others see, more than two seats. */
const TABLES = {
  "battleship-4x4": 2, "gin-rummy-small": 2, "hanabi-small": 2, "no-limit-holdem-3": 3, holdem: 2, "hearts-small": 3,
};

const quickly = ["battleship-4x4", "no-limit-holdem-3"];
const tests = (names) => Object.fromEntries(names.map((game) => [`leaks: ${game}.`, (world) => scanned(world, game)]));
export const quick = tests(quickly);
export const slow = tests(Object.keys(TABLES).filter((game) => !quickly.includes(game)));

async function scanned(world, game) {
  const { browser, base } = world;
  const session = await openBy(browser, base, { game }, NAMES.slice(0, TABLES[game]));
  const { guests, watcher } = session;
  const everybody = [...guests, watcher];
  for (const guest of everybody) {
    guest.expectsRefusals = true;
    guest.received = [];
  }
  const [ann, ben] = guests;
  await start(ann);
  await ann.page.click("[data-testid='End the session']");
  const any = anyOf(chance(`leaks ${game}`));
  const mutant = { looks: 0, bytes: null };
  // Of cards that are shown down in the end nothing is left to hide: everybody folds, but not before there was something to steal.
  const pick = (moves) => {
    const isFold = ({ label }) => /^fold/.test(label.trim());
    const [fold] = moves.filter(isFold);
    return mutant.bytes !== null && fold ? fold : any(moves.filter((move) => !isFold(move) && !/all in/.test(move.label))) ?? moves[0];
  };
  const way = async (guest) => {
    if (guest === ann && (mutant.looks += 1) === 2) mutant.bytes = await asAnother(session, ann, ben);
    return guest.playByMouse(pick);
  };
  await play(session, guests.map(() => way), 1, 300_000);
  await until("the end of the session", async () => (await ann.look()).isOver);
  const bytes = await Promise.all(everybody.map((guest) => guest.bytes()));
  const seen = await viewsOf(world, session);
  for (const [index, guest] of guests.entries()) console.log(`  ${guest.name}: ${demandNoHidden(seen, guest.name, bytes[index])}`);
  console.log(`  ${demandNoHiddenToWatcher(seen, bytes.at(-1))}`);
  // The same scans find what the server has sent to the wrong browser.
  const found = (scan) => {
    try {
      scan();
    } catch (error) {
      demand(/ was sent /.test(error.message), `the scan fails by a leak: ${error.message}`);
      return;
    }
    throw new Error("a leak is not found");
  };
  demand(mutant.bytes !== null, `${ann.name} was asked twice`);
  found(() => demandNoHidden(seen, ann.name, mutant.bytes));
  found(() => demandNoHiddenToWatcher(seen, mutant.bytes));
  for (const guest of everybody) guest.demandNoTrouble();
}

/** What one browser receives while it holds the cookies of another; none of it counts for the browser itself. */
async function asAnother({ id }, guest, other) {
  const own = await guest.context.cookies();
  const received = guest.received;
  guest.received = [];
  const become = async (cookies) => {
    await guest.context.clearCookies();
    await guest.context.addCookies(cookies);
    await guest.page.goto(`${guest.base}/s/${id}`);
  };
  await become(await other.context.cookies());
  const bytes = await guest.bytes();
  await guest.page.goto("about:blank");
  guest.received = received;
  await become(own);
  await until(`${guest.name} to be asked again`, () => guest.isAsked());
  return bytes;
}
