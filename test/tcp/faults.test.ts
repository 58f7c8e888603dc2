import { describe, it } from "vitest";
import { answerLost, fates, instead, refused, reset, scriptsFlushed, torn } from "../faults/faults.ts";
import { overcomes } from "../faults/play.ts";
import { TIMEOUT_MS } from "../faults/world.ts";
import { lockSites } from "../kinds/lock/sites.ts";
import { onceSites } from "../kinds/once/sites.ts";
import { TCP_CLIENTS, type TcpWay } from "../support/tcp-clients.ts";
import { useStack } from "../support/use-stack.ts";

const stack = useStack({ warm: true });
const ways = Object.keys(TCP_CLIENTS) as TcpWay[];

const loading = "-LOADING Redis is loading the dataset in memory\r\n";
/** A page of HTML is no answer of a server over TCP. */
const { "answer lost, then HTML with 502": _, ...fatesOverTcp } = fates(TIMEOUT_MS);
const all = Object.entries({
  ...fatesOverTcp,
  "connection refused, then back": [refused],
  "LOADING and not run": [instead({ status: 200, headers: {}, body: loading })],
  "connection broken within the answer": [torn],
  "two connections lost, after it ran and before": [answerLost, reset],
});

/** The short form: where a lock is made, kept and given back, by what differs from HTTP most. */
const SHORT = /^(acquire, waiting|tryAcquire|extend|release)$/;
const SHORT_FAULTS = /^answer lost after|^broken off|^unanswered|refused|within/;
const long = process.env["EVERY_FAULT"] !== undefined;
const sites = [...lockSites, ...onceSites].filter(({ name }) => long || SHORT.test(name));
const faults = all.filter(([name]) => long || SHORT_FAULTS.test(name));

const places = ways.flatMap((way) => sites.map((site) => ({ way, site, name: site.name })));
// The client library sends what was on a lost connection once more, or refuses it; a silent one it gives up. One story
// at a time: a client that has not connected again within 0.7 s is taken for one whose server is away.
describe.each(places)("$way: $name", ({ way, site }) => {
  it.each(faults)("overcomes: %s", async (_name, each) => {
    await overcomes(stack, way, site, each);
  });
});

describe.each(ways)("%s: SCRIPT FLUSH in between", (way) => {
  it.each(sites)("$name", async (site) => {
    await overcomes(stack, way, site, [scriptsFlushed(stack.redis)]);
  });
});
