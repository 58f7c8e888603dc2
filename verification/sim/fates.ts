import type { Random } from "./random.ts";

/** The fate of a request: the part before the `/` concerns the request, the part after it the response. */
export type Fate =
  | "fine"
  | "refused"
  | "lost"
  | "swallowed"
  | "answer lost"
  | "answer swallowed"
  | "late"
  | "answer late"
  | "copied after loss"
  | "copied"
  | "429"
  | "5xx before"
  | "5xx after"
  | "page before"
  | "page after"
  | "half an answer";

const FAULTS: readonly Fate[] = [
  "refused",
  "lost",
  "swallowed",
  "answer lost",
  "answer swallowed",
  "late",
  "answer late",
  "copied after loss",
  "copied",
  "429",
  "5xx before",
  "5xx after",
  "page before",
  "page after",
  "half an answer",
];

/** A response, with the parts that the SDK reads. */
export const response = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Response =>
  ({
    status,
    ok: status >= 200 && status < 300,
    headers: { get: (name: string) => headers[name] ?? null },
    text: async () => body,
  }) as unknown as Response;

const PAGE = "<!doctype html><title>Bad gateway</title>";

/** The random choices about a request. */
export interface Chance {
  readonly fate: Fate;
  /** The travel times of the request and the response, in ms. */
  readonly goes: number;
  readonly comes: number;
  readonly lateMs: number;
  readonly retryAfter: string;
  readonly status: number;
}

/** Always drawn, so that a request without its fault changes no other request. */
export function draw(random: Random, faults: number, isSpared: boolean): Chance {
  const isFaulty = random.chance(faults);
  const drawn = random.pick(FAULTS);
  const delay = (): number => (random.chance(0.05) && faults > 0 ? random.between(5, 300) : random.between(0.3, 6));
  return {
    fate: isFaulty && !isSpared ? drawn : "fine",
    goes: delay(),
    comes: delay(),
    lateMs: random.pick([300, 3000, 12_000, 40_000]) * random.between(0.3, 1),
    retryAfter: random.pick(["0", "1", "3"]),
    status: random.pick([500, 502, 503, 504]),
  };
}

/** The transport of one request and its response. */
export interface Way {
  /** The request reaches the server after this many ms. */
  arrives(ms: number, then: () => void): void;
  /** The server executes it, and answers immediately, or later if it holds it. */
  run(then?: (answer: Response) => void): void;
  /** A response or an error reaches the client after this many ms. */
  answers(ms: number, answer: Response): void;
  breaks(ms: number, syscall: string, code: string): void;
}

/** The request is executed, and its client gets a different response. */
const instead = (way: Way, { goes, comes }: Chance, answer: Response): void =>
  way.arrives(goes, () => way.run(() => way.answers(comes, answer)));

/** The handling of a request, by its fate. */
export const MEET: Readonly<Record<Fate, (way: Way, chance: Chance) => void>> = {
  fine: (way, { goes, comes }) => way.arrives(goes, () => way.run((answer) => way.answers(comes, answer))),
  refused: (way, { goes }) => way.breaks(goes, "connect", "ECONNREFUSED"),
  lost: (way, { goes }) => way.breaks(goes, "read", "ECONNRESET"),
  swallowed: () => {},
  "answer lost": (way, { goes, comes }) =>
    way.arrives(goes, () => way.run(() => way.breaks(comes, "read", "ECONNRESET"))),
  "answer swallowed": (way, { goes }) => way.arrives(goes, () => way.run()),
  late: (way, { lateMs, comes }) => way.arrives(lateMs, () => way.run((answer) => way.answers(comes, answer))),
  "answer late": (way, { goes, lateMs }) => way.arrives(goes, () => way.run((answer) => way.answers(lateMs, answer))),
  "copied after loss": (way, { goes, comes, lateMs }) => {
    way.arrives(goes, () => way.run());
    way.arrives(goes + lateMs, () => way.run((answer) => way.answers(comes, answer)));
  },
  copied: (way, { goes, comes, lateMs }) => {
    way.arrives(goes, () => way.run((answer) => way.answers(comes, answer)));
    way.arrives(goes + lateMs, () => way.run());
  },
  "429": (way, { goes, retryAfter }) => way.answers(goes, response(429, "{}", { "retry-after": retryAfter })),
  "5xx before": (way, { goes, status }) => way.answers(goes, response(status, PAGE)),
  "5xx after": (way, chance) => instead(way, chance, response(chance.status, PAGE)),
  "page before": (way, { goes }) => way.answers(goes, response(200, PAGE)),
  "page after": (way, chance) => instead(way, chance, response(200, PAGE)),
  "half an answer": (way, chance) => instead(way, chance, response(200, '{"result":["gra')),
};
