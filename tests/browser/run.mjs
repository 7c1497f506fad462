// Plays in a real browser, and looks at every page: `node run.mjs PROGRAM CHROMIUM [FOLDER-FOR-PICTURES] [NAME...]`.

import { chromium } from "playwright-core";
import { Guest, until } from "./guest.mjs";
import { serve } from "./server.mjs";
import { open, play, start } from "./table.mjs";
import { trainerTests } from "./trainer.mjs";

const [program, executablePath, pictures, ...wanted] = process.argv.slice(2);

const demand = (holds, what) => {
  if (!holds) throw new Error(what);
};

/** Takes a picture of a page, if pictures are wanted. */
async function picture(guest, name) {
  if (pictures) await guest.page.screenshot({ path: `${pictures}/${name}.png` });
}

/** What holds of every page. */
async function sound(guest, where) {
  const violations = await guest.accessibility();
  demand(violations.length === 0, `${where}: ${violations.join("\n  ")}`);
  for (const width of [360, 1200]) {
    const out = await guest.overflow(width);
    demand(out <= 0, `${where}: ${out} pixels stick out at ${width}`);
  }
}

const byMouse = (prefer) => (guest) => guest.playByMouse(prefer);
const byKey = (prefer) => (guest) => guest.playByKey(prefer);
const calmly = ({ label }) => /^(check|call)/.test(label.trim());

const tests = {
  ...trainerTests,

  async "pages that need no table"({ browser, base }) {
    const guest = await Guest.come(browser, "reader", base);
    const { page } = guest;
    for (const path of ["/", "/games", "/games?tag=poker", "/games/holdem", "/games/tic-tac-toe", "/new", "/new?game=no-limit-holdem"]) {
      const response = await page.goto(base + path);
      const headers = response.headers();
      demand(response.status() === 200, `${path}: ${response.status()}`);
      demand(headers["content-security-policy"].startsWith("default-src 'self'; script-src 'self'; style-src 'self'"), `${path}: ${headers["content-security-policy"]}`);
      demand(headers["x-content-type-options"] === "nosniff" && headers["referrer-policy"] === "no-referrer", `${path}: headers`);
      await sound(guest, path);
    }
    await page.goto(`${base}/`);
    await picture(guest, "lobby");
    guest.expectsRefusals = true;
    for (const path of ["/nothing", "/games/nothing", "/s/000000000000000000000000", "/t/nothing", "/p/%3Cb%3Enobody", "/i/nothing"]) {
      const response = await page.goto(base + path);
      demand(response.status() === 404, `${path}: ${response.status()}`);
      demand(await page.locator("h1").count() === 1, `${path}: a page says what is wrong`);
      await sound(guest, path);
    }
    // Rules with what was found in them.
    await page.goto(`${base}/games`);
    await page.fill("#rules", "(role ann)\n(init <b>bold</b>)\n(legal ann (say ?x))\n");
    await page.click("text=Check the rules");
    demand(await page.locator(".note.error").count() > 0, "findings stand in the text");
    demand(await page.locator("b").count() === 0, "rules are no markup");
    await sound(guest, "checked rules");
    guest.demandNoTrouble();
  },

  async "tic-tac-toe by mouse and by keyboard, watched"({ browser, base }) {
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
    const seen = other.page.evaluate(() => new Promise((resolve) => {
      new MutationObserver(() => resolve(performance.timeOrigin + performance.now())).observe(document.getElementById("panel-story"), { childList: true, subtree: true });
    }));
    const sent = await asked.page.evaluate(() => {
      document.querySelector("#panel-moves button[data-testid=move]").click();
      return performance.timeOrigin + performance.now();
    });
    console.log(`  a move is at the other seat after ${((await seen) - sent).toFixed(0)} ms`);
    await play(table, [byMouse(), byKey()], 1);
    await until("what the watcher sees", async () => (await table.watcher.page.locator("#panel-story li").count()) > 2);
    await sound(table.watcher, "the table of a watcher");
    for (const guest of [...table.guests, table.watcher]) guest.demandNoTrouble();
  },

  async "hold'em hand after hand, by mouse and by keyboard"({ browser, base }) {
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

  async "chicken in real time by mouse and by keyboard, watched"({ browser, base }) {
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
      await play(table, Array(2).fill(byMouse(({ label }) => label.trim().startsWith("fold"))), hand);
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

  async "games of the catalogue, one person against programs"({ browser, base }) {
    const games = (process.env.GAMES ?? "no-limit-holdem liars-dice battleship-4x4 gin-rummy-small hearts-small hanabi-small dark-hex-3x3 yacht-small backgammon chess").split(" ");
    for (const game of games) {
      const guest = await Guest.come(browser, "Ann", base);
      await guest.page.goto(`${base}/new?game=${game}`);
      await guest.page.fill("#name", "Ann");
      const seats = guest.page.locator("[name=seats]");
      const count = (await seats.count()) > 0 ? await seats.inputValue() : null;
      const most = Number(await guest.page.locator("[name=agents]").getAttribute("max"));
      await guest.page.fill("[name=agents]", String(count === null ? most : Number(count) - 1));
      await guest.page.selectOption("[name=agent]", "random");
      await guest.page.click("[data-testid=open-table]");
      await guest.page.click("[data-testid=to-table]");
      await start(guest);
      const begun = Date.now();
      const over = async () => (await guest.page.locator("#panel-session .hands li").count()) > 0;
      let moves = 0;
      while (!(await over()) && moves < 40 && Date.now() - begun < 60_000) {
        if (!(await guest.isAsked())) {
          await new Promise((resolve) => setTimeout(resolve, 40));
          continue;
        }
        const turn = () => guest.page.locator("#panel-moves input[name=turn]").inputValue({ timeout: 200 }).catch(() => null);
        const before = await turn();
        if (moves === 0) {
          const out = await guest.overflow(360);
          demand(out <= 0, `${game}: ${out} pixels stick out at 360`);
          await picture(guest, `game-${game}`);
        }
        await guest.playByMouse().catch((error) => {
          if (!/Timeout/.test(error.message)) throw error;
        });
        moves += 1;
        await until(`a move of ${game} that counts: ${await guest.page.locator("#notice").innerText()}`, async () => (await turn()) !== before || (await over()), 20_000);
      }
      demand(moves > 0 || (await over()), `${game}: nobody was asked`);
      console.log(`  ${game}: ${moves} moves in ${Date.now() - begun} ms${(await over()) ? ", to the end" : ""}`);
      guest.demandNoTrouble();
      await guest.context.close();
    }
  },

  async "without scripts a move is a form, and the page is looked at again"({ browser, base }) {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${base}/new?game=tic-tac-toe`);
    await page.fill("#name", "Cat");
    await page.fill("[name=agents]", "1");
    await page.selectOption("[name=agent]", "first-legal");
    await page.click("[data-testid=open-table]");
    await page.click("[data-testid=to-table]");
    await page.click("[data-testid=Start]");
    for (let moves = 0; moves < 2; moves += 1) {
      await until("a turn", async () => {
        await page.reload();
        return (await page.locator("#panel-moves button[data-testid=move]").count()) > 0;
      });
      await page.locator("#panel-moves button[data-testid=move]").last().click();
    }
    demand(new URL(page.url()).pathname.startsWith("/s/"), page.url());
    demand(await page.locator("#panel-story li").count() > 1, "the story is told");
  },

  async "rules of one's own come from files, and are played"({ browser, base }) {
    const guest = await Guest.come(browser, "Ann", base);
    const { page } = guest;
    await page.goto(`${base}/games`);
    await page.setInputFiles("#rules-file", "games-ii/src/families/starter.gdl");
    await page.setInputFiles("#words-file", "games-ii/src/families/starter.toml");
    await until("the text of the files", async () => /\(role /.test(await page.inputValue("#rules")) && /title/.test(await page.inputValue("#words")));
    await page.click("[data-testid=check-rules]");
    await sound(guest, "rules that can be played");
    await picture(guest, "rules");
    await page.fill("#name", "Ann");
    await page.fill("#title", "Our own");
    const most = await page.locator("[name=agents]").getAttribute("max");
    await page.fill("[name=agents]", most);
    await page.selectOption("[name=agent]", "random");
    await page.click("[data-testid=open-table]");
    await page.click("[data-testid=to-table]");
    demand((await page.locator("h1").innerText()).includes("Our own"), "the table has its name");
    await start(guest);
    await until("a turn", () => guest.isAsked());
    await guest.playByMouse();
    guest.demandNoTrouble();
  },

  async "tournaments, players and replays of their matches"({ browser, base, server }) {
    const ask = async (method, path, body) => {
      const headers = { Authorization: `Bearer ${server.token()}`, "Content-Type": "application/json" };
      return (await fetch(base + path, { method, headers, body: body && JSON.stringify(body) })).json();
    };
    const agent = (name) => ({ kind: "agent", agent: name });
    const entrants = ["random", "first-legal", "raise"].map(agent);
    const { id } = await ask("POST", "/v1/tournaments", { name: "summer", game: "kuhn", matches: 4, entrants, rated: true });
    await until("the end of the tournament", async () => (await ask("GET", `/v1/tournaments/${id}`)).status === "over", 60_000);
    const guest = await Guest.come(browser, "reader", base);
    const { page } = guest;
    await page.goto(`${base}/t/${id}`);
    demand(await page.locator("[data-testid=standings] tbody tr").count() === 3, "three rows");
    demand(await page.locator("[data-testid=crosstable] tbody tr").count() === 3, "three rows against each other");
    await sound(guest, "a tournament");
    await picture(guest, "tournament");
    await page.locator("[data-testid=fixtures] a").last().click();
    await until("the replay", async () => (await page.locator("a[data-turn]").count()) > 2);
    await sound(guest, "the replay of a match");
    await page.goto(`${base}/p/random`);
    demand(await page.locator("[data-testid=ratings] tbody tr").count() === 1, "a rating");
    await sound(guest, "a player");
    guest.demandNoTrouble();
  },

  async "a first page is small"({ browser, base }) {
    const guest = await Guest.come(browser, "reader", base);
    const protocol = await guest.context.newCDPSession(guest.page);
    await protocol.send("Network.enable");
    let bytes = 0;
    const kinds = new Map();
    protocol.on("Network.responseReceived", ({ requestId, type }) => kinds.set(requestId, type));
    protocol.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      if (kinds.get(requestId) !== "Image") bytes += encodedDataLength;
    });
    await guest.page.goto(`${base}/`, { waitUntil: "load" });
    demand(bytes > 1_000 && bytes <= 100_000, `${bytes} bytes`);
    console.log(`  the lobby has ${bytes} bytes without its pictures`);
  },
};

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue;
  const server = await serve(program);
  const begun = Date.now();
  try {
    await test({ browser, base: server.url, server });
    console.log(`ok    ${name} (${Date.now() - begun} ms)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}\n  ${error.stack ?? error}\n  ${server.log().split("\n").slice(-5).join("\n  ")}`);
  }
  await server.stop();
  for (const context of browser.contexts()) await context.close();
}
await browser.close();
process.exit(failed === 0 ? 0 : 1);
