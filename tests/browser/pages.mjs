// The pages that need no table, those that refuse, and pages without scripts.

import { demand, sound } from "./checks.mjs";
import { Guest, until } from "./guest.mjs";
import { start } from "./table.mjs";

export const quick = {
  async "pages that need no table"({ browser, base, picture }) {
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

  async "pages of an invitation, a tournament and its players"({ browser, base, server }) {
    const ask = async (path, body) => {
      const headers = { Authorization: `Bearer ${server.token()}`, "Content-Type": "application/json" };
      const answer = await fetch(base + path, { headers, ...(body && { method: "POST", body: JSON.stringify(body) }) });
      const text = await answer.text();
      demand(answer.ok, `${path}: ${answer.status} ${text}`);
      return JSON.parse(text);
    };
    const entrants = ["random", "first-legal"].map((agent) => ({ kind: "agent", agent }));
    const made = await ask("/v1/tournaments", { name: "spring", game: "kuhn", matches: 4, entrants });
    const opened = await ask("/v1/sessions", { game: "leduc", title: "<b>not bold</b>" });
    const guest = await Guest.come(browser, "reader", base);
    await until("the end of the tournament", async () => (await ask(`/v1/tournaments/${made.id}`)).status === "over");
    const links = [opened.host, opened.watch, ...Object.values(opened.invitations)].map((token) => `/i/${token}`);
    for (const path of [`/t/${made.id}`, "/p/random", ...links]) {
      const response = await guest.page.goto(base + path);
      demand(response.status() === 200, `${path}: ${response.status()}`);
      demand((await guest.page.locator("main b").count()) === 0, `${path}: names are no markup`);
      await sound(guest, path);
    }
    guest.demandNoTrouble();
  },

  async "rules of one's own come from files, and are played"({ browser, base, picture }) {
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

  async "tournaments, players and replays of their matches"({ browser, base, server, picture }) {
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
        // The form's answer may be on its way.
        await page.reload().catch(() => {});
        return (await page.locator("#panel-moves button[data-testid=move]").count()) > 0;
      });
      await page.locator("#panel-moves button[data-testid=move]").last().click();
    }
    demand(new URL(page.url()).pathname.startsWith("/s/"), page.url());
    demand(await page.locator("#panel-story li").count() > 1, "the story is told");
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
