/** Draws messages between lanes; time runs downwards. */
import { frame, LINE, MARGIN, textAt, WIDTH } from "./svg.ts";

interface Step {
  readonly from: string;
  /** The same as `from` for a note on its lane. */
  readonly to: string;
  readonly label: readonly string[];
  /** Default: a call. A lost message ends halfway. */
  readonly kind?: "call" | "reply" | "lost";
}

export interface Sequence {
  readonly title: string;
  readonly description: string;
  readonly lanes: readonly string[];
  readonly steps: readonly Step[];
}

const TOP = 58;
/** The average width of a letter of the labels. */
const LETTER = 7.2;

/** The middle of a label: between its lanes, but inside the card. */
function middleOf(from: number, to: number, label: readonly string[]): number {
  const half = (Math.max(...label.map((line) => line.length)) * LETTER) / 2;
  return Math.min(Math.max((from + to) / 2, MARGIN + half), WIDTH - MARGIN - half);
}

function drawStep(step: Step, from: number, to: number, y: number): readonly [text: string, bottom: number] {
  const label = textAt(middleOf(from, to, step.label), y + LINE, step.label, "small over");
  const bottom = y + LINE * step.label.length + 10;
  if (from === to) return [label, bottom + 8];
  const end = step.kind === "lost" ? (from + to) / 2 : to + (to > from ? -3 : 3);
  const cross = step.kind === "lost" ? `<path class="lost" d="M${end - 6} ${bottom - 6}l12 12m0 -12l-12 12"/>` : "";
  return [`<path class="${step.kind ?? "call"}" d="M${from} ${bottom}H${end}"/>${cross}${label}`, bottom + 14];
}

export function drawSequence({ title, description, lanes, steps }: Sequence): string {
  const first = 64;
  const gap = (WIDTH - 2 * first) / (lanes.length - 1);
  const laneOf = (name: string): number => first + gap * lanes.indexOf(name);
  const parts: string[] = [];
  let y = TOP;
  for (const step of steps) {
    const [text, bottom] = drawStep(step, laneOf(step.from), laneOf(step.to), y);
    parts.push(text);
    y = bottom;
  }
  const heads = lanes.map(
    (lane) =>
      `<path class="lane" d="M${laneOf(lane)} ${TOP - 12}V${y + 6}"/>${textAt(laneOf(lane), 32, [lane], "who over")}`,
  );
  return frame(title, description, y + 22, [...heads, ...parts]);
}
