import { expect, it } from "vitest";
import { draw } from "../../docs/playground/picture.ts";
import { createSimulation } from "../../docs/playground/simulation.ts";

const PITCH = 96;
/** The middles of the lanes of the lock and of the resource. */
const [LOCK, RESOURCE] = [1.5 * PITCH, 2.5 * PITCH];
const INSTANCE_B = 3.5 * PITCH;

/** The pieces of every line of a request or an answer: the heights at which each begins and ends. */
const piecesOf = (picture: string): (readonly [from: number, to: number])[][] =>
  [...picture.matchAll(/<path d="([^"]*)" class="(?:call|answer) [^"]*"\/>/g)].map(([, path = ""]) =>
    [...path.matchAll(/M\S+ (\S+?)L\S+ ([\d.]+)/g)].map(([, from, to]) => [Number(from), Number(to)] as const),
  );

it.each([1366, 390])("no request crosses the lane of the lock or of the resource at %i px (54.1)", async (width) => {
  const run = await createSimulation({ seed: 1, deeds: [{ action: "freeze-A", tick: 24 }] });
  while (run.seconds < 12) await run.advance();
  const frame = { width, pitch: PITCH, isNarrow: width < 900, now: run.seconds, shown: run.seconds };
  const lines = piecesOf(draw(run.history, frame));
  const crosses = ([from, to]: readonly [number, number]): boolean =>
    [LOCK, RESOURCE].some((lane) => Math.min(from, to) < lane && lane < Math.max(from, to));
  expect(lines.flat().filter(crosses)).toEqual([]);
  // B polls the lock, beyond the resource: each poll and its answer is there, in two pieces.
  const polls = lines.filter(
    (pieces) => pieces.length === 2 && pieces.flat().some((y) => y > RESOURCE && y < INSTANCE_B),
  );
  expect(polls.length).toBeGreaterThan(4);
});

it.each([1366, 390])("no moment on the axis is cut by an edge at %i px (54.1)", async (width) => {
  const run = await createSimulation({ seed: 1, deeds: [] });
  while (run.seconds < 16) await run.advance();
  for (let shown = 4; shown < 16; shown += 0.3) {
    const frame = { width, pitch: PITCH, isNarrow: width < 900, now: run.seconds, shown };
    const moments = [...draw(run.history, frame).matchAll(/<text x="(\S+)" y="404.0"[^>]*>(\d+ s)</g)];
    expect(moments.length).toBeGreaterThan(1);
    for (const [, x] of moments) expect(Number(x)).toBeLessThan(width - 15);
  }
});
