/** The story of the delivery whose first handler freezes, from D1 and the answers. */
import { setTimeout as pause } from "node:timers/promises";
import { type Row, readRows } from "./audit.ts";
import type { Answer } from "./sender.ts";
import type { Database } from "./workers.ts";

/** The four moments, in ms since the first delivery was sent, and the tokens of the two handlers. */
export interface Story {
  readonly frozeAtMs: number;
  readonly token: number;
  readonly overtakenAtMs: number;
  readonly nextToken: number;
  /** When the handler continued. */
  readonly wokeAtMs: number;
  readonly refusedAtMs: number;
}

const EVERY_MS = 25;

/** Records the events of one delivery. */
export interface Reporter {
  /** Waits until its first handler has begun, and so is frozen. */
  froze(): Promise<void>;
  /** Records an answer. */
  answered(answer: Answer): void;
  /** Waits until the next handler has taken over. */
  overtaken(): Promise<void>;
  tell(): Story;
}

export function reportOn(db: Database, id: string, freezeMs: number): Reporter {
  const startedAt = performance.now();
  const since = (): number => performance.now() - startedAt;
  const story = { frozeAtMs: Number.NaN, token: 0, overtakenAtMs: Number.NaN, nextToken: 0, refusedAtMs: Number.NaN };

  async function rowWith(fits: (row: Row) => boolean): Promise<Row> {
    for (;;) {
      const found = (await readRows(db)).find((row) => row.id === id && fits(row));
      if (found) return found;
      await pause(EVERY_MS);
    }
  }
  return {
    async froze() {
      const { token } = await rowWith(() => true);
      Object.assign(story, { frozeAtMs: since(), token });
    },
    async overtaken() {
      const { token: nextToken } = await rowWith(({ token }) => token > story.token);
      Object.assign(story, { overtakenAtMs: since(), nextToken });
    },
    answered(answer) {
      if (answer.id === id && answer.status === "stale" && Number.isNaN(story.refusedAtMs)) story.refusedAtMs = since();
    },
    // The freeze began a moment before it was noticed.
    tell: () => ({ ...story, wokeAtMs: Math.min(story.frozeAtMs + freezeMs, story.refusedAtMs) }),
  };
}

const at = (ms: number): string => `${(ms / 1000).toFixed(1).padStart(5)} s`;

/** The story in four lines. */
export const linesOf = ({ frozeAtMs, token, overtakenAtMs, nextToken, wokeAtMs, refusedAtMs }: Story): string =>
  [
    `${at(frozeAtMs)}  a handler froze in the middle of a delivery, under token ${token}`,
    `${at(overtakenAtMs)}  its lease had ended: another handler took over, under token ${nextToken}`,
    `${at(wokeAtMs)}  the first one woke, and went on as if nothing had happened`,
    `${at(refusedAtMs)}  D1 refused its write: ${token} < ${nextToken}`,
  ].join("\n");
