// A table whose two guests are programs: each asks over HTTP what there is to do, and moves, without thinking.

import { Agent, request } from "node:http";
import { anyOf, chance } from "./choice.mjs";

/** Between two moves at one table. */
const PACE_MS = 2_000;

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

export class ScriptedTable {
  constructor(base, id, tokens, random) {
    Object.assign(this, { base, id, tokens, random, moves: 0, next: Date.now() + random() * PACE_MS, isOver: false });
  }

  /** Opens a table, takes both seats, and starts. */
  static async open(base, game, index) {
    const opened = await ask(base, "/v1/sessions", null, { game, until: "host", break_ms: 500, play_clock_ms: 60_000 });
    const tokens = {};
    for (const [place, invitation] of Object.entries(opened.body.invitations)) {
      tokens[place] = (await ask(base, `/v1/invitations/${invitation}`, null, { name: `guest ${place}` })).body.token;
    }
    await ask(base, `/v1/sessions/${opened.body.id}`, opened.body.host, { do: "start" });
    return new ScriptedTable(base, opened.body.id, tokens, chance(`table ${index}`));
  }

  stop() {
    this.isOver = true;
  }

  /** Plays in all seats until it is stopped. */
  async play() {
    const seats = Object.entries(this.tokens).map(([place, token]) => this.sit(place, token));
    await Promise.all(seats).catch((error) => {
      // The server may be gone by then.
      if (!this.isOver) throw error;
    });
  }

  async sit(place, token) {
    let seen = { hand: 0, after: 0, moving: "" };
    let answered = "";
    const any = anyOf(this.random);
    while (!this.isOver) {
      const path = `/v1/sessions/${this.id}/seats/${place}`;
      const { status, body } = await ask(this.base, seen.hand === 0 ? path : `${path}?hand=${seen.hand}&after=${seen.after}${seen.moving}`, token);
      if (status !== 200) continue;
      const toMove = body.to_move;
      seen = { hand: body.hand, after: body.after, moving: toMove?.turn == null ? "" : `&moving=${toMove.turn}` };
      if (toMove?.turn == null || answered === `${body.hand} ${toMove.turn}`) continue;
      answered = `${body.hand} ${toMove.turn}`;
      const moves = toMove.legal ?? toMove.possible;
      if (moves.length === 0) continue;
      // Each table moves every two seconds, whichever of its seats it is.
      this.next = Math.max(this.next, Date.now() - PACE_MS) + PACE_MS;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, this.next - Date.now())));
      await ask(this.base, path, token, { hand: body.hand, turn: toMove.turn, move: any(moves) });
      this.moves += 1;
    }
  }
}

/** A request with JSON; what came of it. */
function ask(base, path, token, body) {
  return new Promise((resolve, reject) => {
    const headers = { ...(token && { Authorization: `Bearer ${token}` }), ...(body && { "Content-Type": "application/json" }) };
    const asked = request(base + path, { method: body ? "POST" : "GET", headers, agent }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part) => { text += part; }).on("end", () => {
        resolve({ status: answer.statusCode, body: text.startsWith("{") ? JSON.parse(text) : null });
      });
    });
    // A server closes connections that are idle: what met such a one is asked again, as the documentation of Node advises.
    asked.on("error", (error) => (asked.reusedSocket && error.code === "ECONNRESET" ? ask(base, path, token, body).then(resolve, reject) : reject(error)));
    asked.end(body ? JSON.stringify(body) : undefined);
  });
}
