// Somebody with a browser: what it shows, what it complains of, and every byte that it receives.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What a guest does and sees. */
export class Guest {
  constructor(name, context, page, base) {
    Object.assign(this, { name, context, page, base, troubles: [], received: [], expectsRefusals: false });
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
      const isRefusal = this.expectsRefusals && message.text().includes("the server responded with a status of 4");
      if (message.type() === "error" && !isRefusal) this.troubles.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.troubles.push(`script: ${error.message}`));
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(this.base) && !url.startsWith("data:")) this.troubles.push(`asks another host: ${url}`);
    });
    page.on("response", (response) => {
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

  /** Whether this guest has a move to choose. */
  async isAsked() {
    return (await this.page.locator("#panel-moves [data-asked]").count()) > 0 &&
      (await this.page.locator("#panel-moves button[type=submit]").count()) > 0;
  }

  /** Plays by mouse: on the table where a move can be touched there, otherwise by its button. */
  async playByMouse(prefer = () => true) {
    const moves = this.page.locator("#panel-moves button[data-testid=move], #panel-moves button[data-testid=range]");
    const all = await moves.evaluateAll((buttons) => buttons.map((button) => ({
      id: button.id, label: button.textContent, from: button.dataset.from ?? null, to: button.dataset.to ?? null,
    })));
    if (all.length === 0) return null;
    const move = all.find(prefer) ?? all[0];
    const only = all.filter((other) => other.to === move.to && other.from === move.from).length === 1;
    if (move.to !== null) {
      for (const id of [move.from, move.to]) if (id !== null) await this.page.locator(`[id="${id}"]`).first().click({ timeout: 5_000 });
    }
    // What the table leaves open, the buttons say.
    if (!only || move.to === null) await this.page.locator(`[id="${move.id}"]`).click({ timeout: 5_000 });
    return move.label;
  }

  /** Plays by keyboard: the key that a move shows. */
  async playByKey(prefer = () => true) {
    const keys = await this.page.locator("#panel-moves [data-key]").evaluateAll((buttons) => buttons.map((button) => ({
      key: button.dataset.key, label: button.textContent,
    })));
    if (keys.length === 0) return null;
    const move = keys.find(prefer) ?? keys[0];
    await this.page.keyboard.press(move.key);
    return move.label;
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
