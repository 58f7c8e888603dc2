import { scripts } from "./scripts.ts";

/** A request as the SDK sent it, and the status it was answered with. */
export interface Sent {
  readonly body: string;
  readonly status: string | undefined;
}

/** Converts the reply to TIME to µs. */
const TIME = /(\w+)\[1\]\*1000000\+\1\[2\]/;

/**
 * A `fetch` under which the server's clock seems to be set: the same scripts, with `shiftMs` added to what TIME gives.
 * The expiry of keys by Redis itself goes on in real time.
 *
 * @param send reaches the gateway
 */
export function shiftableClock(send: typeof fetch = fetch): {
  fetch: typeof fetch;
  shiftMs: number;
  readonly sent: Sent[];
} {
  const sent: Sent[] = [];
  const control = {
    shiftMs: 0,
    sent,
    fetch: (async (input, init) => {
      const [verb, sha, ...rest] = JSON.parse(String(init?.body)) as [string, string, ...unknown[]];
      const script = Object.values(scripts).find(({ sha: shas }) => verb === "EVALSHA" && shas.includes(sha));
      if (!script || !TIME.test(script.lua)) throw new Error("not a script whose clock can be shifted");
      const lua = script.lua.replace(TIME, `$& + ${control.shiftMs * 1000}`);
      const response = await send(input, { ...init, body: JSON.stringify(["EVAL", lua, ...rest]) });
      const { result } = (await response.clone().json()) as { result?: [string] };
      sent.push({ body: String(init?.body), status: result?.[0] });
      return response;
    }) as typeof fetch,
  };
  return control;
}
