// Which move a scripted guest makes: by what it says, or by chance that a seed repeats.

/** Chance of its own, the same for the same seed: `mulberry32`. */
export function chance(seed) {
  let state = [...String(seed)].reduce((hash, letter) => Math.imul(hash ^ letter.codePointAt(0), 0x01000193), 0x811c9dc5);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The first move that says this, or the first of all. */
export const saying = (pattern) => (moves) => moves.find(({ label }) => pattern.test(label.trim())) ?? moves[0];

/** Any move, each as likely as another. */
export const anyOf = (random) => (moves) => moves[Math.floor(random() * moves.length)];
