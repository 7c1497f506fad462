// What is played at a card night, to the end: by two people with mice, by two with keyboards alone, and a third watches.

import { demand } from "./checks.mjs";
import { anyOf, chance } from "./choice.mjs";
import { until } from "./guest.mjs";
import { openBy, play, start } from "./table.mjs";

/** Tables, and how many hands are played; of most games one, of those that have an end of their own all. */
const TABLES = {
  "ten hands of no-limit hold'em with rising blinds": {
    request: { game: "no-limit-holdem", blinds: [[1, 2], [2, 4], [3, 6], [5, 10]], raise_blinds: "3 matches", until: "matches = 10", rebuy: "never" },
    hands: 10,
  },
  "liar's dice to the last die": { request: { game: "liars-dice", seats: 2, stack: 3 }, hands: Infinity },
  battleship: { request: { game: "battleship-4x4" } },
  chess: { request: { game: "chess" } },
  "gin rummy": { request: { game: "gin-rummy-small" } },
  hearts: { request: { game: "hearts-small", agents: ["random"] } },
  hanabi: { request: { game: "hanabi-small" } },
};

/** Chess by chance has hundreds of turns. */
const LONGEST_MS = 900_000;

const ways = { mouse: (guest, pick) => guest.playByMouse(pick), keyboard: (guest, pick) => guest.playByKey(pick) };

export const slow = Object.fromEntries(Object.entries(TABLES).flatMap(([name, table]) =>
  Object.keys(ways).map((way) => [`by ${way}: ${name}`, (world) => playOut(world, name, table, way)])));

async function playOut({ browser, base }, name, { request, hands = 1 }, way) {
  const table = await openBy(browser, base, request, ["Ann", "Ben"]);
  const [ann] = table.guests;
  for (const guest of table.guests) guest.expectsRefusals = true;
  await start(ann);
  if (hands === 1) await ann.page.click("[data-testid='End the session']");
  const pick = prudent(chance(`${name} ${way}`));
  const begun = Date.now();
  const played = await play(table, table.guests.map(() => (guest) => ways[way](guest, pick)), hands, LONGEST_MS);
  await until("the end of the session", async () => (await ann.look()).isOver);
  const last = await ann.look();
  demand(last.hands >= Math.min(hands, 2) || hands === 1, `${name}: ${last.hands} hands`);
  await until("the end as the watcher sees it", async () => (await table.watcher.look()).isOver && (await table.watcher.look()).hands === last.hands);
  console.log(`  ${name} by ${way}: ${last.hands} hands, ${played.length} moves in ${((Date.now() - begun) / 1000).toFixed(0)} s`);
  for (const guest of [...table.guests, table.watcher]) guest.demandNoTrouble();
}

/** Any move, but a raise only now and then, a fold seldom, and never all that somebody has, so that many hands are played to their end. */
function prudent(random) {
  const any = anyOf(random);
  return (moves) => {
    const lasting = moves.filter(({ label }) => !/all in/.test(label));
    const calm = lasting.filter(({ label, isRange }) => !isRange && !/^(fold|raise|bet)/.test(label.trim()));
    if (calm.length > 0 && random() < 0.85) return any(calm);
    return any(lasting.length > 0 ? lasting : moves);
  };
}
