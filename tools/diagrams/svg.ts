/** The common parts of all diagrams: colours in light and dark, frame, and text. */

/** Upright, so that the words can be read on a phone of 360 pixels. */
export const WIDTH = 450;
export const MARGIN = 14;
export const LINE = 18;

const STYLE = `
    .card { fill: #ffffff; stroke: #d0d7de }
    .lane { stroke: #afb8c1; stroke-dasharray: 3 4 }
    text { font: 15px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328 }
    .over { stroke: #ffffff; stroke-width: 6; stroke-linejoin: round; paint-order: stroke }
    .who { font-weight: 600 }
    .small { font-size: 14px; fill: #59636e }
    .box { fill: #dbeafe; stroke: #2563eb }
    .end { fill: #dcfce7; stroke: #15803d }
    .warn { fill: #fef3c7; stroke: #b45309 }
    .call { stroke: #59636e; stroke-width: 1.5; fill: none; marker-end: url(#tip) }
    .reply { stroke: #59636e; stroke-width: 1.5; fill: none; stroke-dasharray: 5 4; marker-end: url(#tip) }
    .lost { stroke: #b91c1c; stroke-width: 2; fill: none; stroke-dasharray: 6 4 }
    .tip { fill: #59636e }
    @media (prefers-color-scheme: dark) {
      .card { fill: #161b22; stroke: #3d444d }
      .lane { stroke: #59636e }
      text { fill: #e6edf3 }
      .over { stroke: #161b22 }
      .small { fill: #9ea7b3 }
      .box { fill: #1e3a6b; stroke: #6ea8fe }
      .end { fill: #12351f; stroke: #4ac26b }
      .warn { fill: #4d3a0c; stroke: #e3b341 }
      .call, .reply { stroke: #9ea7b3 }
      .lost { stroke: #ff7b72 }
      .tip { fill: #9ea7b3 }
    }
  `;

const escaped = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

/** Lines of text around the middle `x`, the first with its baseline at `y`. */
export function textAt(x: number, y: number, lines: readonly string[], style = ""): string {
  const spans = lines.map((line, index) => `<tspan x="${x}" dy="${index === 0 ? 0 : LINE}">${escaped(line)}</tspan>`);
  return `<text x="${x}" y="${y}" text-anchor="middle" class="${style}">${spans.join("")}</text>`;
}

/** A whole picture on its own card. */
export function frame(title: string, description: string, height: number, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title desc">
  <title id="title">${escaped(title)}</title>
  <desc id="desc">${escaped(description)}</desc>
  <style>${STYLE}</style>
  <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>
  <rect class="card" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>
  ${parts.join("\n  ")}
</svg>
`;
}
