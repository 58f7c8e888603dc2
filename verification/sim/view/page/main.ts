/** The page of a simulated run: zooms, scrolls and filters its picture. */
import { byId, make, setText, tableOf } from "../../../../cli/src/ui/page/elements.ts";
import type { Picture } from "../picture.ts";
import { eventTable } from "./events.ts";
import { lanesOf, legendOf, type View } from "./lanes.ts";
import { nameOf, plain, serversOf, time } from "./words.ts";

const ZOOM = 2;
/** The closest look: this part of the run fills the picture. */
const LEAST_MS = 20;
/** How much of a run is shown at first before and after its first violation. */
const BEFORE_MS = 5000;
const AFTER_MS = 2500;
const SCROLL_SHARE = 0.15;
/** The table follows when the picture rests. */
const REST_MS = 150;

const picture = JSON.parse(byId("data").textContent ?? "") as Picture;
const { durationMs, findings, planted } = picture;
const violations = findings.filter(({ excuse }) => excuse === undefined);
const servers = serversOf(picture);

const scroller = byId("scroller");
const only = byId<HTMLSelectElement>("only");
const requests = byId<HTMLInputElement>("requests");

/** How much of the run the picture shows, in ms. */
let spanMs = durationMs;
let isDrawing = false;
let telling = 0;

const width = (): number => Math.max(scroller.clientWidth, 200);
const widthOfRun = (): number => (durationMs / spanMs) * width();

function viewNow(): View {
  const from = (scroller.scrollLeft / widthOfRun()) * durationMs;
  const [sort, ...value] = only.value.split(":");
  const chosen = value.join(":");
  return {
    ...{ from, to: from + spanMs, width: width(), hasRequests: requests.checked },
    only: { name: sort === "name" ? chosen : undefined, worker: sort === "worker" ? chosen : undefined },
  };
}

function tell(): void {
  const { table, note } = eventTable(picture, viewNow());
  setText(byId("told-note"), note);
  byId("told").replaceChildren(table);
}

function show(): void {
  isDrawing = false;
  const view = viewNow();
  byId("spacer").style.width = `${widthOfRun()}px`;
  const lanes = byId("lanes");
  lanes.style.width = `${view.width}px`;
  lanes.replaceChildren(...lanesOf(picture, view));
  setText(byId("window"), `${time(view.from)} to ${time(Math.min(view.to, durationMs))} of ${time(durationMs)}`);
  clearTimeout(telling);
  telling = setTimeout(tell, REST_MS) as unknown as number;
  document.body.dataset["ready"] = "true";
}

function redraw(): void {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(show);
}

/** Shows a part of the run. */
function lookAt(from: number, ms: number): void {
  spanMs = Math.min(Math.max(ms, LEAST_MS), durationMs);
  byId("spacer").style.width = `${widthOfRun()}px`;
  scroller.scrollLeft = (Math.max(from, 0) / durationMs) * widthOfRun();
  redraw();
}

/** @param share the place in the picture where the current time stays, from 0 to 1 */
function zoom(factor: number, share = 0.5): void {
  const { from } = viewNow();
  const ms = Math.min(Math.max(spanMs * factor, LEAST_MS), durationMs);
  lookAt(from + (spanMs - ms) * share, ms);
}

const lookAtTime = (at: number): void => lookAt(at - BEFORE_MS, BEFORE_MS + AFTER_MS);

function next(): void {
  const { from } = viewNow();
  const shown = from + Math.min(BEFORE_MS, spanMs);
  const later = violations.find(({ at }) => at > shown + 1) ?? violations[0];
  if (later) lookAtTime(later.at);
}

const KEYS: Readonly<Record<string, () => void>> = {
  "+": () => zoom(1 / ZOOM),
  "=": () => zoom(1 / ZOOM),
  "-": () => zoom(ZOOM),
  "0": () => lookAt(0, durationMs),
  n: next,
  ArrowLeft: () => scroller.scrollBy({ left: -SCROLL_SHARE * width() }),
  ArrowRight: () => scroller.scrollBy({ left: SCROLL_SHARE * width() }),
};

function listChoices(): void {
  const option = (value: string, text: string): HTMLElement => make("option", { value }, text);
  const workers = picture.hosts.flatMap(({ name, workers }) => workers.map((worker) => ({ worker, host: name })));
  only.append(
    option("", "everything"),
    ...picture.names.map((name) => option(`name:${name}`, `name ${nameOf(name, { servers })}`)),
    ...workers.map(({ worker, host }) => option(`worker:${worker}`, `worker ${worker} on host ${host}`)),
  );
}

/** The violations, each with a button that shows its time. */
function listFindings(): void {
  byId("findings").hidden = violations.length === 0;
  byId("next").hidden = violations.length === 0;
  const rows = violations.map(({ at, rule, text }) => {
    const button = make("button", { type: "button", class: "link" }, time(at));
    button.addEventListener("click", () => {
      lookAtTime(at);
      scroller.focus();
    });
    return [button, rule, plain(text, servers)];
  });
  if (rows.length > 0) byId("found").replaceChildren(tableOf("What was found", ["time", "rule", "what"], rows));
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
const times = (count: number): string => (count === 1 ? "once" : `${count} times`);

function introduce(): void {
  const { kind, seed, command, hosts } = picture;
  const workers = hosts.reduce((sum, host) => sum + host.workers.length, 0);
  setText(
    byId("what"),
    `${kind}, seed ${seed}: ${counted(workers, "worker")} on ${counted(hosts.length, "host")}, ${time(durationMs)}`,
  );
  setText(byId("command"), command);
  const excused = findings.length - violations.length;
  const broken = violations.length > 0;
  const documented = excused > 0 ? ` Documented limits were met ${times(excused)}.` : "";
  const verdict = byId("verdict");
  verdict.className = broken ? "bad" : "good";
  const on = planted === undefined ? "" : ` On purpose: ${planted}.`;
  setText(
    verdict,
    `${broken ? `A rule is broken ${times(violations.length)}.` : "No rule is broken."}${on}${documented}`,
  );
  byId("legend").replaceChildren(...legendOf());
}

function listen(): void {
  byId("in").addEventListener("click", () => zoom(1 / ZOOM));
  byId("out").addEventListener("click", () => zoom(ZOOM));
  byId("all").addEventListener("click", () => lookAt(0, durationMs));
  byId("next").addEventListener("click", next);
  only.addEventListener("change", redraw);
  requests.addEventListener("change", redraw);
  scroller.addEventListener("scroll", redraw);
  addEventListener("resize", redraw);
  scroller.addEventListener("keydown", (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  scroller.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(event.deltaY > 0 ? ZOOM : 1 / ZOOM, (event.clientX - scroller.getBoundingClientRect().left) / width());
    },
    { passive: false },
  );
  scroller.addEventListener("click", (event) => {
    const chosen = (event.target as Element).closest("[data-about]");
    if (!chosen) return;
    for (const each of scroller.querySelectorAll("[data-chosen]")) each.removeAttribute("data-chosen");
    chosen.setAttribute("data-chosen", "");
    setText(byId("details"), chosen.getAttribute("data-about") ?? "");
  });
}

// So that the keyboard scrolls it.
scroller.tabIndex = 0;
introduce();
listChoices();
listFindings();
listen();
const [first] = violations;
if (first) lookAtTime(first.at);
else redraw();
