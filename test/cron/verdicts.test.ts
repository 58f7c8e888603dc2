import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { cloudflareCron, cronRoute, runCron, vercelSchedule } from "../../src/cron/index.ts";
import { dedupe as dedupeHono } from "../../src/hono/index.ts";
import { dedupe } from "../../src/http/index.ts";
import { type Connection, connect, LeaseholdError, latch, once } from "../../src/index.ts";
import { type Fault, startProxy } from "../support/proxy.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack({ warm: true });
/** Where a fault takes the whole of it. */
const TIMEOUT_MS = 500;
/** Where each request is answered: the machine may be busy. */
const PATIENT_MS = 20_000;

const answering =
  (status: number, body = "{}"): Fault =>
  ({ answer }) =>
    answer({ status, headers: { "content-type": "application/json" }, body });
const replying = (error: string): Fault => answering(400, JSON.stringify({ error }));

/** What passes by itself, and what a person has to repair. */
const UNAVAILABLE: Readonly<Record<string, Fault>> = {
  LOADING: replying("LOADING Redis is loading the dataset in memory"),
  READONLY: replying("READONLY You can't write against a read only replica."),
  MASTERDOWN: replying("MASTERDOWN Link with MASTER is down"),
  CLUSTERDOWN: replying("CLUSTERDOWN The cluster is down"),
  TRYAGAIN: replying("TRYAGAIN Multiple keys request during rehashing of slot"),
  BUSY: replying("BUSY Redis is busy running a script."),
  "a cut connection": ({ cut }) => cut(),
  "no answer": () => {},
  "an unreadable answer": answering(200, '{"result":"hello"}'),
  "HTTP 429": answering(429),
  "HTTP 502": answering(502),
  "HTTP 503": answering(503),
  "HTTP 504": answering(504),
};
const BROKEN: Readonly<Record<string, Fault>> = {
  OOM: replying("OOM command not allowed when used memory > 'maxmemory'."),
  NOPERM: replying("NOPERM User default has no permissions to run the 'evalsha' command"),
  NOAUTH: replying("NOAUTH Authentication required."),
  WRONGPASS: replying("WRONGPASS invalid username-password pair or user is disabled."),
  WRONGTYPE: replying("WRONGTYPE Operation against a key holding the wrong kind of value"),
  MISCONF: replying("MISCONF Redis is configured to save RDB snapshots, but it is unable to persist to disk."),
  NOREPLICAS: replying("NOREPLICAS Not enough good replicas to write."),
  MOVED: replying("MOVED 3999 127.0.0.1:6381"),
  ERR: replying("ERR max number of clients reached"),
  "HTTP 401": answering(401),
};

interface Asked {
  readonly locks: Connection;
  readonly open: boolean;
  readonly name: string;
  readonly ran: () => void;
}
const optionsOf = ({ locks, open }: Asked) => ({ locks, onUnavailable: open ? "run" : "refuse" }) as const;
const hook = (name: string) => new Request("http://localhost/hook", { method: "POST", headers: { "X-Id": name } });
const keyOf = (headers: Headers): string | null => headers.get("X-Id");

/** Every way to run work, each with the response that it makes of an error, if it makes one. */
const CRONS: Readonly<Record<string, (asked: Asked) => Promise<Response | undefined>>> = {
  cronRoute: (asked) =>
    cronRoute(
      { ...optionsOf(asked), name: asked.name, slot: () => "one", secret: "s" },
      asked.ran,
    )(new Request("http://localhost/cron", { headers: { Authorization: "Bearer s" } })),
  async vercelSchedule(asked) {
    await vercelSchedule(optionsOf(asked), asked.ran)({ name: asked.name, scheduledAt: new Date(0) });
    return undefined;
  },
  async cloudflareCron(asked) {
    const scheduled = cloudflareCron({ ...optionsOf(asked), name: asked.name }, asked.ran);
    await scheduled({ cron: "* * * * *", scheduledTime: 0 }, {}, { waitUntil: () => {} });
    return undefined;
  },
  async runCron(asked) {
    await runCron({ ...optionsOf(asked), name: asked.name, slot: "one" }, asked.ran);
    return undefined;
  },
};
const ALL: typeof CRONS = {
  ...CRONS,
  dedupe: (asked) =>
    dedupe({ ...optionsOf(asked), key: ({ headers }) => keyOf(headers) }, () => {
      asked.ran();
      return new Response("");
    })(hook(asked.name)),
  async "dedupe of Hono"(asked) {
    const app = new Hono();
    app.onError((error) => {
      throw error;
    });
    app.post("/hook", dedupeHono({ ...optionsOf(asked), key: ({ headers }) => keyOf(headers) }), (c) => {
      asked.ran();
      return c.text("");
    });
    return app.fetch(hook(asked.name));
  },
  async once(asked) {
    const { onUnavailable } = optionsOf(asked);
    await once(asked.locks, asked.name).run({ onUnavailable }, asked.ran);
    return undefined;
  },
};

/** What became of a call: `ran`, `503`, or the code of the error that it threw. */
async function verdictOf(way: (asked: Asked) => Promise<Response | undefined>, given: Omit<Asked, "ran">) {
  let ran = 0;
  try {
    const response = await way({ ...given, ran: () => void ran++ });
    return ran === 1 ? "ran" : `${response?.status}`;
  } catch (error) {
    expect(ran).toBe(0);
    if (!(error instanceof LeaseholdError)) throw error;
    return error.code;
  }
}

/** The verdicts of some ways, while the requests of one script, or all of them, meet a fault. */
async function verdictsOf(ways: typeof ALL, fault: Fault, open: boolean, requestTimeout: number, script?: string) {
  await using proxy = await startProxy(stack.url);
  const locks = connect({ url: proxy.url, token: stack.token, requestTimeout });
  proxy.always(script ?? (() => true), fault);
  const all = Object.entries(ways).map(
    async ([name, way]) => [name, await verdictOf(way, { locks, open, name: freshName() })] as const,
  );
  return Object.fromEntries(await Promise.all(all));
}
const everyOf = (ways: typeof ALL, verdict: unknown) =>
  Object.fromEntries(Object.keys(ways).map((name) => [name, verdict]));

const PASSING_CODE = expect.stringMatching(/^(outcome_unknown|rate_limited|redis_error|lock_timeout)$/);
const LASTING_CODE = expect.stringMatching(/^(redis_error|unauthorized|wrong_kind)$/);
const STEPS = [undefined, "cron-begin"];

describe.concurrent("every way to run work has the same verdict", () => {
  it.each(Object.entries(UNAVAILABLE))("%s: unavailable, so 503, or the work runs (E5)", async (_, fault) => {
    expect(await verdictsOf(ALL, fault, true, TIMEOUT_MS)).toEqual(everyOf(ALL, "ran"));
    const refused = { cronRoute: "503", dedupe: "503", "dedupe of Hono": "503" };
    expect(await verdictsOf(ALL, fault, false, TIMEOUT_MS)).toEqual({ ...everyOf(ALL, PASSING_CODE), ...refused });
  });

  it.each(Object.entries(BROKEN))("%s: a person has to see to it, so it is thrown (E5)", async (_, fault) => {
    for (const open of [true, false])
      expect(await verdictsOf(ALL, fault, open, PATIENT_MS)).toEqual(everyOf(ALL, LASTING_CODE));
  });

  it.each(STEPS)("whichever request of a cron meets it: %s (E5)", async (script) => {
    for (const fault of [UNAVAILABLE["LOADING"], UNAVAILABLE["a cut connection"]] as Fault[]) {
      expect(await verdictsOf(CRONS, fault, true, TIMEOUT_MS, script)).toEqual(everyOf(CRONS, "ran"));
      const refused = { ...everyOf(CRONS, PASSING_CODE), cronRoute: "503" };
      expect(await verdictsOf(CRONS, fault, false, TIMEOUT_MS, script)).toEqual(refused);
    }
    for (const fault of [BROKEN["OOM"], BROKEN["NOPERM"], BROKEN["HTTP 401"]] as Fault[])
      for (const open of [true, false])
        expect(await verdictsOf(CRONS, fault, open, PATIENT_MS, script)).toEqual(everyOf(CRONS, LASTING_CODE));
  });

  it("a lock that is in use as another kind is thrown too (E5)", async () => {
    const locks = connect({ url: stack.url, token: stack.token });
    const given = { locks, open: true, name: freshName() };
    await latch(locks, `cron:${given.name}`).trySetCount(1);
    for (const open of [true, false]) {
      const { cronRoute, runCron } = CRONS as Record<string, Parameters<typeof verdictOf>[0]>;
      for (const way of [cronRoute, runCron] as Parameters<typeof verdictOf>[0][])
        expect(await verdictOf(way, { ...given, open })).toBe("wrong_kind");
    }
  });
});
