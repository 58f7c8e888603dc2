/**
 * Draws docs/freeze.svg: a holder freezes, is overtaken, wakes up, and is refused by the fence.
 *
 *   node tools/picture.ts [--check]
 *
 * The picture brings its own background in a light and a dark form, so that it can be read wherever it is shown.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = join(import.meta.dirname, "../docs/freeze.svg");
const [WIDTH, HEIGHT] = [880, 440];

const TITLE = "A holder that freezes is overtaken, and the fence refuses its late write";
const DESCRIPTION =
  "Time runs from left to right. Holder A acquires the lock with token 33, works, and freezes. Its lease ends while it is frozen. " +
  "Holder B acquires the lock with token 34, claims it at the database, and writes. A wakes up and still believes it holds the lock: " +
  "its write carries token 33. The database has seen 34 and refuses it.";

/** The middle of each lane. */
const LANES = { a: 110, lock: 195, database: 285, b: 370 } as const;
type Lane = keyof typeof LANES;

/** Moments on the axis of time. */
const AT = {
  acquireA: 165,
  freeze: 265,
  endA: 405,
  acquireB: 455,
  claim: 515,
  write: 595,
  wake: 655,
  late: 705,
  end: 850,
};

const BAR = 30;
const STYLE = `
    .card { fill: #ffffff; stroke: #d0d7de }
    .lane { stroke: #d0d7de }
    text { font: 14px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328 }
    .ground { fill: #ffffff; stroke: none }
    .over-ice { stroke: #ffffff; stroke-width: 5; stroke-linejoin: round; paint-order: stroke }
    .who { font-weight: 600 }
    .small { font-size: 12.5px; fill: #59636e }
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

/** A stretch of time in a lane, with words in its middle. */
const bar = (lane: Lane, from: number, to: number, kind: string, words: string): string => {
  const box = (fill: string): string =>
    `<rect x="${from}" y="${LANES[lane] - BAR / 2}" width="${to - from}" height="${BAR}" rx="4" class="${fill}"/>`;
  const hatched = kind === "frozen";
  const label = text((from + to) / 2, LANES[lane] + 5, words, hatched ? "over-ice" : "", "middle");
  return (hatched ? box("ground") : "") + box(kind) + label;
};

/** A request, from the edge of one lane's bar to that of another. */
const arrow = (x: number, from: Lane, to: Lane, kind = "call"): string => {
  const down = LANES[to] > LANES[from] ? 1 : -1;
  const [start, end] = [LANES[from] + (down * BAR) / 2, LANES[to] - (down * (BAR + 6)) / 2];
  return `<path d="M${x} ${start}V${end}" class="${kind}"/>`;
};

const lane = (name: Lane, title: string, about: string): string =>
  `<path d="M150 ${LANES[name]}H${AT.end + 10}" class="lane"/>` +
  text(24, LANES[name] - 3, title, "who") +
  text(24, LANES[name] + 14, about, "small");

const tick = (x: number, y: number): string =>
  `<path d="M${x - 6} ${y}l4 5l8 -10" class="good" style="fill:none;stroke-width:2.5"/>`;
const cross = (x: number, y: number): string =>
  `<path d="M${x - 6} ${y - 6}l12 12m0 -12l-12 12" class="bad" style="stroke-width:2.5"/>`;

/** The whole picture as SVG. */
export function draw(): string {
  const { database } = LANES;
  const parts = [
    `<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="8" class="card"/>`,
    text(24, 36, "Time", "small"),
    `<path d="M64 32H${AT.end}" class="call"/>`,
    lane("a", "Holder A", "an invocation"),
    lane("lock", "The lock", "a record in Redis"),
    lane("database", "The database", "checks the token"),
    lane("b", "Holder B", "another invocation"),

    arrow(AT.acquireA + 12, "a", "lock"),
    text(AT.acquireA + 20, 158, "acquire → token 33", "small"),
    bar("a", AT.acquireA, AT.freeze, "work", "works"),
    bar("a", AT.freeze, AT.wake, "frozen", "frozen: A runs no code, and no timer of A fires"),
    // Behind the lease of B, which it knows nothing of.
    arrow(AT.late, "a", "database", "late"),
    bar("lock", AT.acquireA, AT.endA, "lease", "A's lease, token 33"),
    text(AT.endA, 230, "A's lease ends", "small", "middle"),
    arrow(AT.acquireB + 10, "b", "lock"),
    text(AT.acquireB + 2, 345, "acquire → token 34", "small", "end"),
    bar("lock", AT.acquireB, AT.end, "lease", "B's lease, token 34"),
    bar("b", AT.acquireB, AT.end, "work", "works"),

    arrow(AT.claim, "b", "database"),
    tick(AT.claim, database),
    text(AT.claim, database - 22, "claim 34", "small", "middle"),
    arrow(AT.write, "b", "database"),
    tick(AT.write, database),
    text(AT.write, database - 22, "write 34", "small", "middle"),

    bar("a", AT.wake, AT.late + 30, "work", "wakes up"),
    text(AT.late + 10, 158, "writes with token 33", "small"),
    cross(AT.late, database),
    text(AT.late + 14, database - 8, "refused:", "bad"),
    text(AT.late + 14, database + 18, "33 is lower than 34", "bad"),
    text(
      WIDTH / 2,
      422,
      "Only the resource can stop A. It compares tokens, and a lock that hands out none cannot help it.",
      "small",
      "middle",
    ),
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
