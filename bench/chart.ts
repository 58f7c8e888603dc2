/** Draws a chart of bars as SVG, with a light and a dark form. */

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** A part of the value, drawn darker. */
  readonly part?: number | undefined;
  /** The text after the bar. */
  readonly text: string;
  readonly tone: "ours" | "others" | "bad";
}

export interface Chart {
  readonly title: string;
  /** The meaning of the bars, if the title does not say it. */
  readonly note?: string;
  /** The last line: when it was measured, and the spread of the figures. */
  readonly foot?: string;
  /** Groups of bars with their own headings, all on one scale. */
  readonly groups: readonly { readonly name?: string; readonly bars: readonly Bar[] }[];
}

const WIDTH = 760;
const [LEFT, STEP, THICK, HEADING, FOOT, BOTTOM] = [224, 28, 18, 34, 24, 12] as const;
/** The maximum width of a character of a bar's text, and the space around the text. */
const [LETTER, SPACE] = [8.6, 28] as const;

const STYLE = `
    .card { fill: #ffffff; stroke: #d0d7de }
    text { font: 14px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328 }
    .title, .group { font-weight: 600 }
    .note { font-size: 12.5px; fill: #59636e }
    .ours { fill: #2563eb }
    .others { fill: #8c959f }
    .bad { fill: #cf222e }
    .whole { opacity: 0.4 }
    .none { fill: #15803d; font-weight: 600 }
    .axis { stroke: #8c959f }
    @media (prefers-color-scheme: dark) {
      .card { fill: #161b22; stroke: #3d444d }
      text { fill: #e6edf3 }
      .note { fill: #9ea7b3 }
      .ours { fill: #6ea8fe }
      .others { fill: #7d8590 }
      .bad { fill: #f85149 }
      .none { fill: #4ac26b }
      .axis { stroke: #59636e }
    }`;

const escapeText = (words: string): string => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Draws a bar with its label and its text. @param perUnit the length of a value of 1 */
function drawBar({ label, value, part, text, tone }: Bar, y: number, perUnit: number): string {
  const rect = (size: number, kind: string): string => {
    const length = Math.round(size * perUnit);
    return length > 0 ? `<rect x="${LEFT}" y="${y}" width="${length}" height="${THICK}" rx="3" class="${kind}"/>` : "";
  };
  const bars = part === undefined ? rect(value, tone) : rect(value, `${tone} whole`) + rect(part, tone);
  const end = LEFT + Math.round(value * perUnit) + 8;
  const base = y + THICK - 4;
  const words = `<text x="${end}" y="${base}"${value > 0 ? "" : ' class="none"'}>${escapeText(text)}</text>`;
  return `<text x="${LEFT - 12}" y="${base}" text-anchor="end">${escapeText(label)}</text>${bars}${words}`;
}

/** Draws the whole chart as SVG. */
export function drawChart({ title, note, foot, groups }: Chart): string {
  const all = groups.flatMap(({ bars }) => bars);
  const widest = Math.max(...all.map(({ text }) => text.length)) * LETTER + SPACE;
  const perUnit = (WIDTH - LEFT - widest) / Math.max(1e-9, ...all.map(({ value }) => value));
  const lines = [`<text x="24" y="36" class="title">${escapeText(title)}</text>`];
  let y = 54;
  if (note !== undefined) lines.push(`<text x="24" y="${y}" class="note">${escapeText(note)}</text>`);
  if (note !== undefined) y += 14;
  for (const { name, bars } of groups) {
    if (name !== undefined) lines.push(`<text x="24" y="${y + 22}" class="group">${escapeText(name)}</text>`);
    if (name !== undefined) y += HEADING;
    lines.push(`<path d="M${LEFT} ${y}V${y + bars.length * STEP}" class="axis"/>`);
    for (const [index, bar] of bars.entries()) lines.push(drawBar(bar, y + index * STEP + (STEP - THICK) / 2, perUnit));
    y += bars.length * STEP;
  }
  if (foot !== undefined) y += FOOT;
  if (foot !== undefined) lines.push(`<text x="24" y="${y}" class="note">${escapeText(foot)}</text>`);
  const height = y + BOTTOM;
  const about = groups.map(({ name, bars }) => {
    const figures = bars.map(({ label, text }) => `${label}: ${text}`).join("; ");
    return name === undefined ? figures : `${name}: ${figures}`;
  });
  const sentences = [note, ...about, foot].filter((text) => text !== undefined);
  const description = sentences.map((text) => `${text.replace(/\.$/, "")}.`).join(" ");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title desc">
  <title id="title">${escapeText(title)}</title>
  <desc id="desc">${escapeText(description)}</desc>
  <style>${STYLE}
  </style>
  <rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8" class="card"/>
  ${lines.join("\n  ")}
</svg>
`;
}
