import type { Budget } from "leasehold-engine";

/** Receives a line of MONITOR. */
type Monitor = (line: string) => void;

/** The feeds that watch all commands. */
export interface Monitors {
  /**
   * Reports a command to all monitors.
   *
   * @param budget counts the lines
   */
  tell(words: readonly string[], isFromScript?: boolean, budget?: Budget): void;
  add(monitor: Monitor): void;
  remove(monitor: Monitor): void;
}

/** The origin of a command in a line of MONITOR: a script, or the gateway. */
const SCRIPT = "lua";
const GATEWAY = "memory:1";

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  '"': '\\"',
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\x07": "\\a",
  "\b": "\\b",
};

/** A word in quotes, with escapes for what cannot be printed. */
const quoted = (word: string): string =>
  `"${word.replace(/[^ -~]|["\\]/g, (c) => ESCAPES[c] ?? `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`)}"`;

export function createMonitors(): Monitors {
  const all = new Set<Monitor>();
  return {
    tell(words, isFromScript = false, budget) {
      if (all.size === 0) return;
      const length = words.reduce((sum, word) => sum + word.length, 0);
      budget?.read(length);
      const now = Date.now();
      const time = `${Math.floor(now / 1_000)}.${String(now % 1_000).padStart(3, "0")}000`;
      const line = `${time} [0 ${isFromScript ? SCRIPT : GATEWAY}] ${words.map(quoted).join(" ")}`;
      // An escape takes longer than another character.
      budget?.spend(Math.max(line.length - length, 0));
      budget?.text(line.length * all.size);
      for (const monitor of all) monitor(line);
    },
    add: (monitor) => void all.add(monitor),
    remove: (monitor) => void all.delete(monitor),
  };
}
