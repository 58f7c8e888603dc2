import type { Ask } from "./load.ts";
import type { Stage } from "./subjects.ts";

const KEY = "bench:key";
/** The pause that makes 64 connections send some 10 000 requests a second, a third of the gateway's maximum. */
const PAUSE_MS = 6;
const VALUE = "0123456789abcdef0123456789abcdef";

/** The same work for each subject. */
export interface Case {
  readonly name: string;
  /** The number of commands in one request of the gateway, and in one write of the others. */
  readonly commands: number;
  readonly ours: Ask;
  readonly webdis: Ask | undefined;
  readonly raw: readonly string[];
  /** Whether the rate of requests is fixed; RESP is not measured then. */
  readonly isPaced?: boolean;
}

/** The form of a command for webdis: a path, which may be the body of a POST. */
const asPath = (command: readonly string[]): string => command.map(encodeURIComponent).join("/");

export function casesOf({ gateway, webdis, acquire }: Stage): readonly Case[] {
  const { url, headers } = gateway;
  const get = ["GET", KEY];
  const post = (path: string, body: unknown): Ask => ({ url: url + path, headers, body: JSON.stringify(body) });
  const atWebdis = (ask: (url: string) => Ask): Ask | undefined => (webdis === undefined ? undefined : ask(webdis.url));
  const byPath = (atOnce?: number): Ask | undefined =>
    atWebdis((base) => ({ url: `${base}/${asPath(get)}`, ...(atOnce === undefined ? {} : { atOnce }) }));
  const pipeline = (commands: number): Case => ({
    name: `pipeline of ${commands} GET`,
    commands,
    ours: post(
      "/pipeline",
      Array.from({ length: commands }, () => get),
    ),
    webdis: byPath(commands),
    raw: get,
  });
  return [
    {
      name: "GET in the path",
      commands: 1,
      ours: { url: `${url}/${asPath(get)}`, headers },
      webdis: byPath(),
      raw: get,
    },
    {
      name: "GET in the body",
      commands: 1,
      ours: post("/", get),
      webdis: atWebdis((base) => ({ url: `${base}/`, body: asPath(get) })),
      raw: get,
    },
    {
      name: "EVALSHA (a lock's acquire)",
      commands: 1,
      ours: post("/", acquire),
      webdis: atWebdis((base) => ({ url: `${base}/`, body: asPath(acquire) })),
      raw: acquire,
    },
    pipeline(10),
    pipeline(100),
    {
      name: "GET in the path, paced",
      commands: 1,
      ours: { url: `${url}/${asPath(get)}`, headers, pauseMs: PAUSE_MS },
      webdis: atWebdis((base) => ({ url: `${base}/${asPath(get)}`, pauseMs: PAUSE_MS })),
      raw: get,
      isPaced: true,
    },
    {
      name: "EVALSHA, paced",
      commands: 1,
      ours: { ...post("/", acquire), pauseMs: PAUSE_MS },
      webdis: atWebdis((base) => ({ url: `${base}/`, body: asPath(acquire), pauseMs: PAUSE_MS })),
      raw: acquire,
      isPaced: true,
    },
  ];
}

export const seed = (stage: Stage): Promise<string> => stage.redis.command("SET", KEY, VALUE);

/** Asks once, and gives the flaw of the answer: the speed of wrong answers would mean nothing. */
export async function check(one: Case, ask: Ask): Promise<string | undefined> {
  const { url, headers = {}, body } = ask;
  const response = await fetch(url, body === undefined ? { headers } : { headers, body, method: "POST" });
  const text = await response.text();
  const wanted = one.raw[0] === "GET" ? text.split(VALUE).length - 1 : Number(/^\{"(result|EVALSHA)":\[/.test(text));
  const isRight = response.ok && wanted === (ask.atOnce === undefined ? one.commands : 1);
  return isRight ? undefined : `${response.status} ${text.slice(0, 200)}`;
}
