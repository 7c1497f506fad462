// What the tests demand of pages.

/** Fails with these words unless it holds. */
export function demand(holds, what) {
  if (!holds) throw new Error(what);
}

/** What holds of every page: nothing that somebody cannot see, hear or reach, and nothing that sticks out on a phone. */
export async function sound(guest, where) {
  // What is just coming in is pale for a moment.
  await guest.page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)));
  const violations = await guest.accessibility();
  demand(violations.length === 0, `${where}: ${violations.join("\n  ")}`);
  await fits(guest, where);
}

/** Nothing of the page sticks out of a phone, or of a screen. */
export async function fits(guest, where) {
  for (const width of [360, 1200]) {
    const out = await guest.overflow(width);
    demand(out <= 0, `${where}: ${out} pixels stick out at ${width}`);
  }
}
