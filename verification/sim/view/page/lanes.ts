/** Draws the lanes of the picture: who holds each name, and what each worker does. */
import { draw, make } from "../../../../cli/src/ui/page/elements.ts";
import type { Fate, Hold, Picture, ShownCall, ShownRequest } from "../picture.ts";
import {
  aboutCall,
  aboutFinding,
  aboutHold,
  aboutPause,
  aboutRequest,
  isFailed,
  nameOf,
  outcomeOf,
  serversOf,
  short,
  time,
  workerOf,
} from "./words.ts";

/** The part of the run in view. */
export interface View {
  readonly from: number;
  readonly to: number;
  readonly width: number;
  /** What is shown: a name, a worker, or everything. */
  readonly only: { readonly name?: string | undefined; readonly worker?: string | undefined };
  readonly hasRequests: boolean;
}

const HUES = 4;
const BAR = 18;
const GAP = 8;
const MARKS = 9;
const CALL = 15;
const REQUESTS = 26;
/** The approximate width of a character. */
const CHARACTER = 6.4;
const LEAST_CHARACTERS = 3;

/** An element that has words, shown when it is chosen. */
type Shape = Readonly<Record<string, string | number | undefined>>;
const shape = (tag: string, about: string, attributes: Shape): SVGElement =>
  draw(tag, { ...attributes, "data-about": about }, draw("title", {}, about));

/** What of the picture is drawn, with everything that its lanes need. */
class Canvas {
  readonly picture: Picture;
  readonly view: View;
  readonly servers: number;
  readonly workers: readonly string[];

  constructor(picture: Picture, view: View) {
    this.picture = picture;
    this.view = view;
    this.servers = serversOf(picture);
    this.workers = picture.hosts.flatMap(({ workers }) => workers);
  }

  x(at: number): number {
    const { from, to, width } = this.view;
    return Math.round(((at - from) / (to - from)) * width * 10) / 10;
  }

  /** Whether something is in view. */
  sees(from: number, to: number = from): boolean {
    return to >= this.view.from && from <= this.view.to;
  }

  hue(call: string | undefined): string {
    return `hue-${Math.max(this.workers.indexOf(workerOf(call)), 0) % HUES}`;
  }

  /** A text on a bar, or a shorter one, cut to the room, or left out. */
  label(long: string, left: number, right: number, y: number, short: string = long): SVGElement | false {
    const from = Math.max(left, 0) + 4;
    const max = Math.floor((Math.min(right, this.view.width) - from - 2) / CHARACTER);
    const text = long.length <= max ? long : short;
    if (max < Math.min(text.length, LEAST_CHARACTERS)) return false;
    return draw(
      "text",
      { class: "small label", x: from, y, "pointer-events": "none" },
      text.length > max ? `${text.slice(0, max - 1)}…` : text,
    );
  }

  /** One lane, with vertical lines where a rule is broken. */
  lane(title: string, more: string, height: number, shapes: readonly (SVGElement | false)[]): HTMLElement {
    const { width } = this.view;
    const violations = this.picture.findings
      .filter(({ at, excuse }) => excuse === undefined && this.sees(at))
      .map(({ at }) => draw("line", { class: "violation", x1: this.x(at), x2: this.x(at), y1: 0, y2: height }));
    const svg = draw("svg", { width, height, role: "img", "aria-label": title }, ...shapes, ...violations);
    return make(
      "div",
      { class: "lane" },
      make("div", { class: "title" }, title, " ", make("span", { class: "quiet" }, more)),
      svg,
    );
  }
}

/** Shapes that would be drawn over others of the same look are left out: one pixel shows one of them. */
function createPixels(): (x: number, look: string) => boolean {
  const drawn = new Set<string>();
  return (x, look) => {
    const key = `${Math.round(x)} ${look}`;
    if (drawn.has(key)) return false;
    drawn.add(key);
    return true;
  };
}

const STEPS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000, 60_000, 300_000, 600_000,
];
const TICK_PX = 80;

function axisOf(canvas: Canvas): HTMLElement {
  const { from, to, width } = canvas.view;
  const step = STEPS_MS.find((ms) => (ms / (to - from)) * width >= TICK_PX) ?? 3_600_000;
  const ticks: SVGElement[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
    const x = canvas.x(at);
    const anchor = x < 20 ? "start" : x > width - 30 ? "end" : "middle";
    const text = step < 1000 ? `${(at / 1000).toFixed(3)} s` : `${Math.round(at / 1000)} s`;
    ticks.push(
      draw("line", { class: "grid", x1: x, x2: x, y1: 16, y2: 22 }),
      draw("text", { class: "small", x, y: 13, "text-anchor": anchor }, text),
    );
  }
  const flags = canvas.picture.findings
    .filter(({ at, excuse }) => excuse === undefined && canvas.sees(at))
    .map((finding) => {
      const x = canvas.x(finding.at);
      return shape("path", aboutFinding(finding, canvas.servers), { class: "flag", d: `M${x} 32l-7 -12h14z` });
    });
  const svg = draw("svg", { width, height: 33, role: "img", "aria-label": "Time" }, ...ticks, ...flags);
  return make("div", { class: "lane axis" }, svg);
}

/** Places holds that overlap below each other. */
function placed(holds: readonly Hold[]): Map<Hold, number> {
  const ends: number[] = [];
  const places = new Map<Hold, number>();
  for (const hold of [...holds].sort((a, b) => a.from - b.from)) {
    const free = ends.findIndex((end) => end <= hold.from);
    const place = free < 0 ? ends.length : free;
    ends[place] = hold.to;
    places.set(hold, place);
  }
  return places;
}

function barOf(canvas: Canvas, hold: Hold, y: number): SVGElement {
  const [left, right] = [canvas.x(hold.from), canvas.x(hold.to)];
  const about = aboutHold(hold, canvas.servers);
  const who = workerOf(hold.call);
  const reliance = canvas.picture.reliances.find(
    ({ call, names, from, to }) =>
      call === hold.call && names.includes(hold.name) && from >= hold.from - 1 && canvas.sees(from, to),
  );
  const isExpired = hold.ending === "expired";
  const end = `M${right - 3} ${y + BAR / 2 - 4}l7 8m0 -8l-7 8`;
  return draw(
    "g",
    { class: canvas.hue(hold.call) },
    shape("rect", about, { class: "bar", x: left, y, width: Math.max(right - left, 2), height: BAR, rx: 2 }),
    canvas.label(`${who} · token ${short(hold.token)}`, left, right, y + 13, who),
    reliance &&
      draw("line", {
        ...{ class: "relied", y1: y + BAR + 3, y2: y + BAR + 3 },
        ...{ x1: canvas.x(reliance.from), x2: Math.max(canvas.x(reliance.to), canvas.x(reliance.from) + 2) },
      }),
    isExpired && draw("path", { class: "cross", d: end, "pointer-events": "none" }),
  );
}

function messagesOf(canvas: Canvas, name: string): SVGElement[] {
  const key = name.slice(name.indexOf("/") + 1);
  return canvas.picture.messages
    .filter(({ name: channel, at }) => channel === key && canvas.sees(at))
    .map(({ at, text, fate }) => {
      const about = `${time(at)}: a message for “${text || "nobody"}” is sent to a waiter: ${fate}.`;
      const look = fate === "arrives" ? "message" : "message astray";
      return shape("path", about, { class: look, d: `M${canvas.x(at)} 0l4 4l-4 4l-4 -4z` });
    });
}

function nameLane(canvas: Canvas, name: string): HTMLElement {
  const holds = canvas.picture.holds.filter((hold) => hold.name === name);
  const places = placed(holds);
  const rows = Math.max(1, ...[...places.values()].map((place) => place + 1));
  const pixels = createPixels();
  const bars = holds
    .filter(({ from, to }) => canvas.sees(from, to))
    .filter((hold) => canvas.x(hold.to) - canvas.x(hold.from) > 2 || pixels(canvas.x(hold.from), `${places.get(hold)}`))
    .map((hold) => barOf(canvas, hold, MARKS + (places.get(hold) ?? 0) * (BAR + GAP)));
  const shapes = [...messagesOf(canvas, name), ...bars];
  const title = nameOf(name, { servers: canvas.servers });
  return canvas.lane(title, "who holds it", MARKS + rows * (BAR + GAP), shapes);
}

function faultsOf(canvas: Canvas, where: string, height: number): SVGElement[] {
  return canvas.picture.faults
    .filter((fault) => fault.where === where && canvas.sees(fault.at))
    .flatMap(({ at, what }) => {
      const x = canvas.x(at);
      const about = `${time(at)}: ${/^h/.test(where) ? "host" : "server"} ${where} ${what}.`;
      return [
        draw("line", { class: "fault-line", x1: x, x2: x, y1: 0, y2: height }),
        shape("path", about, { class: "fault", d: `M${x} 0l6 5l-6 5l-6 -5z` }),
      ];
    });
}

function serverLane(canvas: Canvas, server: string): HTMLElement {
  const height = 26;
  const shapes = faultsOf(canvas, server, height);
  const words = canvas.picture.faults
    .filter((fault) => fault.where === server && canvas.sees(fault.at))
    .map(({ at, what }, index, all) => {
      const next = all[index + 1];
      return canvas.label(what, canvas.x(at) + 6, next ? canvas.x(next.at) - 8 : canvas.view.width, 21);
    });
  return canvas.lane(`server ${server}`, "its faults", height, [...shapes, ...words]);
}

/** The mark at the end of a request, by its fate. */
const ENDS: Readonly<Record<Fate, (x: number, y: number) => readonly [tag: string, attributes: Shape]>> = {
  answered: (x, y) => ["circle", { class: "at-server", cx: x, cy: y, r: 2.5 }],
  lost: (x, y) => ["path", { class: "cross", d: `M${x - 4} ${y - 4}l8 8m0 -8l-8 8` }],
  late: (x, y) => ["circle", { class: "ring", cx: x, cy: y, r: 3.5 }],
  twice: (x, y) => ["path", { class: "again", d: `M${x - 7} ${y - 4}h5v8h-5zM${x + 1} ${y - 4}h5v8h-5z` }],
  refused: (x, y) => ["rect", { class: "square", x: x - 3.5, y: y - 3.5, width: 7, height: 7 }],
};

function requestOf(canvas: Canvas, request: ShownRequest, y: number): SVGElement {
  const { sentAt, endedAt, fate } = request;
  const [left, right] = [canvas.x(sentAt), canvas.x(endedAt)];
  const about = aboutRequest(request, canvas.servers);
  const [tag, attributes] = ENDS[fate](Math.max(right, left + 2), y);
  return draw(
    "g",
    { "data-about": about, "data-fate": fate },
    draw("title", {}, about),
    draw("line", { class: fate === "answered" || fate === "lost" ? "asked" : fate, x1: left, x2: right, y1: y, y2: y }),
    draw(tag, attributes),
  );
}

function callOf(canvas: Canvas, call: ShownCall): SVGElement {
  const [left, right] = [canvas.x(call.from), canvas.x(call.to)];
  const about = aboutCall(call);
  return draw(
    "g",
    {},
    shape("rect", about, {
      ...{ class: isFailed(call) ? "call failed" : "call", x: left, y: MARKS, rx: 2 },
      ...{ width: Math.max(right - left, 1.5), height: CALL },
    }),
    canvas.label(`${call.what}: ${outcomeOf(call)}`, left, right, MARKS + 11.5),
  );
}

function workerLane(canvas: Canvas, host: string, worker: string): HTMLElement {
  const { picture, view } = canvas;
  const height = MARKS + CALL + (view.hasRequests ? REQUESTS : 4);
  const { name } = view.only;
  const pixels = createPixels();
  const own = picture.requests.filter(({ call }) => workerOf(call) === worker);
  const about = new Set(own.filter((request) => name === undefined || request.name === name).map(({ call }) => call));
  const pauses = picture.pauses
    .filter((pause) => pause.host === host && canvas.sees(pause.from, pause.to))
    .map((pause) => {
      const [left, right] = [canvas.x(pause.from), canvas.x(pause.to)];
      const width = Math.max(right - left, 1);
      const look = pause.state === "cut off" ? "cut" : "frozen";
      return shape("rect", aboutPause(pause), { class: look, x: left, y: 0, width, height });
    });
  const calls = picture.calls
    .filter(({ id, from, to }) => workerOf(id) === worker && canvas.sees(from, to))
    .filter(({ id }) => name === undefined || about.has(id))
    .filter((call) => canvas.x(call.to) - canvas.x(call.from) > 2 || pixels(canvas.x(call.from), `${isFailed(call)}`))
    .map((call) => callOf(canvas, call));
  const requests = (view.hasRequests ? own : [])
    .filter((request) => canvas.sees(request.sentAt, request.endedAt))
    .filter((request) => name === undefined || request.name === name)
    .filter(({ sentAt, fate }) => pixels(canvas.x(sentAt), fate))
    .map((request, index) => requestOf(canvas, request, MARKS + CALL + 7 + (index % 3) * 6));
  const shapes = [...pauses, ...calls, ...requests, ...faultsOf(canvas, host, height)];
  return canvas.lane(
    `worker ${worker}`,
    `on host ${host}: its calls${view.hasRequests ? " and requests" : ""}`,
    height,
    shapes,
  );
}

/** Whether a worker has sent a request for a name. */
const hasAsked = ({ requests }: Picture, worker: string, name: string): boolean =>
  requests.some((request) => request.name === name && workerOf(request.call) === worker);

/** The lanes of a part of the run: time, names, servers with faults, workers. */
export function lanesOf(picture: Picture, view: View): readonly HTMLElement[] {
  const canvas = new Canvas(picture, view);
  const { name: only, worker: onlyWorker } = view.only;
  const held = new Set(picture.holds.map(({ name }) => name));
  const names = picture.names
    .filter((name) => held.has(name) && (only === undefined || name === only))
    .filter((name) => onlyWorker === undefined || hasAsked(picture, onlyWorker, name));
  const servers = [...new Set(picture.faults.map(({ where }) => where))].filter((where) => /^s\d/.test(where)).sort();
  const workers = picture.hosts.flatMap(({ name: host, workers }) => workers.map((worker) => ({ host, worker })));
  return [
    axisOf(canvas),
    ...names.map((name) => nameLane(canvas, name)),
    ...servers.map((server) => serverLane(canvas, server)),
    ...workers
      .filter(({ worker }) => onlyWorker === undefined || worker === onlyWorker)
      .filter(({ worker }) => only === undefined || hasAsked(picture, worker, only))
      .map(({ host, worker }) => workerLane(canvas, host, worker)),
  ];
}

/** One entry of the legend: a small picture and its words. */
const entry = (words: string, ...shapes: readonly SVGElement[]): HTMLElement =>
  make("li", {}, draw("svg", { width: 20, height: 14, "aria-hidden": "true" }, ...shapes), words);

const line = (className: string, y: number): SVGElement =>
  draw("line", { class: className, x1: 0, x2: 20, y1: y, y2: y });
const end = (fate: Fate): SVGElement => draw(...ENDS[fate](12, 7));

export const legendOf = (): readonly HTMLElement[] => [
  entry(
    "held, by the server’s record; each worker has its colour",
    draw("rect", { class: "bar hue-0", x: 1, y: 1, width: 18, height: 12, rx: 2 }),
  ),
  entry("its client relies on the lease", draw("g", { class: "hue-0" }, line("relied", 7))),
  entry("the lease expired", draw("path", { class: "cross", d: "M6 3l8 8m0 -8l-8 8" })),
  entry("a call", draw("rect", { class: "call", x: 1, y: 1, width: 18, height: 12, rx: 2 })),
  entry("a call that ended with an error", draw("rect", { class: "call failed", x: 1, y: 1, width: 18, height: 12 })),
  entry("request: answered", line("asked", 7), end("answered")),
  entry("lost, or its answer was", line("asked", 7), end("lost")),
  entry("late, or its answer was", line("late", 7), end("late")),
  entry("executed twice", line("twice", 7), end("twice")),
  entry("answered with an error", line("refused", 7), end("refused")),
  entry("the host is frozen, or has crashed", draw("rect", { class: "frozen", x: 0, y: 0, width: 20, height: 14 })),
  entry("the host is cut off from a server", draw("rect", { class: "cut", x: 0, y: 0, width: 20, height: 14 })),
  entry("crash, restart, clock set, or another fault", draw("path", { class: "fault", d: "M10 2l6 5l-6 5l-6 -5z" })),
  entry("message that wakes a waiter", draw("path", { class: "message", d: "M10 3l4 4l-4 4l-4 -4z" })),
  entry("message lost, late or sent twice", draw("path", { class: "message astray", d: "M10 3l4 4l-4 4l-4 -4z" })),
  entry("a rule is broken", draw("path", { class: "flag", d: "M10 13l-7 -12h14z" })),
];
