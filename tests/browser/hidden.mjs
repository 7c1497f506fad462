// What the others saw and this browser may not have been sent, worked out afterwards from the record by the command line, which
// shares nothing with the server's pages but the drawing of a picture.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { demand } from "./checks.mjs";

/** How long a replay may take to be drawn; where it takes longer, terms alone are compared. */
const DRAWING_MS = 60_000;

/** Fails if what a browser received while a session was played has what only others knew. Gives in words what was compared. */
export async function demandNoHidden({ program, base, server, session, bytes, name }) {
  const file = await recordOf(base, server, session);
  const first = JSON.parse(replayed(program, file, ["--json"])).matches[0];
  const own = Object.entries(first.players).find(([, player]) => player.startsWith(name))?.[0];
  demand(own !== undefined, `${name} has a role of ${JSON.stringify(first.players)}`);
  const others = Object.keys(first.players).filter((role) => role !== own);
  const seen = view(program, file, own);
  const told = others.map((role) => view(program, file, role));
  const secret = new Set(told.flatMap((other) => [...other.terms, ...other.labels]));
  for (const known of [...seen.terms, ...seen.labels]) secret.delete(known);
  const leaked = [...secret].filter((canary) => bytes.includes(canary) && !isPartOfKnown(canary, seen));
  const around = (canary) => bytes.slice(Math.max(0, bytes.indexOf(canary) - 150), bytes.indexOf(canary) + 100);
  demand(leaked.length === 0, `${name} was sent ${leaked.slice(0, 3).map((canary) => `${canary} in ${around(canary)}`).join(" | ")}`);
  // The scan sees what is sent: what this seat alone was shown is found.
  const shared = new Set(told.flatMap((other) => [...other.labels]));
  const alone = [...seen.labels].filter((label) => !shared.has(label) && !namesSomebody(label, first.players));
  const found = alone.filter((label) => bytes.includes(label));
  demand(alone.length === 0 || found.length > 0, `none of what ${name} alone was shown was received: ${alone.slice(0, 5).join(" | ")}`);
  return `${secret.size} hidden things of others were not received, ${found.length} of ${alone.length} own ones were`;
}

/** The record of a session that is over, in a file; `watch` is the key of those who watch. */
export async function recordOf(base, server, { id, watch }) {
  const answer = await fetch(`${base}/v1/sessions/${id}/record`, { headers: { Authorization: `Bearer ${watch}` } });
  demand(answer.status === 200, `the record of a session that is over: ${answer.status}`);
  const file = join(server.folder, `${id}.jsonl`);
  writeFileSync(file, await answer.text());
  return file;
}

/** What `croupier replay` prints of a record. */
export function replayed(program, file, options, timeout = 600_000) {
  return execFileSync(program, ["replay", file, ...options], { encoding: "utf8", maxBuffer: 1 << 28, timeout, stdio: ["ignore", "pipe", "pipe"] });
}

/** What a role was told and shown in the first match: its terms, those of its moves too, and the labels of its pictures. */
function view(program, file, role) {
  const { turns } = JSON.parse(replayed(program, file, ["--match", "1", "--role", role, "--json"])).matches[0];
  const terms = turns.flatMap(({ percepts, move, legal }) => [...percepts, move, ...(legal ?? [])]);
  const page = join(file, `../${role}.html`);
  const labels = new Set();
  try {
    replayed(program, file, ["--match", "1", "--role", role, "--html", page, "--force"], DRAWING_MS);
    const { chunks } = JSON.parse(/<script type="application\/json" id="match">(.*)<\/script>/.exec(readFileSync(page, "utf8"))[1]);
    for (const [, label] of chunks.join("").matchAll(/aria-label="([^"]*)"/g)) labels.add(label);
  } catch (error) {
    if (error.code !== "ETIMEDOUT") throw error;
    console.log(`  the replay of ${role} takes longer than ${DRAWING_MS} ms to draw`);
  }
  // A name alone, such as that of a move, says nothing by itself.
  return { terms: new Set(terms.filter((term) => term.startsWith("("))), labels };
}

const namesSomebody = (label, players) => Object.keys(players).some((role) => label.toLowerCase().includes(role));

/** Whether a text is part of what the seat was told anyway, as `2 chips` is of `42 chips`. */
const isPartOfKnown = (canary, { labels, terms }) => [...labels, ...terms].some((known) => known.includes(canary));
