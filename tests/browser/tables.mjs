// Tables with two people and a third who watches.

import { demand, sound } from "./checks.mjs";
import { saying } from "./choice.mjs";
import { until } from "./guest.mjs";
import { counted, open, play, start } from "./table.mjs";

const byMouse = (pick) => (guest) => guest.playByMouse(pick);
const byKey = (pick) => (guest) => guest.playByKey(pick);
const calmly = saying(/^(check|call)/);

export const quick = {
  async "tic-tac-toe by mouse and by keyboard, watched"({ browser, base, picture }) {
    const table = await open(browser, base, "tic-tac-toe", ["Ann", "Ben"], { chat: true });
    const [ann, ben] = table.guests;
    await start(ann);
    await until("the first hand", async () => (await ann.isAsked()) || (await ben.isAsked()));
    await sound(ann, "the table");
    await picture(ann, "tic-tac-toe");
    await ben.page.fill("#chat-form [name=text]", "<img src=x onerror=alert(1)> good luck");
    await ben.page.click("#chat-form button");
    await until("what was said", async () => (await ann.page.locator("#panel-chat li").count()) === 1);
    demand(await ann.page.locator("#panel-chat img").count() === 0, "what is said is no markup");
    // How long a move takes to the other seat.
    const asked = (await ann.isAsked()) ? ann : ben;
    const other = asked === ann ? ben : ann;
    const before = await asked.look();
    const seen = other.page.evaluate(() => new Promise((resolve) => {
      new MutationObserver(() => resolve(performance.timeOrigin + performance.now())).observe(document.getElementById("panel-story"), { childList: true, subtree: true });
    }));
    const sent = await asked.page.evaluate(() => {
      document.querySelector("#panel-moves button[data-testid=move]").click();
      return performance.timeOrigin + performance.now();
    });
    console.log(`  a move is at the other seat after ${((await seen) - sent).toFixed(0)} ms`);
    await counted(asked, before, "the first");
    await play(table, [byMouse(), byKey()], 1);
    await until("what the watcher sees", async () => (await table.watcher.page.locator("#panel-story li").count()) > 2);
    await sound(table.watcher, "the table of a watcher");
    for (const guest of [...table.guests, table.watcher]) guest.demandNoTrouble();
  },

  async "hold'em hand after hand, by mouse and by keyboard"({ browser, base, picture }) {
    const table = await open(browser, base, "holdem", ["Ann", "Ben"]);
    const [ann, ben] = table.guests;
    await start(ann);
    await until("the first cards", async () => (await ann.isAsked()) || (await ben.isAsked()));
    await sound(ann, "the table");
    await picture(ann, "holdem");
    await ann.page.setViewportSize({ width: 360, height: 740 });
    await picture(ann, "holdem-phone");
    await ann.page.setViewportSize({ width: 1200, height: 900 });
    await play(table, [byMouse(calmly), byKey(calmly)], 3);
    await ann.page.locator("#panel-session .hands a").last().click();
    await until("the replay", async () => (await ann.page.locator("a[data-turn]").count()) > 3);
    await sound(ann, "a replay");
    await ann.page.click("[data-step=last]");
    await ann.page.waitForFunction(() => location.hash !== "");
    await until("the last table", async () => /showdown/i.test(await ann.page.locator("#replay-picture").innerText()));
    const last = ann.page.url();
    await ann.page.click("[data-step=first]");
    await until("the first table", async () => !/showdown/i.test(await ann.page.locator("#replay-picture").innerText()));
    // The address of a turn can be passed on.
    await ann.page.goto("about:blank");
    await ann.page.goto(last);
    await until("the turn of the address", async () => /showdown/i.test(await ann.page.locator("#replay-picture").innerText()));
    await picture(ann, "replay");
    for (const guest of [...table.guests, table.watcher]) guest.demandNoTrouble();
  },

  async "chicken in real time by mouse and by keyboard, watched"({ browser, base, picture }) {
    // A second of the game takes ten of the clock: people and busy machines have time.
    const table = await open(browser, base, "chicken", ["Ann", "Ben"], { speed: 100 });
    const [ann, ben] = table.guests;
    await start(ann);
    await until("what is counted down to", async () => (await ann.page.locator("#panel-clock [data-tenths]").count()) > 0);
    await until("moves for both", async () => (await ann.isAsked()) && (await ben.isAsked()));
    const left = async () => parseFloat(await ann.page.locator("#panel-clock [data-tenths]").first().textContent());
    const before = await left();
    await until("time to pass", async () => (await left()) < before);
    await sound(ann, "a table in real time");
    await picture(ann, "chicken");
    await ann.playByMouse();
    await until("Ann to have no other move", async () => !(await ann.isAsked()));
    for (const guest of [ben, table.watcher]) {
      await until("everybody to see it", async () => /swerve/.test(await guest.page.locator("#panel-story").innerText()));
    }
    demand(await ben.isAsked(), "Ben can still move");
    await ben.playByKey();
    const hands = () => ann.page.locator("#panel-session .hands li").count();
    await until("the cars to meet", async () => (await hands()) === 1);
    // In the next match nobody moves: it ends by itself.
    await until("the second match", async () => (await hands()) === 2, 60_000);
    await ann.page.locator("#panel-session .hands a").last().click();
    await until("the replay", async () => (await ann.page.locator("a[data-turn]").count()) >= 4);
    await sound(ann, "a replay in real time");
    for (const guest of [...table.guests, table.watcher]) guest.demandNoTrouble();
  },

  async "no byte that a browser receives has the cards of the other"({ browser, base }) {
    const table = await open(browser, base, "holdem", ["Ann", "Ben"]);
    await start(table.guests[0]);
    // What people hear, and what is written: `jack of spades`, `J♠`.
    const written = (label) => {
      const [rank, suit] = label.split(" of ");
      const letter = /^\d/.test(rank) ? rank : rank[0].toUpperCase();
      return letter + { spades: "♠", hearts: "♥", diamonds: "♦", clubs: "♣" }[suit];
    };
    const cards = (guest) => guest.page.locator(".is-nearest .card").evaluateAll((all) => all.map((card) => card.getAttribute("aria-label")));
    for (let hand = 1; hand <= 4; hand += 1) {
      await until("both to hold cards", async () => {
        const index = table.guests.map((guest) => guest.page.locator("#panel-story h2").textContent().catch(() => ""));
        const held = await Promise.all(table.guests.map(cards));
        return (await Promise.all(index)).every((text) => text === `Hand ${hand}`) && held.every((own) => own.length === 2 && own.every((label) => label.includes(" of ")));
      });
      const held = await Promise.all(table.guests.map(cards));
      // Whoever is first folds: nothing is ever shown of this hand.
      await play(table, Array(2).fill(byMouse(saying(/^fold/))), hand);
      for (const [index, guest] of table.guests.entries()) {
        const bytes = await guest.bytes();
        demand(held[index].every((card) => bytes.includes(card) && bytes.includes(written(card))), `${guest.name} is sent the own cards: the scan sees what is sent`);
        const leaked = held[1 - index].filter((card) => bytes.includes(card) || bytes.includes(written(card)));
        demand(leaked.length === 0, `${guest.name} was sent ${leaked}`);
        guest.received = [];
      }
      const watched = await table.watcher.bytes();
      demand(held.flat().every((card) => !watched.includes(card)), "those who watch are sent no cards");
    }
  },
};
