// Every real-time game of the catalogue: one person against a program, by clicking while time runs, to the end; then the replay.

import { execFileSync } from "node:child_process";
import { openAlone, scrub } from "./catalogue.mjs";
import { demand, fits, sound } from "./checks.mjs";
import { anyOf, chance } from "./choice.mjs";
import { Guest, until } from "./guest.mjs";
import { play, start } from "./table.mjs";

/** Those that are played for every change: one that hides nothing, and those that hide cards and values. */
const SAMPLE = ["chicken", "speed", "war-of-attrition"];

/** The longest that a match may take: blitz chess has three minutes for each player. */
const LONGEST_MS = 480_000;

/** What nobody but its holder sees is drawn as hidden, and what is the guest's own as it is. */
const SHOWN = {
  speed: async (guest) => {
    const labels = await guest.page.locator("#panel-table [aria-label]").evaluateAll((all) => all.map((part) => part.getAttribute("aria-label")));
    const faces = labels.filter((label) => /^((red|black) )?[1-8]$/.test(label.trim()));
    demand(faces.length >= 5, `the own hand and both piles are open: ${labels.join(" | ")}`);
    demand(labels.includes("a card face down"), `the hand of the other is hidden: ${labels.join(" | ")}`);
  },
};

/** The tests of the real-time games that a program has. */
export function timedTestsOf(program) {
  const { games } = JSON.parse(execFileSync(program, ["games", "--json"], { encoding: "utf8", maxBuffer: 1 << 26 }));
  const names = games.filter(({ time }) => time !== "turns").map(({ name }) => name);
  const tests = (chosen) => Object.fromEntries(chosen.map((name) => [`real time: ${name}.`, (world) => playOne(world, name)]));
  return { quick: tests(SAMPLE), slow: tests(names.filter((name) => !SAMPLE.includes(name))) };
}

async function playOne({ browser, base, picture }, game) {
  const guest = await Guest.come(browser, "Ann", base);
  const session = await openAlone(guest, game);
  await start(guest);
  // The first match is the last one.
  await guest.page.click("[data-testid='End the session']");
  await until("the table", async () => (await guest.page.locator("#panel-table").innerHTML()).includes("picture"));
  await sound(guest, `the table of ${game}`);
  const random = chance(game);
  let shown = 0;
  const way = async () => {
    if (shown === 0) await SHOWN[game]?.(guest);
    if (shown < 3) await fits(guest, `the table of ${game}`);
    if (shown === 1) await picture(guest, `game-${game}`);
    shown += 1;
    // What was legal when the button was shown may not be when it is pressed.
    guest.expectsRefusals = true;
    return guest.playByMouse(anyOf(random));
  };
  const begun = Date.now();
  const played = await play({ guests: [guest] }, [way], 1, LONGEST_MS);
  await until("the end of the session", async () => (await guest.look()).isOver);
  const seconds = ((Date.now() - begun) / 1000).toFixed(1);
  await fits(guest, `the table of ${game} in the end`);
  const turns = await scrub(guest, `/s/${session.id}/hands/1`, game);
  console.log(`  ${game}: ${played.length} moves in ${seconds} s, ${turns} steps in the replay`);
  guest.demandNoTrouble();
}
