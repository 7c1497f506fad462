// Every game of the catalogue: one person against programs, by clicking, to the end; then the replay; and what the browser was sent meanwhile.

import { execFileSync } from "node:child_process";
import { demand, fits, sound } from "./checks.mjs";
import { anyOf, chance } from "./choice.mjs";
import { Guest, until } from "./guest.mjs";
import { demandNoHidden, viewsOf } from "./hidden.mjs";
import { play, start } from "./table.mjs";

/** Those that are played for every change: one or two of each kind. */
const SAMPLE = ["battleship-4x4", "connect-four", "dark-hex-3x3", "hanabi-small", "hearts-small", "holdem", "liars-dice", "no-limit-holdem-3", "tic-tac-toe", "yacht-small"];

/** The longest that a game may take; chess by chance has hundreds of turns. */
const LONGEST_MS = 600_000;

/** The tests of the catalogue that a program has. */
export function testsOf(program) {
  const { games } = JSON.parse(execFileSync(program, ["games", "--json"], { encoding: "utf8", maxBuffer: 1 << 26 }));
  const tests = (names) => Object.fromEntries(names.map((name) => [`catalogue: ${name}.`, (world) => playOne(world, name)]));
  const names = games.filter(({ time }) => time === "turns").map(({ name }) => name);
  return { quick: tests(SAMPLE), slow: tests(names.filter((name) => !SAMPLE.includes(name))) };
}

/** Opens a table as a person does, with programs that move at random in all other seats. */
export async function openAlone(guest, game) {
  const { page } = guest;
  await page.goto(`${guest.base}/new?game=${game}`);
  await page.fill("#name", "Ann");
  const seats = page.locator("[name=seats]");
  const others = (await seats.count()) > 0 ? Number(await seats.inputValue()) - 1 : Number(await page.locator("[name=agents]").getAttribute("max"));
  await page.fill("[name=agents]", String(others));
  await page.selectOption("[name=agent]", "random");
  await page.click("[data-testid=open-table]");
  await page.click("[data-testid=to-table]");
  const watch = await page.locator("[data-testid=link]").last().inputValue();
  return { id: new URL(page.url()).pathname.split("/")[2], watch: watch.split("/").at(-1) };
}

async function playOne({ browser, base, server, program, picture }, game) {
  const guest = await Guest.come(browser, "Ann", base);
  guest.isBold = true;
  const session = await openAlone(guest, game);
  // What the page about the game says of it is no secret.
  guest.received = [];
  await start(guest);
  // The first hand is the last one.
  await guest.page.click("[data-testid='End the session']");
  const random = chance(game);
  let shown = 0;
  // The first tables are looked at closely: later ones have the same parts.
  const way = async () => {
    if (shown === 0) await sound(guest, `the table of ${game}`);
    else if (shown < 4) await fits(guest, `the table of ${game}`);
    if (shown === 1) await picture(guest, `game-${game}`);
    shown += 1;
    // A move that the person cannot know to be illegal may be refused.
    guest.expectsRefusals = true;
    return guest.playByMouse(anyOf(random));
  };
  const begun = Date.now();
  const played = await play({ guests: [guest] }, [way], 1, LONGEST_MS);
  const seconds = ((Date.now() - begun) / 1000).toFixed(1);
  await until("the end of the session", async () => (await guest.look()).isOver);
  const bytes = await guest.bytes();
  const turns = await scrub(guest, `/s/${session.id}/hands/1`, game);
  const hidden = demandNoHidden(await viewsOf({ program, base, server }, session), "Ann", bytes);
  console.log(`  ${game}: ${played.length} moves in ${seconds} s, ${turns} turns in the replay, ${hidden}`);
  guest.demandNoTrouble();
}

/** Goes through a replay: by steps, by the slider, by the addresses of turns; gives the number of turns. */
export async function scrub(guest, path, game) {
  const { page, base } = guest;
  await page.goto(base + path);
  const turns = await page.locator("a[data-turn]").count();
  demand(turns > 0, `${game}: a replay has turns`);
  await sound(guest, `the replay of ${game}`);
  const current = () => page.locator("a[data-turn][aria-current]").getAttribute("data-turn");
  const seen = () => page.locator("#replay-picture").innerHTML();
  const numbers = await page.locator("a[data-turn]").evaluateAll((all) => all.map((turn) => turn.dataset.turn));
  /** Does something, and waits for the picture that it asks for. */
  const showing = async (index, act) => {
    const fetched = (await current()) === numbers[index] ? null : page.waitForResponse((response) => response.url().includes("part=picture") && response.url().includes(`turn=${numbers[index]}&`));
    await act();
    if (fetched) demand((await fetched).status() === 200, `${game}: the picture of turn ${numbers[index]}`);
    demand((await current()) === numbers[index], `${game}: the replay stands at turn ${await current()}, not ${numbers[index]}`);
  };
  const last = turns - 1;
  await showing(last, () => page.click("[data-step=last]"));
  await until("the last picture", async () => (await seen()).includes("picture"));
  const atEnd = await settled(seen);
  await showing(0, () => page.click("[data-step=first]"));
  if (last > 0) {
    await showing(1, () => page.click("[data-step=next]"));
    const middle = Math.floor(last / 2);
    await showing(middle, () => page.locator("#scrubber").fill(String(middle)));
    await fits(guest, `the replay of ${game} in the middle`);
    await showing(Math.max(0, middle - 1), () => page.click("[data-step=previous]"));
    await page.goto("about:blank");
    await page.goto(`${base}${path}#turn-${numbers[last]}`);
    await until("the turn of the address", async () => (await current()) === numbers[last] && bare(await seen()) === bare(atEnd), 10_000);
  }
  await page.goto(`${base}${path}?as=everyone`);
  demand((await page.locator("a[data-turn]").count()) > 0, `${game}: the replay as everyone has turns`);
  await fits(guest, `the replay of ${game} as everyone`);
  return turns;
}

/** What it is when it no longer changes. */
async function settled(look) {
  let before = await look();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 150));
    const now = await look();
    if (now === before) return now;
    before = now;
  }
}

/** A picture without what says only that it has just come. */
const bare = (html) => html.replace(/ ?(is-changed|htmx-[a-z]+)/g, "").replace(/ class=""/g, "").replace(/\s+/g, " ");
