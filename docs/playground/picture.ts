import {
  type Exchange,
  type History,
  type InstanceHistory,
  NAMES,
  type Name,
  nickname,
  type Phase,
  type Stretch,
  TRAVEL_SECONDS,
} from "./history.ts";

/** Where and how large the picture is drawn. */
export interface Frame {
  /** In pixels. */
  readonly width: number;
  /** The height of a lane. */
  readonly pitch: number;
  /** Whether lanes are named in the picture, since nothing beside it names them. */
  readonly isNarrow: boolean;
  readonly now: number;
  /** The moment that the picture follows: now, or an earlier one. */
  readonly shown: number;
}

const LANES = ["A", "lock", "resource", "B"] as const;
type Lane = (typeof LANES)[number];
const TITLES: Readonly<Record<Lane, string>> = {
  A: "Instance A",
  lock: "The lock",
  resource: "The resource",
  B: "Instance B",
};

const AXIS = 30;
const BAR = 28;
/** A lease ends at most so far from now. */
const FUTURE_SECONDS = 9;
/** Pixels before 0 s, so that its label is whole. */
const LEFT_MARGIN = 14;
/** About the width of a letter. */
const LETTER = 7;
/** A request that passes a lane on its way is not drawn so near to the middle of the lane. */
const PASSING = 27;
/** Pixels within which the label of a moment would be cut by an edge. */
const LABEL_MARGIN = 18;
/** The ground behind the name of a lane, inside the picture. */
const NAME_HEIGHT = 18;
const NAME_LETTER = 7.2;

export const heightOf = ({ pitch }: Pick<Frame, "pitch">): number => LANES.length * pitch + AXIS;

const escapeText = (words: string): string =>
  words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

type Anchor = "start" | "middle" | "end";

interface Canvas extends Frame {
  readonly x: (seconds: number) => number;
  readonly y: (lane: Lane) => number;
  readonly left: number;
  readonly right: number;
}

const fixed = (value: number): string => value.toFixed(1);

function text(x: number, y: number, words: string, kind: string, anchor: Anchor = "start"): string {
  return `<text x="${fixed(x)}" y="${fixed(y)}" class="${kind}" text-anchor="${anchor}">${escapeText(words)}</text>`;
}

/** The part of a stretch that can be seen. */
function clip({ left, right }: Canvas, from: number, to: number): readonly [number, number] | undefined {
  const [start, end] = [Math.max(from, left), Math.min(to, right)];
  return end > start ? [start, end] : undefined;
}

function bar(canvas: Canvas, lane: Lane, from: number, to: number, kind: string, words = "", height = BAR): string {
  const seen = clip(canvas, from, to);
  if (!seen) return "";
  const [x, end] = seen.map(canvas.x) as [number, number];
  const width = end - x;
  const y = canvas.y(lane) - height / 2;
  const box = `<rect x="${fixed(x)}" y="${fixed(y)}" width="${fixed(width)}" height="${height}" rx="4" class="${kind}"/>`;
  return words.length * LETTER + 6 > width
    ? box
    : box + text(x + width / 2, canvas.y(lane) + 4.5, words, `on ${kind}`, "middle");
}

/** A mark for good or bad, drawn around a point, over the picture. */
function mark(x: number, y: number, kind: "good" | "bad"): string {
  const [left, top] = [fixed(x - 5), kind === "good" ? fixed(y) : fixed(y - 5)];
  const path = `d="M${left} ${top}${kind === "good" ? "l3.5 4l6.5 -8" : "l10 10m0 -10l-10 10"}"`;
  return `<path ${path} class="mark"/><path ${path} class="mark ${kind}"/>`;
}

/** The edge of a lane's bar that faces another lane. */
function edge(canvas: Canvas, lane: Lane, towards: Lane): number {
  const down = canvas.y(towards) > canvas.y(lane) ? 1 : -1;
  return canvas.y(lane) + (down * BAR) / 2;
}

/** The lanes between two lanes. */
function lanesBetween(one: Lane, two: Lane): readonly Lane[] {
  const [first, last] = [LANES.indexOf(one), LANES.indexOf(two)].sort((low, high) => low - high) as [number, number];
  return LANES.slice(first + 1, last);
}

type Point = readonly [x: number, y: number];

/** A line that is interrupted at the lanes that it passes, so that it does not look like a request to one of them. */
function interrupted(canvas: Canvas, from: Point, to: Point, passed: readonly Lane[], kind: string): string {
  const [[x, y], [endX, endY]] = [from, to];
  const down = passed.some((lane) => canvas.y(lane) > y);
  const at = (height: number): Point => [x + ((endX - x) * (height - y)) / (endY - y), height];
  const isBeyond = (height: number): boolean => (down ? height >= endY : height <= endY);
  let path = `M${fixed(x)} ${fixed(y)}`;
  const before = (lane: Lane): number => canvas.y(lane) - (down ? PASSING : -PASSING);
  const after = (lane: Lane): number => canvas.y(lane) + (down ? PASSING : -PASSING);
  for (const lane of down ? passed : passed.toReversed()) {
    if (isBeyond(before(lane))) break;
    const [stopX, stopY] = at(before(lane));
    path += `L${fixed(stopX)} ${fixed(stopY)}`;
    if (isBeyond(after(lane))) return `<path d="${path}" class="${kind}"/>`;
    const [goX, goY] = at(after(lane));
    path += `M${fixed(goX)} ${fixed(goY)}`;
  }
  return `<path d="${path}L${fixed(endX)} ${fixed(endY)}" class="${kind}"/>`;
}

/** A request and its answer: lines that lean, since both take their time. */
function exchange(canvas: Canvas, { who, to, sentAt, arrivedAt, answeredAt, lostAt, verdict }: Exchange): string {
  const { now, x } = canvas;
  if (sentAt > canvas.right || (answeredAt ?? lostAt ?? now) < canvas.left || sentAt > now) return "";
  const [top, bottom] = [edge(canvas, who, to), edge(canvas, to, who)];
  const reached = Math.min(arrivedAt ?? now, now);
  const part = Math.min(1, (reached - sentAt) / TRAVEL_SECONDS);
  const kind =
    verdict === "stale" ? "stale" : verdict === "held" || verdict === "late" || verdict === "forgotten" ? "faint" : "";
  const passed = lanesBetween(who, to);
  const arriving: Point = [x(reached), top + (bottom - top) * part];
  const way = interrupted(canvas, [x(sentAt), top], arriving, passed, `call ${kind}`);
  if (arrivedAt === undefined || arrivedAt > now) return way;
  const back = Math.min(answeredAt ?? lostAt ?? now, now);
  const share = Math.min(1, (back - arrivedAt) / TRAVEL_SECONDS);
  const y = bottom + (top - bottom) * share;
  const answer = interrupted(canvas, [x(arrivedAt), bottom], [x(back), y], passed, `answer ${kind}`);
  return way + answer + (lostAt !== undefined && lostAt <= now ? mark(x(lostAt), y, "bad") : "");
}

const LABELS: Readonly<Record<Phase["what"], string>> = { asks: "waits", works: "works", rests: "", dead: "killed" };

function instance(canvas: Canvas, who: Name, { phases, freezes, beliefs }: InstanceHistory, history: History): string {
  const { now } = canvas;
  const until = ({ to = now }: Stretch): number => Math.min(to, now);
  const parts = phases
    .filter(({ what }) => what !== "rests")
    .map((phase) => {
      const height = phase.what === "asks" || phase.what === "dead" ? 18 : BAR;
      return bar(canvas, who, phase.from, until(phase), `${phase.what} of-${who}`, LABELS[phase.what], height);
    });
  for (const ice of freezes) {
    const box = (kind: string, words = ""): string => bar(canvas, who, ice.from, until(ice), kind, words);
    parts.push(box("ground") + box("frozen", "frozen"));
  }
  const y = canvas.y(who) + (who === "A" ? -1 : 1) * (BAR / 2 + 9);
  for (const { from, to, until: end, token } of beliefs) {
    const seen = clip(canvas, from, Math.min(to ?? end, end));
    if (!seen) continue;
    const [start, stop] = seen.map(canvas.x) as [number, number];
    const middle = Math.min(Math.max(canvas.x(now), start), stop);
    const line = (one: number, two: number, kind: string): string =>
      two > one ? `<path d="M${fixed(one)} ${fixed(y)}H${fixed(two)}" class="belief of-${who} ${kind}"/>` : "";
    parts.push(line(start, middle, ""), line(middle, stop, "ahead"));
    if (!canvas.isNarrow && to === undefined)
      parts.push(text(stop + 6, y + 4, `as ${who} thinks (${nickname(history, token)})`, "small"));
  }
  return parts.join("");
}

function lock(canvas: Canvas, history: History): string {
  const { now } = canvas;
  const parts = history.tenures.map(({ who, token, from, to, until }) => {
    const end = Math.min(to ?? until, Math.max(until, from));
    const label = `${who} · ${nickname(history, token)}`;
    const past = bar(canvas, "lock", from, Math.min(end, now), `tenure of-${who}`, label);
    return (end > now ? bar(canvas, "lock", Math.max(now, from), end, `tenure ahead of-${who}`) : "") + past;
  });
  for (const { at, by } of history.clockSteps) {
    if (at < canvas.left || at > canvas.right) continue;
    const [x, y] = [canvas.x(at), canvas.y("lock")];
    parts.push(`<path d="M${fixed(x)} ${fixed(y - 26)}V${fixed(y + 26)}" class="step"/>`);
    parts.push(text(x + 5, y - 20, `clock ${by > 0 ? "+" : "−"}${Math.abs(by)} s`, "small haloed"));
  }
  return parts.join("");
}

function resource(canvas: Canvas, history: History): string {
  const { now } = canvas;
  const done = history.writes.filter(({ refusedFor, value }) => refusedFor === undefined && value !== undefined);
  const empty = bar(canvas, "resource", 0, Math.min(done[0]?.at ?? now, now), "empty", "empty");
  const parts = done.map(({ at, who, value }, index) =>
    bar(canvas, "resource", at, Math.min(done[index + 1]?.at ?? now, now), `value of-${who}`, value),
  );
  parts.push(empty);
  return parts.join("") + marks(canvas, history);
}

/** The claims and writes that have reached the resource. */
function marks(canvas: Canvas, history: History): string {
  const { x, y, left, right } = canvas;
  /** Where there is room for words again, above and below. */
  const free = { A: 0, B: 0 };
  const parts: string[] = [];
  for (const { at, who, token, value, refusedFor, overwrote } of history.writes) {
    if (at < left || at > right) continue;
    const name = nickname(history, token);
    // Requests of A come from above, and are labelled there.
    const side = who === "A" ? -1 : 1;
    const [reached, row] = [y("resource") + (side * BAR) / 2, y("resource") + side * (BAR / 2 + 12)];
    const isRefused = refusedFor !== undefined;
    const isBad = isRefused || overwrote !== undefined;
    const what = isRefused ? "refused" : value === undefined ? "claim" : "write";
    const [long, short] = isRefused
      ? [`refused: ${name} < ${nickname(history, refusedFor)}`, what]
      : overwrote === undefined
        ? [`${what} ${name}`, name]
        : [`overwrites ${nickname(history, overwrote)}`, "overwrites"];
    const words = canvas.isNarrow ? short : long;
    const start = x(at) + 9;
    parts.push(mark(x(at), reached, isBad ? "bad" : "good"));
    if (start < free[who]) continue;
    free[who] = start + words.length * LETTER;
    parts.push(text(start, row + 4, words, isBad ? "bad haloed" : "small haloed"));
  }
  return parts.join("");
}

function axis(canvas: Canvas): string {
  const { left, right, now, x, pitch, isNarrow } = canvas;
  const bottom = LANES.length * pitch;
  const parts: string[] = [];
  for (let at = Math.max(0, Math.ceil(left / 5) * 5); at <= right; at += 5) {
    parts.push(`<path d="M${fixed(x(at))} 0V${bottom}" class="grid"/>`);
    const isWhole = x(at) > LABEL_MARGIN / 2 && x(at) < canvas.width - LABEL_MARGIN;
    if (isWhole && Math.abs(at - now) > (isNarrow ? 2.5 : 1.5))
      parts.push(text(x(at), bottom + 20, `${at} s`, "small", "middle"));
  }
  parts.push(...LANES.map((lane) => `<path d="M0 ${canvas.y(lane)}H${canvas.width}" class="lane"/>`));
  return parts.join("");
}

const nowLine = ({ now, x, pitch, right }: Canvas): string =>
  now > right
    ? ""
    : `<path d="M${fixed(x(now))} 0V${LANES.length * pitch + 6}" class="now"/>` +
      text(x(now), LANES.length * pitch + 20, `${now.toFixed(1)} s`, "time", "middle");

/** Draws a run as the inside of an SVG. */
export function draw(history: History, frame: Frame): string {
  const scale = frame.isNarrow ? 17 : Math.min(36, Math.max(24, frame.width / 34));
  const span = frame.width / scale;
  const left = Math.max(-LEFT_MARGIN / scale, frame.shown - Math.max(2, span - FUTURE_SECONDS - 0.5));
  const canvas: Canvas = {
    ...frame,
    left,
    right: left + span,
    x: (seconds) => (seconds - left) * scale,
    y: (lane) => (LANES.indexOf(lane) + 0.5) * frame.pitch,
  };
  const names = LANES.map((lane) => {
    const [top, title] = [canvas.y(lane) - frame.pitch / 2, TITLES[lane]];
    const width = title.length * NAME_LETTER + 8;
    const ground = `<rect x="2" y="${fixed(top)}" width="${fixed(width)}" height="${NAME_HEIGHT}" class="ground"/>`;
    return ground + text(6, top + 13, title, "name");
  });
  return [
    axis(canvas),
    ...history.exchanges.map((one) => exchange(canvas, one)),
    nowLine(canvas),
    ...NAMES.map((who) => instance(canvas, who, history.instances[who], history)),
    lock(canvas, history),
    resource(canvas, history),
    ...(frame.isNarrow ? names : []),
  ].join("");
}
