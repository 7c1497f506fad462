// Plays a recorded match. Everything shown comes from the data block of this page: nothing is fetched.
"use strict";
const match = JSON.parse(document.getElementById("match").textContent);
const element = (id) => document.getElementById(id);
const stage = element("stage"), slider = element("slider"), story = element("story"), views = element("views");
const play = element("play"), speed = element("speed"), moments = element("moments"), place = element("place");
let view = 0, frame = 0, timer = 0;

function fill(list, items, make) {
  list.replaceChildren(...items.map((item, index) => make(item, index)));
}

function button(text, pressed, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  if (pressed !== null) made.setAttribute("aria-pressed", String(pressed));
  made.addEventListener("click", act);
  return made;
}

function show(next) {
  const seen = match.views[view];
  frame = Math.max(0, Math.min(seen.frames.length - 1, next));
  stage.innerHTML = seen.frames[frame].map((chunk) => match.chunks[chunk]).join("");
  slider.max = String(seen.frames.length - 1);
  slider.value = String(frame);
  slider.setAttribute("aria-valuetext", seen.said[frame]);
  place.textContent = `${frame} / ${seen.frames.length - 1}`;
  for (const line of story.children) line.classList.toggle("is-now", Number(line.value) === frame);
  const now = story.querySelector(".is-now");
  if (now) story.scrollTop = now.offsetTop - story.clientHeight / 2;
  history.replaceState(null, "", `#turn-${frame}`);
}

function choose(next) {
  view = next;
  const seen = match.views[view];
  fill(views, match.views, (one, index) => button(one.name, index === view, () => choose(index)));
  fill(story, seen.said.map((said, index) => [said, index]).filter(([said]) => said), ([said, index]) => {
    const line = document.createElement("li");
    line.value = index;
    line.append(button(said, null, () => { stop(); show(index); }));
    return line;
  });
  fill(moments, seen.moments, ([index, name]) => button(name, null, () => { stop(); show(index); }));
  show(frame);
}

function stop() {
  clearInterval(timer);
  timer = 0;
  play.textContent = "Play";
}

function start() {
  stop();
  if (frame === match.views[view].frames.length - 1) show(0);
  play.textContent = "Pause";
  timer = setInterval(() => {
    if (frame === match.views[view].frames.length - 1) stop(); else show(frame + 1);
  }, Number(speed.value));
}

play.addEventListener("click", () => (timer ? stop() : start()));
speed.addEventListener("change", () => { if (timer) start(); });
slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
element("first").addEventListener("click", () => { stop(); show(0); });
element("back").addEventListener("click", () => { stop(); show(frame - 1); });
element("forth").addEventListener("click", () => { stop(); show(frame + 1); });
element("last").addEventListener("click", () => { stop(); show(Infinity); });
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
  if (event.key in steps) { stop(); show(frame + steps[event.key]); event.preventDefault(); }
  if (event.key === " " && !event.target.matches("button")) { play.click(); event.preventDefault(); }
});
addEventListener("hashchange", () => goTo(location.hash));

function goTo(hash) {
  const named = /^#turn-(\d+)$/.exec(hash);
  if (named) show(Number(named[1]));
}

// A decision of the review leads to the table on which it was made.
for (const decision of document.querySelectorAll("article[data-turn]")) {
  const turn = Number(decision.dataset.turn);
  decision.append(button("show the table", null, () => { stop(); show(turn); stage.scrollIntoView({ block: "nearest" }); }));
}

document.body.classList.add("is-playable");
const asked = location.hash;
choose(0);
show(0);
goTo(asked);
