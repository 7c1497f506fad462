// What the others saw and this browser may not have been sent, worked out afterwards from the record by the command line, which
// shares nothing with the server's pages but the drawing of a picture.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { demand } from "./checks.mjs";

/** How long a replay may take to be drawn; where it takes longer, terms alone are compared. */
const DRAWING_MS = 180_000;

/** What each role was told and shown in the first match of a session that is over. */
export async function viewsOf({ program, base, server }, session) {
  const file = await recordOf(base, server, session);
  const { players } = JSON.parse(replayed(program, file, ["--json"])).matches[0];
  const views = Object.fromEntries(Object.keys(players).map((role) => [role, view(program, file, role)]));
  // What one was shown is compared with what all others were, or not at all.
  if (Object.values(views).some(({ labels }) => labels.size === 0)) for (const { labels, places } of Object.values(views)) [labels, places].forEach((all) => all.clear());
  return { players, views };
}

/** Fails if what the browser of a seat received while the session was played has what only others knew. Gives in words what was compared. */
export function demandNoHidden({ players, views }, name, bytes) {
  const own = Object.keys(players).find((role) => players[role].startsWith(name));
  demand(own !== undefined, `${name} has a role of ${JSON.stringify(players)}`);
  const others = Object.keys(views).filter((role) => role !== own).map((role) => views[role]);
  const seen = views[own];
  const hidden = demandNone(name, bytes, others, seen);
  // The scan sees what is sent: what this seat alone was shown is found.
  const shared = new Set(others.flatMap(({ labels }) => [...labels]));
  const alone = [...seen.labels].filter((label) => !shared.has(label) && !namesSomebody(label, players));
  const found = alone.filter((label) => bytes.includes(label));
  demand(alone.length === 0 || found.length > 0, `none of what ${name} alone was shown was received: ${alone.slice(0, 5).join(" | ")}`);
  return `${hidden} hidden things of others were not received, ${found.length} of ${alone.length} own ones were`;
}

/** The same of somebody who watches: they may know what every role was told and shown. */
export function demandNoHiddenToWatcher({ players, views }, bytes) {
  const all = Object.values(views);
  const common = (kind) => new Set([...all[0][kind]].filter((one) => all.every((view) => view[kind].has(one))));
  const seen = { terms: common("terms"), labels: common("labels"), places: common("places") };
  // Who bets what is told to all, to each in words of their own.
  const told = all.map((view) => ({ ...view, labels: [...view.labels].filter((label) => !namesSomebody(label, players)) }));
  const hidden = demandNone("the watcher", bytes, told, seen);
  const found = [...seen.labels].filter((label) => bytes.includes(label));
  demand(seen.labels.size === 0 || found.length > 0, "nothing of what everybody was shown was received by the watcher");
  return `${hidden} hidden things of all were not received by the watcher, ${found.length} of ${seen.labels.size} public ones were`;
}

/** Fails if any of what others were told is in the bytes, but for what was known; how many things were looked for. */
function demandNone(name, bytes, others, seen) {
  const secret = new Set(others.flatMap(({ terms, labels }) => [...terms, ...labels]));
  for (const known of [...seen.terms, ...seen.labels]) secret.delete(known);
  const leaked = [...secret].filter((canary) => bytes.includes(canary) && !isPartOfKnown(canary, seen));
  const around = (canary) => bytes.slice(Math.max(0, bytes.indexOf(canary) - 150), bytes.indexOf(canary) + 100);
  demand(leaked.length === 0, `${name} was sent ${leaked.slice(0, 3).map((canary) => `${canary} in ${around(canary)}`).join(" | ")}`);
  // A red one may be known, and yet not that it lies in this place.
  const received = placesIn(bytes);
  const placed = new Set(others.flatMap(({ places }) => [...places]).filter((place) => !seen.places.has(place)));
  const misplaced = [...placed].filter((place) => received.has(place));
  demand(misplaced.length === 0, `${name} was sent ${misplaced.slice(0, 3).join(" | ")}`);
  return secret.size + placed.size;
}

/** What lies where, as the elements of pictures say it; a card face down says nothing. */
function placesIn(html) {
  const elements = html.matchAll(/ id="([^"]*)" data-element="[^"]*"[^>]*? aria-label="([^"]*)"/g);
  return new Set([...elements].filter(([, , label]) => !label.includes("face down")).map(([, id, label]) => `${label} at ${id}`));
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
  const places = new Set();
  try {
    replayed(program, file, ["--match", "1", "--role", role, "--html", page, "--force"], DRAWING_MS);
    const { chunks } = JSON.parse(/<script type="application\/json" id="match">(.*)<\/script>/.exec(readFileSync(page, "utf8"))[1]);
    const html = chunks.join("");
    for (const [, label] of html.matchAll(/aria-label="([^"]*)"/g)) labels.add(label);
    for (const place of placesIn(html)) places.add(place);
  } catch (error) {
    if (error.code !== "ETIMEDOUT") throw error;
    console.log(`  the replay of ${role} takes longer than ${DRAWING_MS} ms to draw`);
  }
  // A name alone, such as that of a move, says nothing by itself.
  return { terms: new Set(terms.filter((term) => term.startsWith("("))), labels, places };
}

const namesSomebody = (label, players) => Object.keys(players).some((role) => label.toLowerCase().includes(role));

/** Whether a text is part of what the seat was told anyway, as `2 chips` is of `42 chips`. */
const isPartOfKnown = (canary, { labels, terms }) => [...labels, ...terms].some((known) => known.includes(canary));
