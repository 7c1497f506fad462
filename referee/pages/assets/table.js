const byId = (id) => document.getElementById(id);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
function showConnection(isLive) {
    const shown = byId("connection");
    if (!shown)
        return;
    shown.textContent = isLive ? "live" : "connection lost: trying again";
    shown.classList.toggle("lost", !isLive);
}
document.addEventListener("htmx:sseOpen", () => showConnection(true));
document.addEventListener("htmx:sseError", () => showConnection(false));
window.addEventListener("offline", () => showConnection(false));
const deadlines = new WeakMap();
function tick() {
    for (const clock of all("[data-remaining-ms]")) {
        const said = `${clock.dataset["remainingMs"]} ${clock.dataset["mark"]}`;
        let known = deadlines.get(clock);
        if (!known || known.said !== said) {
            known = { said, at: performance.now() + Number(clock.dataset["remainingMs"]) };
            deadlines.set(clock, known);
        }
        const left = known.at - performance.now();
        const bank = Number(clock.dataset["bankMs"] ?? 0);
        const isBank = left <= 0 && bank > 0;
        const ms = Math.max(0, isBank ? left + bank : left);
        const seconds = Math.ceil(ms / 1000);
        const text = "tenths" in clock.dataset ? `${(ms / 1000).toFixed(1)} s` : `${isBank ? "time bank " : ""}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
        if (clock.textContent !== text)
            clock.textContent = text;
        clock.classList.toggle("short", seconds <= 10);
    }
}
window.setInterval(tick, 100);
document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
        return;
    const at = event.target;
    if (event.key === "Enter" && at instanceof HTMLInputElement && at.dataset["submit"]) {
        event.preventDefault();
        byId(at.dataset["submit"])?.click();
        return;
    }
    if (event.key === "Escape")
        return choose(null);
    if (at.closest("input, textarea, select"))
        return;
    const step = { ArrowLeft: "previous", ArrowRight: "next", " ": "play" }[event.key];
    const button = all("[data-key]").find((one) => one.dataset["key"] === event.key)
        ?? (step && !at.closest("button, a, summary") ? all(`[data-step="${step}"]`)[0] : undefined);
    if (!button)
        return;
    event.preventDefault();
    button.click();
});
document.addEventListener("htmx:configRequest", (event) => {
    const { parameters, triggeringEvent } = event.detail;
    const button = triggeringEvent instanceof SubmitEvent ? triggeringEvent.submitter : null;
    if (button instanceof HTMLButtonElement && button.name && !(button.name in parameters))
        parameters[button.name] = button.value;
});
let taken = null;
const targets = () => all("button[data-to]").map((button) => ({
    button, from: button.dataset["from"] ?? null, to: button.dataset["to"] ?? "",
}));
function choose(from) {
    taken = from;
    mark();
}
function mark() {
    for (const square of all(".target"))
        square.classList.remove("target", "from", "to");
    const moves = targets();
    if (taken !== null && !moves.some((move) => move.from === taken))
        taken = null;
    for (const move of moves) {
        byId(move.from ?? move.to)?.classList.add("target");
        if (move.from !== null && move.from === taken)
            byId(move.to)?.classList.add("target", "to");
    }
    if (taken !== null)
        byId(taken)?.classList.add("from");
}
function place(at) {
    const known = new Set(targets().flatMap((move) => [move.from ?? "", move.to]));
    for (let one = at; one; one = one.parentElement)
        if (one.id && known.has(one.id))
            return one.id;
    return null;
}
function touch(id) {
    const moves = targets();
    const landing = moves.filter((move) => move.to === id && (move.from === null || move.from === taken));
    if (landing.length === 1) {
        landing[0]?.button.click();
        choose(null);
    }
    else if (landing.length > 1) {
        for (const move of moves)
            move.button.hidden = !landing.includes(move);
        const list = landing[0]?.button.closest("details");
        if (list)
            list.open = true;
        landing[0]?.button.focus();
    }
    else if (moves.some((move) => move.from === id)) {
        choose(taken === id ? null : id);
    }
}
let pressed = null;
document.addEventListener("pointerdown", (event) => {
    pressed = place(event.target);
    if (pressed !== null && targets().some((move) => move.from === pressed) && !landsOn(pressed))
        choose(pressed);
});
const landsOn = (id) => taken !== null && targets().some((move) => move.from === taken && move.to === id);
document.addEventListener("pointerup", (event) => {
    const let_go = place(document.elementFromPoint(event.clientX, event.clientY));
    const began = pressed;
    pressed = null;
    if (let_go === null || began === null)
        return;
    if (let_go !== began || landsOn(let_go) || !targets().some((move) => move.from === let_go))
        touch(let_go);
});
document.addEventListener("input", (event) => {
    const input = event.target;
    const twin = input.dataset?.["twin"];
    const other = twin ? byId(twin) : null;
    if (other instanceof HTMLInputElement)
        other.value = input.value;
});
document.addEventListener("click", (event) => {
    const turn = event.target.closest("a[data-turn]");
    if (turn && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        show(turns().indexOf(turn));
        return;
    }
    const button = event.target.closest("[data-amount], [data-copy], [data-share], [data-step], #sound");
    if (!button)
        return;
    const { amount, copy, share, step } = button.dataset;
    if (amount !== undefined) {
        for (const input of all("input", button.closest(".range") ?? document))
            input.value = amount;
    }
    else if (copy !== undefined) {
        const from = byId(copy);
        if (from)
            void copyText(from, button);
    }
    else if (share !== undefined) {
        const from = byId(share);
        if (from && navigator.share)
            void navigator.share({ url: from.value }).catch(() => undefined);
    }
    else if (step !== undefined) {
        if (goTo(step))
            event.preventDefault();
    }
    else {
        setSound(button.getAttribute("aria-pressed") !== "true");
    }
});
async function copyText(from, button) {
    from.select();
    const isCopied = navigator.clipboard
        ? await navigator.clipboard.writeText(from.value).then(() => true, () => false)
        : document.execCommand("copy");
    button.textContent = isCopied ? "Copied" : "Press Ctrl-C";
}
let sound = null;
function setSound(isOn) {
    byId("sound")?.setAttribute("aria-pressed", String(isOn));
    try {
        localStorage.setItem("sound", isOn ? "on" : "off");
    }
    catch { }
    sound = isOn ? (sound ?? new AudioContext()) : null;
    if (isOn)
        beep();
}
function beep() {
    if (!sound)
        return;
    const tone = sound.createOscillator();
    const volume = sound.createGain();
    volume.gain.value = 0.08;
    tone.frequency.value = 660;
    tone.connect(volume).connect(sound.destination);
    tone.start();
    tone.stop(sound.currentTime + 0.12);
}
let playing = 0;
const turns = () => all("a[data-turn]");
const current = () => turns().findIndex((turn) => turn.hasAttribute("aria-current"));
function show(index) {
    const turn = turns()[index];
    if (!turn)
        return;
    for (const other of turns())
        other.removeAttribute("aria-current");
    turn.setAttribute("aria-current", "true");
    turn.closest("li")?.scrollIntoView({ block: "nearest" });
    const scrubber = byId("scrubber");
    if (scrubber)
        scrubber.value = String(index);
    history.replaceState(null, "", `#turn-${turn.dataset["turn"]}`);
    turn.dispatchEvent(new CustomEvent("show"));
}
function goTo(step) {
    if (turns().length === 0)
        return false;
    window.clearInterval(playing);
    const wasPlaying = playing;
    playing = 0;
    if (step === "play") {
        if (wasPlaying === 0)
            playing = window.setInterval(() => (current() + 1 < turns().length ? show(current() + 1) : goTo("stop")), speed());
    }
    else if (step !== "stop") {
        const last = turns().length - 1;
        show({ first: 0, previous: Math.max(0, current() - 1), next: Math.min(last, current() + 1), last }[step] ?? current());
    }
    const play = all("[data-step=play]")[0];
    if (play)
        play.textContent = playing === 0 ? "Play" : "Stop";
    return true;
}
const speed = () => Number(byId("speed")?.value ?? 1000);
document.addEventListener("input", (event) => {
    const input = event.target;
    if (input.id === "scrubber")
        show(Number(input.value));
});
function followAddress() {
    const turn = /^#turn-(\d+)$/.exec(location.hash)?.[1];
    if (turn === undefined)
        return;
    const index = turns().findIndex((one) => one.dataset["turn"] === turn);
    if (index >= 0)
        show(index);
}
window.addEventListener("hashchange", followAddress);
let wasAsked = false;
function settle() {
    mark();
    tick();
    const isAsked = byId("panel-moves")?.querySelector("[data-asked]") != null;
    if (isAsked && !wasAsked)
        beep();
    wasAsked = isAsked;
    document.title = document.title.replace(/^(● )?/, isAsked ? "● " : "");
    for (const log of all("[data-follow]"))
        log.scrollTop = log.scrollHeight;
}
document.addEventListener("htmx:afterSettle", settle);
document.addEventListener("htmx:sseMessage", settle);
document.addEventListener("htmx:afterRequest", (event) => {
    const { successful, elt } = event.detail;
    if (!successful)
        return;
    byId("notice")?.replaceChildren();
    if (elt.id === "chat-form" && elt instanceof HTMLFormElement) {
        elt.reset();
        const key = elt.elements.namedItem("key");
        if (key instanceof HTMLInputElement)
            key.value = Array.from(crypto.getRandomValues(new Uint32Array(4)), String).join("");
    }
});
document.addEventListener("DOMContentLoaded", () => {
    try {
        if (localStorage.getItem("sound") === "on")
            setSound(true);
    }
    catch { }
    for (const only of all("[data-share]"))
        only.hidden = !navigator.share;
    settle();
    followAddress();
});
export {};
