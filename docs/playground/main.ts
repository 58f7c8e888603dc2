import { type Action, fromAddress, type Plan, toAddress } from "./address.ts";
import { showButtons, showInstance, showServer } from "./cards.ts";
import { element } from "./elements.ts";
import { NAMES } from "./history.ts";
import { inSeconds } from "./narrator.ts";
import { draw, heightOf } from "./picture.ts";
import { clearSentences, showCaption, showNotes } from "./sentences.ts";
import { createSimulation, type Simulation } from "./simulation.ts";

const ICE =
  '<defs><pattern id="ice" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V9" class="ice"/></pattern></defs>';
/** A picture is drawn 30 times a second at most, and the run takes no more of a frame than this. */
const FRAME_MS = 1000 / 31;
const BUDGET_MS = 40;
/** What is shown at first: the holder freezes, and the fence refuses its late write. */
const OPENING = "#seed=1&do=freeze-A@2.4";
/** Where motion is not wanted, the run stands still after so many seconds: the holder works, and has just frozen. */
const FIRST_FRAME_SECONDS = 2.5;
/** Where the cards are not beside the picture, its lanes have their names in it, and its words are short. */
const narrow = matchMedia("(max-width: 900px)");
/** A step ends after so long when nothing happens. */
const LONGEST_STEP_TICKS = 100;

const [play, step, copied] = [
  element<HTMLButtonElement>("play"),
  element<HTMLButtonElement>("step"),
  element<HTMLOutputElement>("copied"),
];
const picture = element<SVGSVGElement>("picture");
const look = element<HTMLInputElement>("look");
const log = element<HTMLOListElement>("log");
const unfenced = element<HTMLInputElement>("unfenced");
const buttons = [...document.querySelectorAll<HTMLButtonElement>("[data-action]")];
const stories = [...document.querySelectorAll<HTMLAnchorElement>(".story")];

let simulation: Simulation | undefined;
let isPlaying = false;
/** How many more ticks a step may take. */
let stepTicks = 0;
/** Actions of buttons that were pressed, to be done between two ticks. */
let pressed: Action[] = [];
/** Ticks that are due, and a part of one. */
let due = 0;
/** How many runs were begun. */
let loads = 0;
/** Tells one moment from another; none is drawn twice in a row. */
let lastShown = "";

function setPlaying(value: boolean): void {
  isPlaying = value;
  play.textContent = value ? "Pause" : "Play";
}

const wantsNoMotion = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Begins a run; with `at` it runs up to there at once, and stops. */
async function load(plan: Plan, at?: number): Promise<void> {
  const load = ++loads;
  simulation = undefined;
  pressed = [];
  due = stepTicks = 0;
  clearSentences();
  look.max = look.value = "0";
  const next = await createSimulation(plan);
  const until = at ?? (wantsNoMotion() ? FIRST_FRAME_SECONDS : 0);
  while (next.seconds < until) await next.advance();
  if (load !== loads) return;
  simulation = next;
  setPlaying(at === undefined && !wantsNoMotion());
  show(next);
  document.body.dataset["ready"] = "true";
}

function open(hash: string): void {
  const { at, ...plan } = fromAddress(hash || OPENING);
  markStory();
  unfenced.checked = plan.isUnfenced === true;
  load(plan, at).catch((error: unknown) => {
    // Without a secure context a browser computes no digests.
    element<HTMLElement>("caption").textContent = `The run cannot begin: ${Object(error).message ?? error}`;
  });
}

/** Marks the story that the address tells. */
function markStory(): void {
  for (const story of stories) {
    if (story.hash === (location.hash || OPENING).replace("&fence=off", "")) story.setAttribute("aria-current", "true");
    else story.removeAttribute("aria-current");
  }
}

function save(plan: Plan): void {
  history.replaceState(null, "", `#${toAddress(plan)}`);
  markStory();
}

function show(run: Simulation): void {
  const now = run.seconds + (isPlaying ? Math.min(due, 0.99) / 10 : 0);
  const follows = Number(look.value) >= Number(look.max);
  look.max = now.toFixed(1);
  if (follows) look.value = look.max;
  look.setAttribute("aria-valuetext", inSeconds(Number(look.value)));
  const pitch = Number.parseFloat(getComputedStyle(picture).getPropertyValue("--pitch"));
  const width = picture.clientWidth;
  const key = [loads, now, look.value, width, run.history.notes.length, run.tick].join();
  if (key === lastShown) return;
  lastShown = key;
  const frame = { width, pitch, isNarrow: narrow.matches, now, shown: follows ? now : Number(look.value) };
  picture.setAttribute("viewBox", `0 0 ${width} ${heightOf(frame)}`);
  picture.innerHTML = ICE + draw(run.history, frame);
  for (const name of NAMES) showInstance(run, name);
  showServer(run);
  showNotes(run);
  showCaption(run);
  showButtons(buttons, run);
}

/** Lets a run go on for the time that has gone by. */
async function goOn(run: Simulation, elapsedMs: number): Promise<void> {
  if (pressed.length > 0) {
    for (const action of pressed) run.act(action);
    pressed = [];
    save(run);
  }
  const speed = Number(document.querySelector<HTMLInputElement>("[name=speed]:checked")?.value);
  // Nobody can listen to ten times as much.
  log.setAttribute("aria-live", isPlaying && speed > 1 ? "off" : "polite");
  if (isPlaying) due += (elapsedMs / 100) * speed;
  const end = performance.now() + BUDGET_MS;
  const before = run.history.notes.length;
  while ((isPlaying ? due >= 1 : stepTicks > 0) && performance.now() < end) {
    await run.advance();
    if (isPlaying) due--;
    else stepTicks = run.history.notes.length > before ? 0 : stepTicks - 1;
  }
  // A machine that is too slow for the speed falls behind.
  due = Math.min(due, speed);
}

let last = performance.now();
async function frame(): Promise<void> {
  const elapsed = performance.now() - last;
  if (elapsed >= FRAME_MS) {
    last = performance.now();
    const run = simulation;
    if (run) {
      await goOn(run, Math.min(elapsed, 250));
      if (run === simulation) show(run);
    }
  }
  requestAnimationFrame(() => void frame());
}

function press(action: Action): void {
  if (simulation) pressed.push(action);
}

for (const button of buttons)
  button.addEventListener("click", () => {
    const { action, else: otherwise } = button.dataset as { action: Action; else?: Action };
    press(otherwise && simulation?.allows(otherwise) ? otherwise : action);
  });
for (const story of stories)
  story.addEventListener("click", (event) => {
    event.preventDefault();
    history.replaceState(null, "", story.hash);
    open(story.hash);
  });
play.addEventListener("click", () => setPlaying(!isPlaying));
step.addEventListener("click", () => {
  setPlaying(false);
  stepTicks = LONGEST_STEP_TICKS;
});
element("restart").addEventListener("click", () => simulation && void load(simulation));
element("other").addEventListener("click", () => {
  if (!simulation) return;
  const { deeds, isUnfenced } = simulation;
  const plan = { seed: Math.floor(Math.random() * 9000) + 1000, deeds, isUnfenced };
  save(plan);
  void load(plan);
});
unfenced.addEventListener("change", () => {
  if (!simulation) return;
  const { seed, deeds } = simulation;
  const plan = { seed, deeds, isUnfenced: unfenced.checked };
  save(plan);
  void load(plan);
});
element("copy").addEventListener("click", async () => {
  if (simulation) save(simulation);
  const told = navigator.clipboard?.writeText(location.href) ?? Promise.reject();
  copied.textContent = await told.then(
    () => "Copied.",
    () => "The address of this page is the link.",
  );
  setTimeout(() => {
    copied.textContent = "";
  }, 4000);
});
// The keyboard has to reach everything that scrolls.
for (const id of ["log", "code"]) element<HTMLElement>(id).tabIndex = 0;
addEventListener("hashchange", () => open(location.hash));
open(location.hash);
void frame();
