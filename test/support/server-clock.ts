import type { Script } from "../../src/redis/script.ts";
import { holdExtend } from "../../src/redis/scripts/hold-extend.gen.ts";
import { lockAcquire } from "../../src/redis/scripts/lock-acquire.gen.ts";
import { lockClose } from "../../src/redis/scripts/lock-close.gen.ts";
import { onceBegin } from "../../src/redis/scripts/once-begin.gen.ts";
import { onceClose } from "../../src/redis/scripts/once-close.gen.ts";
import { onceComplete } from "../../src/redis/scripts/once-complete.gen.ts";
import { recordForce } from "../../src/redis/scripts/record-force.gen.ts";
import { recordInspect } from "../../src/redis/scripts/record-inspect.gen.ts";

/** Every script of the SDK by name. */
export const scripts: Record<string, Script<never, unknown>> = {
  "hold-extend": holdExtend,
  "lock-acquire": lockAcquire,
  "lock-close": lockClose,
  "once-begin": onceBegin,
  "once-close": onceClose,
  "once-complete": onceComplete,
  "record-force": recordForce,
  "record-inspect": recordInspect,
};

/** A request as the SDK sent it, and the status it was answered with. */
export interface Sent {
  readonly body: string;
  readonly status: string | undefined;
}

const TIME = "local now = time[1] * 1000000 + time[2]";

/**
 * A `fetch` under which the server's clock seems to be set: the same scripts, with `shiftMs` added to what TIME gives. The expiry of
 * keys by Redis itself goes on in real time.
 */
export function shiftableClock(): { fetch: typeof fetch; shiftMs: number; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const control = {
    shiftMs: 0,
    sent,
    fetch: (async (input, init) => {
      const [verb, sha, ...rest] = JSON.parse(String(init?.body)) as [string, string, ...unknown[]];
      const script = Object.values(scripts).find(({ sha: shas }) => verb === "EVALSHA" && shas.includes(sha));
      if (!script?.lua.includes(TIME)) throw new Error("not a script whose clock can be shifted");
      const lua = script.lua.replace(TIME, `${TIME} + ${control.shiftMs * 1000}`);
      const response = await fetch(input, { ...init, body: JSON.stringify(["EVAL", lua, ...rest]) });
      const { result } = (await response.clone().json()) as { result?: [string] };
      sent.push({ body: String(init?.body), status: result?.[0] });
      return response;
    }) as typeof fetch,
  };
  return control;
}
