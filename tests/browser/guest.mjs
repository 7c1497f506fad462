// Somebody with a browser: what it shows, what it complains of, and every byte that it receives.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What a guest does and sees. */
export class Guest {
  constructor(name, context, page, base) {
    Object.assign(this, { name, context, page, base, troubles: [], received: [], expectsRefusals: false, isBold: false, moves: 0, forms: [] });
  }

  /** A guest with a browser of its own. */
  static async come(browser, name, base, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
    const page = await context.newPage();
    const guest = new Guest(name, context, page, base);
    await guest.listen();
    return guest;
  }

  async listen() {
    const { page } = this;
    page.on("console", (message) => {
      const isRefusal = this.expectsRefusals && /the server responded with a status of 4|Response Status Error Code 4/.test(message.text());
      if (message.type() === "error" && !isRefusal) this.troubles.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.troubles.push(`script: ${error.message}`));
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(this.base) && !url.startsWith("data:")) this.troubles.push(`asks another host: ${url}`);
    });
    page.on("response", (response) => {
      const request = response.request();
      if (request.method() === "POST") this.forms.push(`${response.status()} to ${request.postData()?.replace(/(csrf|key)=[^&]*&?/g, "")}`);
      this.received.push(response.text().catch(() => ""));
      this.received.push(Promise.resolve(JSON.stringify(response.headers())));
    });
    const protocol = await this.context.newCDPSession(page);
    await protocol.send("Network.enable");
    protocol.on("Network.eventSourceMessageReceived", (event) => this.received.push(Promise.resolve(event.data)));
  }

  /** Everything that the browser has received so far, as text. */
  async bytes() {
    const settled = this.received.map((part) => Promise.race([part, new Promise((resolve) => setTimeout(resolve, 200, ""))]));
    return (await Promise.all(settled)).join("\n");
  }

  /** What is wrong with the page for people who cannot see it, or use no mouse. */
  async accessibility() {
    // The page's own policy forbids scripts of others: the tester looks from outside of it.
    await this.page.evaluate(axe);
    const found = await this.page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
    return found.violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
  }

  /** How many pixels of the page stick out at a width. */
  async overflow(width) {
    const before = this.page.viewportSize();
    await this.page.setViewportSize({ width, height: 740 });
    const out = await this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await this.page.setViewportSize(before);
    return out;
  }

  /** What the page shows of the match, in one look: the turn that is asked for, the moves to choose from, and how far the session is. */
  look() {
    return this.page.evaluate(() => {
      const value = (name) => document.querySelector(`#panel-moves input[name=${name}]`)?.value ?? null;
      const buttons = [...document.querySelectorAll("#panel-moves button[data-testid=move], #panel-moves button[data-testid=range]")];
      const moves = buttons.map((button) => ({
        id: button.id, label: button.textContent, key: button.dataset.key ?? null, isRange: button.dataset.testid === "range",
        from: button.dataset.from ?? null, to: button.dataset.to ?? null,
      }));
      return {
        isAsked: document.querySelector("#panel-moves [data-asked]") !== null && moves.length > 0,
        hand: value("hand"), turn: value("turn"), moves,
        hands: document.querySelectorAll("#panel-session .hands li").length,
        isOver: document.querySelector("#panel-session h2")?.textContent === "Session: over",
        notice: document.getElementById("notice")?.textContent ?? "",
      };
    });
  }

  /** Where this guest stands, for whoever reads that a test failed. */
  async situation() {
    const focus = await this.page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120));
    return `${JSON.stringify({ ...(await this.look()), moves: undefined })}, focus on ${focus}, last forms: ${this.forms.slice(-3).join(" | ")}`;
  }

  /** Whether this guest has a move to choose. */
  async isAsked() {
    return (await this.look()).isAsked;
  }

  /** Plays by mouse: on the table where a move can be touched there, otherwise by its button. */
  async playByMouse(pick = ([first]) => first) {
    const { moves } = await this.look();
    if (moves.length === 0) return null;
    const move = pick(moves);
    const isOnTable = move.to !== null && (await this.page.locator(`[id="${move.to}"]`).count()) > 0;
    if (isOnTable) {
      for (const id of [move.from, move.to]) if (id !== null) await this.page.locator(`[id="${id}"]`).first().click({ timeout: 5_000 });
    }
    const isOnly = moves.filter((other) => other.to === move.to && other.from === move.from).length === 1;
    // What the table leaves open, the buttons say.
    if (!isOnTable || !isOnly) await this.pressButton(move);
    return move.label;
  }

  /** Clicks the button of a move, in the list if it is folded there; of amounts one of those that are suggested, all in last. */
  async pressButton(move) {
    const button = this.page.locator(`[id="${move.id}"]`);
    if (!(await button.isVisible())) await this.page.locator("#panel-moves details.move-list > summary").click({ timeout: 5_000 });
    if (move.isRange) {
      const presets = this.page.locator(`.range:has([id="${move.id}"]) [data-amount]`);
      const count = await presets.count();
      if (count > 0) await presets.nth(this.isBold ? this.moves % count : 0).click({ timeout: 5_000 });
    }
    this.moves += 1;
    await button.click({ timeout: 5_000 });
  }

  /** Plays by keyboard: by the key that a move shows, otherwise by going to its button with Tab and pressing it. */
  async playByKey(pick = ([first]) => first) {
    const { moves } = await this.look();
    if (moves.length === 0) return null;
    const move = pick(moves);
    const { keyboard } = this.page;
    if (move.key !== null) {
      await keyboard.press(move.key);
      return move.label;
    }
    const focus = () => this.page.evaluate(() => ({ id: document.activeElement.id, isList: document.activeElement.matches("details.move-list:not([open]) > summary") }));
    for (let steps = 0; steps < 600; steps += 1) {
      await keyboard.press("Tab");
      const { id, isList } = await focus();
      if (isList) await keyboard.press("Enter");
      if (id === move.id) {
        await keyboard.press("Enter");
        return move.label;
      }
    }
    throw new Error(`${this.name}: Tab does not lead to ${move.label}`);
  }

  /** Fails if anything went wrong in the browser. */
  demandNoTrouble() {
    if (this.troubles.length > 0) throw new Error(`${this.name}: ${this.troubles.join("\n  ")}`);
  }
}

/** Waits until this holds. */
export async function until(what, holds, ms = 30_000) {
  const end = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
