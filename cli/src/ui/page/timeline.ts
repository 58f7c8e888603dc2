import type { NameReport, Tenure } from "../wire.ts";
import { draw, make } from "./elements.ts";
import { clockTime, count, many, span, visible } from "./words.ts";

const LANE = 42;
const BAR = 34;
const TOP = 6;
const CROWD = 58;
/** The width of the words about those who wait. */
const WIDEST_CROWD = 130;
const AXIS = 22;
const MAX_LANES = 12;
/** The share of the width that shows the future. */
const AHEAD = 0.14;

/** The last digits of a token; the digits before them are the same for hours. */
const shortToken = (token: number): string => (token > 1e9 ? `…${`${token}`.slice(-7)}` : `${token}`);
/** A bar that is narrower has no token: half of one would be another. */
const WIDEST_TOKEN = 60;

interface Scale {
  readonly width: number;
  readonly from: number;
  readonly to: number;
  x(at: number): number;
}

function scaleOf(width: number, now: number, windowMs: number): Scale {
  const from = now - windowMs;
  const to = now + windowMs * AHEAD;
  return { width, from, to, x: (at) => ((Math.min(Math.max(at, from), to) - from) / (to - from)) * width };
}

const endOf = (tenure: Tenure, now: number): number => tenure.endedAt ?? Math.max(now, tenure.lastSeenAt);

/** Places overlapping tenures below each other. */
function lanesOf(tenures: readonly Tenure[], now: number): Map<Tenure, number> {
  const ends: number[] = [];
  const lanes = new Map<Tenure, number>();
  for (const tenure of [...tenures].sort((a, b) => a.since - b.since)) {
    const free = ends.findIndex((end) => end <= tenure.since + 1);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = tenure.ended === undefined ? Math.max(tenure.until, now) : endOf(tenure, now);
    lanes.set(tenure, lane);
  }
  return lanes;
}

/** The words for a holder; empty if it has none. */
export const whoOf = ({ label, holder, mode, attempt }: Tenure): string =>
  [attempt === undefined ? undefined : `attempt ${attempt}`, label ?? holder ?? mode]
    .filter((text) => text !== undefined)
    .join(", ");

/** The approximate width of a character in the picture. */
const CHARACTER = 6.6;
/** A text is not cut to fewer characters. */
const MIN_CHARACTERS = 6;

/** A text on a bar, cut to the room, or left out if there is too little. */
function wordsOn(text: string, className: string, x: number, y: number, room: number): SVGElement | false {
  const max = Math.floor((room - 6) / CHARACTER);
  if (text === "" || max < Math.min(text.length, MIN_CHARACTERS)) return false;
  const shown = text.length <= max ? text : `${text.slice(0, max - 1)}…`;
  return draw("text", { class: className, x: x + 5, y }, shown);
}

/** The colour of a tenure, which differs from those next to it. */
const hueOf = (index: number): string => `hue-${index % 4}`;

export const endWords: Readonly<Record<string, string>> = {
  gaveBack: "released or forced out",
  ranOut: "expired",
  done: "done",
  here: "released here",
};

function barOf(tenure: Tenure, hue: string, lane: number, scale: Scale, now: number): SVGElement {
  const y = TOP + lane * LANE;
  const [left, right] = [scale.x(tenure.since), scale.x(endOf(tenure, now))];
  const width = Math.max(right - left, 2);
  const room = tenure.ended === "ranOut" ? width - 10 : width;
  const ahead = tenure.ended === undefined && tenure.until > now ? scale.x(tenure.until) - right : 0;
  const middle = y + BAR / 2;
  const { token } = tenure;
  const who = visible(whoOf(tenure));
  const marks = tenure.extendedAt
    .filter((at) => at > scale.from)
    .map((at) => draw("line", { class: "extended", x1: scale.x(at), x2: scale.x(at), y1: y, y2: y + 5 }));
  const cross = `M${right - 4} ${middle - 4}l8 8m0 -8l-8 8`;
  const title = `${tenure.token === undefined ? "" : `Token ${tenure.token}, `}${span(endOf(tenure, now) - tenure.since)}`;
  return draw(
    "g",
    { class: `tenure ${hue}` },
    draw("title", {}, title),
    ahead > 0 && draw("rect", { class: "ahead", x: right, y: y + 8, width: ahead, height: BAR - 16 }),
    draw("rect", { class: "bar", x: left, y, width, height: BAR, rx: 3 }),
    wordsOn(who, "who", left, y + 16, room),
    token !== undefined &&
      room > WIDEST_TOKEN &&
      wordsOn(shortToken(token), "taken", left, y + (who === "" ? 20 : 29), room),
    ...marks,
    tenure.ended === "ranOut" && draw("path", { class: "ran-out", d: cross }),
    tenure.ended === "done" && draw("circle", { class: "done", cx: right, cy: middle, r: 4 }),
  );
}

/** The number of waiters, as steps. */
function crowdOf({ history: { waiters } }: NameReport, scale: Scale, y: number, now: number): SVGElement[] {
  const max = Math.max(0, ...waiters.map((each) => each.count));
  if (max === 0) return [];
  const bottom = y + CROWD - 4;
  const height = (number: number): number => (number / max) * (CROWD - 20);
  let line = `M${scale.x(waiters[0]?.at ?? now)} ${bottom}`;
  for (const { at, count: number } of waiters) line += `H${scale.x(at)}V${bottom - height(number)}`;
  line += `H${scale.x(now)}`;
  const farthest = scale.width - WIDEST_CROWD;
  return [
    draw("path", { class: "crowd", d: `${line}V${bottom}Z` }),
    draw(
      "text",
      { class: "small haloed", x: Math.max(2, Math.min(scale.x(waiters[0]?.at ?? now) + 2, farthest)), y: y + 12 },
      `${count(waiters.at(-1)?.count ?? 0)} waiting, at most ${count(max)}`,
    ),
  ];
}

const STEPS = [5, 10, 15, 30, 60, 120, 300, 600];

function axisOf(scale: Scale, y: number, now: number, windowMs: number): SVGElement[] {
  const x = scale.x(now);
  const step = (STEPS.find((seconds) => (windowMs / 1000 / seconds) * 64 <= scale.width) ?? 600) * 1000;
  const ticks: SVGElement[] = [];
  for (let at = Math.ceil(scale.from / step) * step; scale.x(at) < x - 44; at += step) {
    if (scale.x(at) < 26) continue;
    ticks.push(
      draw("line", { class: "grid", x1: scale.x(at), x2: scale.x(at), y1: 0, y2: y }),
      draw("text", { class: "small", x: scale.x(at), y: y + 15, "text-anchor": "middle" }, clockTime(at, now)),
    );
  }
  return [
    ...ticks,
    draw("line", { class: "now", x1: x, x2: x, y1: 0, y2: y + 4 }),
    draw("text", { class: "small", x, y: y + 15, "text-anchor": "middle" }, "now"),
  ];
}

/** Describes the picture in words. */
function summaryOf({ history }: NameReport, shown: readonly Tenure[], windowMs: number): string {
  const ranOut = shown.filter(({ ended }) => ended === "ranOut").length;
  const max = Math.max(0, ...history.waiters.map((each) => each.count));
  return `The last ${span(windowMs)}: ${many(shown.length, "tenure was", "tenures were")} seen, of which ${ranOut} expired; at most ${many(max, "caller")} waited. The table below lists them.`;
}

/** Draws the history of a name over time. */
export function timeline(report: NameReport, width: number, now: number, windowMs: number): SVGElement {
  const scale = scaleOf(width, now, windowMs);
  const { history, gaps } = report;
  const shown = history.tenures.filter((tenure) => endOf(tenure, now) > scale.from);
  const lanes = lanesOf(shown, now);
  const used = Math.min(Math.max(1, ...[...lanes.values()].map((lane) => lane + 1)), MAX_LANES);
  const hidden = [...lanes.values()].filter((lane) => lane >= MAX_LANES).length;
  const below = TOP + used * LANE + (hidden > 0 ? 16 : 0);
  const crowd = crowdOf(report, scale, below, now);
  const bottom = below + (crowd.length > 0 ? CROWD : 0);
  const blind = [{ from: scale.from, to: history.startedAt }, ...gaps]
    .filter(({ from, to }) => to > Math.max(from, scale.from))
    .map(({ from, to }) =>
      draw("rect", { class: "blind", x: scale.x(from), y: 0, width: scale.x(to) - scale.x(from), height: bottom }),
    );
  const bars = shown.map((tenure) => {
    const lane = lanes.get(tenure) as number;
    return lane < MAX_LANES && barOf(tenure, hueOf(history.tenures.indexOf(tenure)), lane, scale, now);
  });
  return draw(
    "svg",
    {
      role: "img",
      "aria-label": summaryOf(report, shown, windowMs),
      width,
      height: bottom + AXIS,
      viewBox: `0 0 ${width} ${bottom + AXIS}`,
    },
    ...blind,
    ...axisOf(scale, bottom, now, windowMs),
    ...bars,
    hidden > 0 && draw("text", { class: "small", x: 4, y: below - 4 }, `and ${hidden} more at the same time`),
    ...crowd,
  );
}

/** The legend of the picture. */
export const legend = (): HTMLElement =>
  make(
    "ul",
    { class: "legend quiet" },
    make("li", {}, make("i", { class: "mark bar" }), "held"),
    make("li", {}, make("i", { class: "mark ahead" }), "lease ahead"),
    make("li", {}, make("i", { class: "mark tick" }), "extended"),
    make("li", {}, make("i", { class: "mark out" }, "✕"), "expired"),
    make("li", {}, make("i", { class: "mark blind" }), "not watched"),
  );
