import { type Answer, call, pause } from "./harness.ts";

/** What was asked, and whether it was answered. */
export interface Load {
  readonly ok: number;
  readonly notSent: number;
  readonly noAnswer: number;
  /** Answers that are an honest error of Redis. */
  readonly refused: number;
  /** Answers that nobody may ever see; each test wants none. */
  readonly wrong: readonly string[];
  /** When the last good answer came, on the clock of `performance.now()`. */
  readonly okAt: number;
  /** Resolves with the time of the next good answer to a question that is asked from now on, one of each kind. */
  nextOk(): Promise<number>;
  /** Ends it when the last answers are there. */
  stop(): Promise<void>;
  /** The keys that are counted up once each, by what was answered. */
  readonly counted: Readonly<Record<"ok" | "notSent" | "noAnswer", readonly string[]>>;
}

const NOT_SENT = /^\{"error":"Redis is not reachable: nothing was sent"\}$/;
const NO_ANSWER = /^\{"error":"No answer from Redis: what was sent may have run"\}$/;
/** What Redis may say while it changes over, and the gateway of one command of a pipeline. */
const CHANGING = /^(READONLY|LOADING|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|EXECABORT|UNBLOCKED|NOANSWER) /;

interface Question {
  readonly path: string;
  readonly body?: unknown;
  readonly counted?: string;
  /** The body of the one right answer. */
  readonly answer: unknown;
}

/** Every question differs from all others, and its answer with it, so that one that went astray shows. */
const KINDS: readonly ((id: string) => Question)[] = [
  (id) => ({ path: "", body: ["INCR", `n:${id}`], counted: `n:${id}`, answer: { result: 1 } }),
  (id) => ({ path: "", body: ["ECHO", id], answer: { result: id } }),
  (id) => ({ path: `/echo/${id}`, answer: { result: id } }),
  (id) => ({
    path: "/pipeline",
    body: [
      ["SET", `s:${id}`, id],
      ["GET", `s:${id}`],
      ["INCR", `n:${id}`],
    ],
    counted: `n:${id}`,
    answer: [{ result: "OK" }, { result: id }, { result: 1 }],
  }),
  (id) => ({
    path: "/multi-exec",
    body: [
      ["INCR", `n:{${id}}`],
      ["SET", `s:{${id}}`, id],
      ["GET", `s:{${id}}`],
    ],
    counted: `n:{${id}}`,
    answer: [{ result: 1 }, { result: "OK" }, { result: id }],
  }),
  (id) => ({
    path: "",
    body: ["EVAL", "return {redis.call('INCR', KEYS[1]), ARGV[1]}", "1", `n:${id}`, id],
    counted: `n:${id}`,
    answer: { result: [1, id] },
  }),
];

const isChanging = (item: unknown): boolean =>
  typeof item === "object" && item !== null && "error" in item && CHANGING.test(String(item.error));

/** Right, but for commands of a pipeline that Redis has refused by themselves. */
function isHonest(answer: unknown, wanted: unknown): boolean {
  if (JSON.stringify(answer) === JSON.stringify(wanted)) return true;
  if (!Array.isArray(answer) || !Array.isArray(wanted) || answer.length !== wanted.length) return false;
  if (!answer.some(isChanging)) return false;
  // After a SET that was refused, a GET finds nothing.
  return answer.every(
    (item, at) => isChanging(item) || JSON.stringify(item) === '{"result":null}' || isHonest(item, wanted[at]),
  );
}

/** What the answer to the last command of a pipeline, which counts, says of it alone. */
function verdictOfLast(answer: unknown): "notSent" | "noAnswer" | "refused" {
  const last = JSON.stringify(Array.isArray(answer) ? answer.at(-1) : answer);
  if (/"CLUSTERDOWN .*: nothing was sent"/.test(last)) return "notSent";
  return last.includes('"NOANSWER ') ? "noAnswer" : "refused";
}

let loads = 0;

/** Asks all the time, so many questions at once. */
export function startLoad(url: string, workers = 16): Load {
  const name = `l${++loads}`;
  const counts = { ok: 0, notSent: 0, noAnswer: 0, refused: 0 };
  const counted = { ok: [] as string[], notSent: [] as string[], noAnswer: [] as string[] };
  const wrong: string[] = [];
  let asked = 0;
  let okAt = 0;
  let done = false;

  function judge(question: Question, { status, body, text }: Answer): keyof typeof counts | undefined {
    if (status === 200 && JSON.stringify(body) === JSON.stringify(question.answer)) return "ok";
    if (status === 200 && isHonest(body, question.answer)) return verdictOfLast(body);
    if (status === 400 && isChanging(body)) return "refused";
    if (status === 503 && NOT_SENT.test(text)) return "notSent";
    if (status === 504 && NO_ANSWER.test(text)) return "noAnswer";
    wrong.push(`${JSON.stringify(question)}: ${status} ${text}`);
    return undefined;
  }

  async function ask(kind: number): Promise<boolean> {
    const make = KINDS[kind % KINDS.length];
    if (make === undefined) throw new Error("no questions");
    const question = make(`${name}:${asked++}`);
    const answer = await call(url + question.path, question.body);
    const verdict = judge(question, answer);
    if (verdict === undefined) return false;
    counts[verdict]++;
    if (verdict === "ok") okAt = performance.now();
    if (question.counted !== undefined && verdict !== "refused") counted[verdict].push(question.counted);
    return verdict === "ok";
  }

  const working = Promise.all(
    Array.from({ length: workers }, async (_, index) => {
      for (let round = index; !done; round++) if (!(await ask(round))) await pause(5);
    }),
  );

  // Who waits for the end is told; a test that has failed before is not disturbed.
  working.catch(() => {});

  return {
    get ok() {
      return counts.ok;
    },
    get notSent() {
      return counts.notSent;
    },
    get noAnswer() {
      return counts.noAnswer;
    },
    get refused() {
      return counts.refused;
    },
    get okAt() {
      return okAt;
    },
    wrong,
    counted,
    async nextOk() {
      const end = performance.now() + 15_000;
      for (const kind of KINDS.keys()) {
        while (!(await ask(kind))) {
          if (performance.now() > end) throw new Error(`no good answer any more; the last was at ${okAt}`);
          await pause(5);
        }
      }
      return performance.now();
    },
    async stop() {
      done = true;
      await working;
    },
  };
}

/** How high keys have been counted, asked through the gateway. */
export async function valuesOf(url: string, keys: readonly string[]): Promise<number[]> {
  const values: number[] = [];
  for (let at = 0; at < keys.length; at += 500) {
    const gets = keys.slice(at, at + 500).map((key) => ["GET", key]);
    const { body } = await call(`${url}/pipeline`, gets);
    values.push(...(body as { result: string | null }[]).map(({ result }) => Number(result)));
  }
  return values;
}
