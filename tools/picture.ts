/**
 * Draws docs/freeze.svg: a holder freezes, is overtaken, wakes up, and is refused by the fence.
 *
 *   node tools/picture.ts [--check]
 *
 * The picture has its own background in a light and a dark form, so that it is readable on any page.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = join(import.meta.dirname, "../docs/freeze.svg");
/** Upright, so that its words can be read on a phone of 390 pixels. */
export const WIDTH = 450;
const HEIGHT = 646;

const TITLE = "A holder that freezes is overtaken, and the fence refuses its late write";
const DESCRIPTION =
  "Time runs downwards. Holder A acquires the lock with token 33, works, and freezes. Its lease ends while it is frozen. " +
  "Holder B acquires the lock with token 34, claims it at the database, and writes. A wakes up and still believes it holds the lock: " +
  "its write carries token 33. The database has seen 34 and refuses it.";

/** The middle of each lane. */
const LANES = { a: 68, lock: 172, database: 285, b: 394 } as const;
type Lane = keyof typeof LANES;

/** Moments on the time axis. */
const AT = {
  start: 72,
  acquireA: 84,
  freeze: 160,
  endA: 256,
  acquireB: 284,
  claim: 368,
  write: 436,
  wake: 452,
  late: 506,
  end: 582,
};

const BAR = 88;
const LINE = 18;
const STYLE = `
    .card { fill: #ffffff; stroke: #d0d7de }
    .lane { stroke: #d0d7de }
    text { font: 15px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328 }
    .ground { fill: #ffffff; stroke: none }
    .over-ice { stroke: #ffffff; stroke-width: 5; stroke-linejoin: round; paint-order: stroke }
    .who { font-weight: 600 }
    .small { font-size: 13.5px; fill: #59636e }
    .work { fill: #dbeafe; stroke: #2563eb }
    .frozen { fill: url(#ice); stroke: #6b7280; stroke-dasharray: 5 4 }
    .lease { fill: #fef3c7; stroke: #b45309 }
    .call { stroke: #59636e; stroke-width: 1.5; fill: none; marker-end: url(#tip) }
    .tip { fill: #59636e }
    .ice { stroke: #9ca3af }
    .good { stroke: #15803d; fill: #15803d }
    .bad { stroke: #b91c1c; fill: #b91c1c }
    text.good, text.bad { stroke: none }
    .late { stroke: #b91c1c; stroke-width: 2; stroke-dasharray: 6 4; fill: none }
    @media (prefers-color-scheme: dark) {
      .card { fill: #161b22; stroke: #3d444d }
      .lane { stroke: #3d444d }
      .ground { fill: #161b22 }
      .over-ice { stroke: #161b22 }
      text { fill: #e6edf3 }
      .small { fill: #9ea7b3 }
      .work { fill: #1e3a6b; stroke: #6ea8fe }
      .lease { fill: #4d3a0c; stroke: #e3b341 }
      .frozen { stroke: #9ea7b3 }
      .call { stroke: #9ea7b3 }
      .tip { fill: #9ea7b3 }
      .ice { stroke: #59636e }
      .good { stroke: #4ac26b; fill: #4ac26b }
      .bad { stroke: #ff7b72; fill: #ff7b72 }
      .late { stroke: #ff7b72 }
    }`;

const escapeText = (words: string): string => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

type Anchor = "start" | "middle" | "end";
const text = (x: number, y: number, words: string, kind = "", anchor: Anchor = "start"): string =>
  `<text x="${x}" y="${y}"${kind && ` class="${kind}"`}${anchor === "start" ? "" : ` text-anchor="${anchor}"`}>${escapeText(words)}</text>`;

/** Lines of words around a point. */
const lines = (x: number, y: number, words: readonly string[], kind = ""): string =>
  words.map((line, n) => text(x, y + 5 + LINE * (n - (words.length - 1) / 2), line, kind, "middle")).join("");

/** A stretch of time in a lane, with words in its middle. */
const bar = (lane: Lane, from: number, to: number, kind: string, words: readonly string[]): string => {
  const box = (fill: string): string =>
    `<rect x="${LANES[lane] - BAR / 2}" y="${from}" width="${BAR}" height="${to - from}" rx="4" class="${fill}"/>`;
  const isHatched = kind === "frozen";
  const label = lines(LANES[lane], (from + to) / 2, words, isHatched ? "over-ice" : "");
  return (isHatched ? box("ground") : "") + box(kind) + label;
};

/** A request, from the edge of one lane's bar to that of another, or to the database. */
const arrow = (y: number, from: Lane, to: Lane, kind = "call"): string => {
  const side = LANES[to] > LANES[from] ? 1 : -1;
  const reach = to === "database" ? 12 : BAR / 2 + 3;
  return `<path d="M${LANES[from] + (side * BAR) / 2} ${y}H${LANES[to] - side * reach}" class="${kind}"/>`;
};

const lane = (name: Lane, title: string, about: string): string =>
  `<path d="M${LANES[name]} ${AT.start}V${AT.end + 10}" class="lane"/>` +
  text(LANES[name], 34, title, "who", "middle") +
  text(LANES[name], 54, about, "small", "middle");

const tick = (x: number, y: number): string =>
  `<path d="M${x - 6} ${y}l4 5l8 -10" class="good" style="fill:none;stroke-width:2.5"/>`;
const cross = (x: number, y: number): string =>
  `<path d="M${x - 6} ${y - 6}l12 12m0 -12l-12 12" class="bad" style="stroke-width:2.5"/>`;

/** The whole picture as SVG. */
export function draw(): string {
  const { database } = LANES;
  const parts = [
    `<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="8" class="card"/>`,
    text(6, 76, "Time", "small"),
    `<path d="M12 ${AT.acquireA}V${AT.end + 10}" class="call"/>`,
    lane("a", "Holder A", "one call"),
    lane("lock", "The lock", "in Redis"),
    lane("database", "The database", "checks the token"),
    lane("b", "Holder B", "another"),

    bar("a", AT.acquireA, AT.freeze, "work", ["acquires", "token 33", "and works"]),
    arrow(AT.acquireA + 14, "a", "lock"),
    bar("a", AT.freeze, AT.wake, "frozen", ["frozen:", "A runs no", "code, and", "no timer", "of A fires"]),
    // After the lease of B, of which it knows nothing.
    arrow(AT.late, "a", "database", "late"),
    bar("lock", AT.acquireA, AT.endA, "lease", ["A's lease,", "token 33"]),
    text(LANES.lock, AT.endA + LINE, "lease ends", "small over-ice", "middle"),
    arrow(AT.acquireB + 14, "b", "lock"),
    bar("lock", AT.acquireB, AT.end, "lease", ["B's lease,", "token 34"]),
    bar("b", AT.acquireB, AT.end, "work", ["acquires", "token 34", "and works"]),

    arrow(AT.claim, "b", "database"),
    tick(database, AT.claim),
    text(database, AT.claim - 14, "claim 34", "small over-ice", "middle"),
    arrow(AT.write, "b", "database"),
    tick(database, AT.write),
    text(database, AT.write - 14, "write 34", "small over-ice", "middle"),

    bar("a", AT.wake, AT.end, "work", ["wakes up:", "writes with", "token 33"]),
    cross(database, AT.late),
    lines(database, AT.late + 36, ["refused: 33 is", "lower than 34"], "bad over-ice"),
    text(WIDTH / 2, 614, "Only the resource can stop A. It compares tokens,", "small", "middle"),
    text(WIDTH / 2, 614 + LINE, "and a lock that hands out none cannot help it.", "small", "middle"),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-labelledby="title desc">
  <title id="title">${escapeText(TITLE)}</title>
  <desc id="desc">${escapeText(DESCRIPTION)}</desc>
  <style>${STYLE}
  </style>
  <defs>
    <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" class="tip"/></marker>
    <pattern id="ice" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V9" class="ice"/></pattern>
  </defs>
  ${parts.join("\n  ")}
</svg>
`;
}

if (import.meta.main) {
  if (!process.argv.includes("--check")) writeFileSync(FILE, draw());
  else if (readFileSync(FILE, "utf8") !== draw()) {
    console.error("docs/freeze.svg is not what tools/picture.ts draws: run node tools/picture.ts");
    process.exitCode = 1;
  }
}
