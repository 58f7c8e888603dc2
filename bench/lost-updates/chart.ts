/** Draws how many updates were lost under each lock, with a light and a dark form. */

/** One row of the table in docs/proof.md. */
export interface Row {
  readonly library: string;
  readonly lost: number;
  readonly refused: number;
}

const WIDTH = 760;
const [LEFT, TOP, STEP, THICK] = [224, 62, 34, 20] as const;
const LONGEST = WIDTH - LEFT - 60;

const STYLE = `
    .card { fill: #ffffff; stroke: #d0d7de }
    text { font: 14px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328 }
    .title { font-weight: 600 }
    .bar { fill: #cf222e }
    .none { fill: #15803d; font-weight: 600 }
    .axis { stroke: #8c959f }
    @media (prefers-color-scheme: dark) {
      .card { fill: #161b22; stroke: #3d444d }
      text { fill: #e6edf3 }
      .bar { fill: #f85149 }
      .none { fill: #4ac26b }
      .axis { stroke: #59636e }
    }`;

const escapeText = (words: string): string => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** The whole chart as SVG. @param updates how many were made under each lock */
export function drawChart(rows: readonly Row[], updates: number): string {
  const height = TOP + rows.length * STEP + 12;
  const most = Math.max(1, ...rows.map(({ lost }) => lost));
  const title = `Of ${updates} updates to a list, so many were lost under each lock`;
  const about = rows.map(({ library, lost }) => `${library}: ${lost}`).join(", ");
  const bars = rows.map(({ library, lost }, index) => {
    const y = TOP + index * STEP;
    const length = Math.round((LONGEST * lost) / most);
    const label = `<text x="${LEFT - 12}" y="${y + 15}" text-anchor="end">${escapeText(library)}</text>`;
    const bar = lost > 0 ? `<rect x="${LEFT}" y="${y}" width="${length}" height="${THICK}" rx="3" class="bar"/>` : "";
    const kind = lost > 0 ? "" : ' class="none"';
    return `${label}${bar}<text x="${LEFT + length + 8}" y="${y + 15}"${kind}>${lost}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title desc">
  <title id="title">${escapeText(title)}</title>
  <desc id="desc">${escapeText(about)}.</desc>
  <style>${STYLE}
  </style>
  <rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8" class="card"/>
  <text x="24" y="36" class="title">${escapeText(title)}</text>
  <path d="M${LEFT} ${TOP - 8}V${height - 12}" class="axis"/>
  ${bars.join("\n  ")}
</svg>
`;
}

const HEAD = "| the list is updated under | updates lost | late writes refused |\n| --- | --: | --: |";

export const tableOf = (rows: readonly Row[]): string =>
  [HEAD, ...rows.map(({ library, lost, refused }) => `| ${library} | ${lost} | ${refused} |`)].join("\n");

/** The rows of `tableOf`, read out of a document again. */
export function rowsOf(document: string): Row[] {
  const [, body = ""] = document.split(`${HEAD}\n`);
  const rows: Row[] = [];
  for (const line of body.split("\n")) {
    const [, library, lost, refused] = /^\| (.+) \| (\d+) \| (\d+) \|$/.exec(line) ?? [];
    if (library === undefined) break;
    rows.push({ library, lost: Number(lost), refused: Number(refused) });
  }
  return rows;
}
