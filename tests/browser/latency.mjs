// How soon a move is shown at the other seat while many other tables are played, and how soon a first page is painted.
// It says something of a release build on a machine that does nothing else: `PROGRAM=target/release/croupier .ci/browser latency`.

import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { demand } from "./checks.mjs";
import { anyOf, chance } from "./choice.mjs";
import { Guest, until } from "./guest.mjs";
import { openBy, start } from "./table.mjs";
import { ScriptedTable } from "./scripted.mjs";

const TABLES = Number(process.env.TABLES ?? 200);
/** A hand of `holdem` costs the server several times as much: what a seat may do is proved with every hand that the other may have. */
const GAME = process.env.GAME ?? "kuhn";
const MOVES = Number(process.env.MOVES ?? 300);
/** What is promised, in milliseconds. */
const SHOWN_MS = 50;
const PAINTED_MS = 200;

export const slow = {
  async "latency: a move at the other seat while many tables are played"(world) {
    const others = [];
    for (let index = 0; index < TABLES; index += 1) others.push(await ScriptedTable.open(world.base, GAME, index));
    const running = others.map((table) => table.play());
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    const before = { at: Date.now(), cpu: cpuMs(world.server.pid()), own: process.cpuUsage(), moves: moved(others) };
    const times = await measure(world).finally(() => others.forEach((table) => table.stop()));
    const seconds = (Date.now() - before.at) / 1000;
    const own = process.cpuUsage(before.own);
    const share = (ms) => `${((100 * ms) / 1000 / seconds).toFixed(0)} %`;
    const at = (part) => times[Math.min(times.length - 1, Math.floor(part * times.length))].toFixed(1);
    console.log(`  ${TABLES} tables of ${GAME}, ${((moved(others) - before.moves) / seconds).toFixed(1)} moves a second: a move is at the other seat after ${at(0.5)} ms (p50), ${at(0.9)} (p90), ${at(0.99)} (p99), ${at(1)} (max) of ${times.length}`);
    const taken = cpuMs(world.server.pid()) - before.cpu;
    console.log(`  of one processor the server takes ${share(taken)}, ${(taken / Math.max(1, moved(others) - before.moves)).toFixed(1)} ms for a move; those who play by script ${share((own.user + own.system) / 1000)}; load ${loadavg()[0].toFixed(1)} on ${cpus().length} processors`);
    await Promise.all(running);
    demand(Number(at(0.99)) <= SHOWN_MS, `the promise is ${SHOWN_MS} ms for 99 of 100 moves`);
  },

  async "latency: the first paint of a first page"({ browser, base }) {
    const times = [];
    for (let visit = 0; visit < 9; visit += 1) {
      const guest = await Guest.come(browser, "reader", base);
      await guest.page.goto(`${base}/`, { waitUntil: "load" });
      await until("the first paint", () => guest.page.evaluate(() => performance.getEntriesByName("first-contentful-paint").length > 0));
      times.push(await guest.page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
      await guest.context.close();
    }
    times.sort((one, other) => one - other);
    console.log(`  the lobby is painted after ${times[4].toFixed(0)} ms (the middle of nine), ${times[8].toFixed(0)} at most`);
    demand(times[4] <= PAINTED_MS, `the promise is ${PAINTED_MS} ms`);
  },
};

const moved = (tables) => tables.reduce((sum, { moves }) => sum + moves, 0);

/** How much processor time a process has had, in milliseconds. */
function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Milliseconds from the click on a move to the change that it makes in the story of the other seat, in two browsers. */
async function measure({ browser, base }) {
  const table = await openBy(browser, base, { game: GAME, until: "host", break_ms: 200 }, ["Ann", "Ben"]);
  await start(table.guests[0]);
  const any = anyOf(chance("latency"));
  const times = [];
  while (times.length < MOVES) {
    for (const [index, guest] of table.guests.entries()) {
      const now = await guest.look();
      const moves = now.moves.filter(({ isRange, label }) => !isRange && !/^fold/.test(label.trim()));
      if (!now.isAsked || moves.length === 0) continue;
      const seen = table.guests[1 - index].page.evaluate(() => new Promise((resolve) => {
        const change = () => {
          observer.disconnect();
          resolve(performance.timeOrigin + performance.now());
        };
        const observer = new MutationObserver(change);
        observer.observe(document.getElementById("panel-story"), { childList: true, subtree: true, characterData: true });
      }));
      const sent = await guest.page.evaluate((id) => {
        const at = performance.timeOrigin + performance.now();
        document.getElementById(id)?.click();
        return at;
      }, any(moves).id);
      times.push((await seen) - sent);
      await until("the next turn", async () => {
        const { turn, hand } = await guest.look();
        return turn !== now.turn || hand !== now.hand;
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  return times.sort((one, other) => one - other);
}
