/** Draws boxes with arrows between them. */
import { frame, LINE, textAt } from "./svg.ts";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly label: readonly string[];
  readonly style?: "box" | "end" | "warn";
}

export interface Arrow {
  /** An SVG path, from one box to another. */
  readonly path: string;
  readonly label?: { readonly x: number; readonly y: number; readonly text: readonly string[] };
}

export interface Boxes {
  readonly title: string;
  readonly description: string;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

const drawBox = ({ x, y, width, label, style = "box" }: Box): string => {
  const [name = "", ...more] = label;
  const height = LINE * label.length + 16;
  const rest = more.length > 0 ? textAt(x + width / 2, y + 24 + LINE, more, "small") : "";
  return `<rect class="${style}" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>${textAt(x + width / 2, y + 24, [name], "who")}${rest}`;
};

const drawArrow = ({ path, label }: Arrow): string =>
  `<path class="call" d="${path}"/>${label ? textAt(label.x, label.y, label.text, "small over") : ""}`;

export const drawBoxes = ({ title, description, height, boxes, arrows }: Boxes): string =>
  frame(title, description, height, [...arrows.map(drawArrow), ...boxes.map(drawBox)]);
