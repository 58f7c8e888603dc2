import { type Change, changeLine } from "./changes.ts";
import type { Output } from "./command.ts";
import { cut, cutMiddle, table } from "./text.ts";

const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";
const HOME = "\u001b[H";
const [REST_OF_LINE, REST_OF_SCREEN] = ["\u001b[K", "\u001b[J"];

/** The alternate screen of a terminal, which leaves the terminal's content unchanged. */
export interface Screen {
  draw(lines: readonly string[]): void;
  leave(): void;
}

export function enterScreen(out: Output): Screen {
  let isLeft = false;
  const leave = (): void => {
    if (!isLeft) out.raw(LEAVE);
    isLeft = true;
  };
  // Also if the process ends abruptly.
  process.once("exit", leave);
  out.raw(ENTER);
  return {
    draw(lines) {
      const fits = lines.slice(0, out.rows - 1).map((line) => `${cut(line, out.columns)}${REST_OF_LINE}\n`);
      out.raw(`${HOME}${fits.join("")}${REST_OF_SCREEN}`);
    },
    leave() {
      process.off("exit", leave);
      leave();
    },
  };
}

export interface View {
  readonly title: string;
  /** The server's time. */
  readonly now: number;
  /** The problem, if there is one. */
  readonly trouble: string | undefined;
  readonly body: readonly string[];
  /** The last changes, the newest first. */
  readonly changes: readonly Change[];
}

const clockTime = (ms: number): string => new Date(ms).toISOString().slice(11, 19);

/** Lays out a view in this many rows: the head, the names, and the last changes, for which a third is reserved. */
export function layOut({ title, now, trouble, body, changes }: View, { paint, rows, columns }: Output): string[] {
  const head = `${paint("bold", title)}  ${clockTime(now)} UTC${trouble ? `  ${paint("red", trouble)}` : ""}`;
  const space = Math.max(rows - 5, 3);
  const visible = Math.min(changes.length, Math.max(Math.floor(space / 3), space - body.length));
  const room = Math.max(space - visible, 1);
  const shown =
    body.length > room ? [...body.slice(0, room - 1), paint("dim", `… and ${body.length - room + 1} more`)] : body;
  const last = table(
    changes
      .slice(0, visible)
      .map((change) => [
        clockTime(change.at),
        ...changeLine(change).map((cell, at) => (at === 0 ? cutMiddle(cell, Math.floor(columns / 3)) : cell)),
      ]),
  );
  return [head, "", ...shown, "", ...(last.length > 0 ? [paint("bold", "LAST SEEN"), ...last] : [])];
}
