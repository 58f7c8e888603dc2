import { describe, expect, it } from "vitest";
import { command } from "../../tools/run-command.ts";
import { readEnvironment } from "../src/environment.ts";
import type { LeaseholdNamespace } from "../src/namespace.ts";
import { durableObject } from "../src/port.ts";
import { createRestHandler } from "../src/rest.ts";
import { startReadyWorker } from "./support/workerd.ts";

const [token, other] = ["test-token-0123456789", "another-token-0123456"];
const tenants = (list: unknown): string => JSON.stringify(list);
const namespace: LeaseholdNamespace = { idFromName: (name) => name, get: () => ({}) };

/** Configurations that would give other rights, or other objects, than were meant. */
const WRONG: readonly (readonly [variables: Readonly<Record<string, string>>, says: string])[] = [
  [{}, "no token is set"],
  [{ LEASEHOLD_TOKEN: "" }, "LEASEHOLD_TOKEN is empty"],
  [{ LEASEHOLD_TOKEN: "short" }, "LEASEHOLD_TOKEN: the token must have at least 16 characters"],
  [{ LEASEHOLD_TOKEN: `${token}\n` }, "LEASEHOLD_TOKEN: the token must be visible ASCII characters"],
  [
    { LEASEHOLD_TOKEN: token, LEASEHOLD_READ_TOKEN: token },
    "LEASEHOLD_TOKEN and LEASEHOLD_READ_TOKEN have the same token",
  ],
  [{ LEASEHOLD_TENANTS: "{" }, "LEASEHOLD_TENANTS is not JSON"],
  [{ LEASEHOLD_TENANTS: "null" }, "LEASEHOLD_TENANTS must be a list"],
  [{ LEASEHOLD_TENANTS: tenants({ [token]: "acme" }) }, "LEASEHOLD_TENANTS must be a list"],
  [{ LEASEHOLD_TENANTS: tenants([token]) }, "LEASEHOLD_TENANTS[0] must be an object"],
  [
    { LEASEHOLD_TENANTS: tenants([{ token, tenant: "acme", readonly: true }]) },
    'LEASEHOLD_TENANTS[0]: there is no "readonly"; known are token, tenant, readOnly',
  ],
  [
    {
      LEASEHOLD_TENANTS: tenants([
        { token: other, tenant: "acme" },
        { token, tenent: "acme" },
      ]),
    },
    'LEASEHOLD_TENANTS[1]: there is no "tenent"; known are token, tenant, readOnly',
  ],
  [{ LEASEHOLD_TENANTS: tenants([{ token, tenant: "" }]) }, "LEASEHOLD_TENANTS[0]: the tenant must be a string"],
  [{ LEASEHOLD_TENANTS: tenants([{ token }]) }, "LEASEHOLD_TENANTS[0]: the tenant is missing"],
  [
    {
      LEASEHOLD_TENANTS: tenants([
        { token, tenant: "acme" },
        { token, tenant: "other" },
      ]),
    },
    "LEASEHOLD_TENANTS[0] and LEASEHOLD_TENANTS[1] have the same token",
  ],
  [
    { LEASEHOLD_TOKEN: token, LEASEHOLD_TENANTS: tenants([{ token, tenant: "acme" }]) },
    "LEASEHOLD_TENANTS[0] and LEASEHOLD_TOKEN have the same token",
  ],
  [
    { LEASEHOLD_TOKEN: token, LEASEHOLD_READ_ONLY_TOKENS: other },
    'the Worker\'s variables: there is no "LEASEHOLD_READ_ONLY_TOKENS"; known are LEASEHOLD_TOKEN',
  ],
];

describe("the ready Worker's configuration", () => {
  it.each(WRONG)("%j is refused (B5)", (variables, says) => {
    const read = (): unknown => readEnvironment({ LEASEHOLD: namespace, ...variables });
    expect(read).toThrow(TypeError);
    expect(read).toThrow(says);
    for (const secret of [token, other]) expect(read).not.toThrow(secret);
  });

  it.each([
    [{ LEASEHOLD_JURISDICTON: "eu" }, 'there is no "LEASEHOLD_JURISDICTON"; known are LEASEHOLD_TOKEN, '],
    [{ LEASEHOLD_JURISDICTION: "" }, "LEASEHOLD_JURISDICTION is empty"],
    [{ LEASEHOLD_JURISDICTION: "EU" }, "jurisdiction must be eu, us, fedramp or fedramp-high"],
    [{ LEASEHOLD_JURISDICTION: "eu" }, 'the jurisdiction "eu" cannot be used here'],
    [{ LEASEHOLD_LOCATION_HINT: "europe" }, "locationHint must be wnam"],
  ])("%j is refused (B10)", (variables, says) => {
    const open = (): unknown =>
      createRestHandler(readEnvironment({ LEASEHOLD: namespace, LEASEHOLD_TOKEN: token, ...variables }));
    expect(open).toThrow(says);
  });

  it("serves nothing in workerd, and says why (B5)", async () => {
    const list = tenants([{ token, tenant: "acme", readonly: true }]);
    const worker = await startReadyWorker({ LEASEHOLD_TOKEN: other, LEASEHOLD_TENANTS: list });
    const ask = (own: string): Promise<Response> =>
      fetch(worker.url, { method: "POST", headers: { authorization: `Bearer ${own}` }, body: '["PING"]' });
    try {
      for (const own of [token, other]) {
        const answer = await ask(own);
        expect([answer.status, await answer.json()]).toEqual([
          503,
          { error: 'ERR LEASEHOLD_TENANTS[0]: there is no "readonly"; known are token, tenant, readOnly' },
        ]);
      }
    } finally {
      await worker.stop();
    }
  });

  it("serves nothing in workerd from a jurisdiction that it cannot have (B10)", async () => {
    const worker = await startReadyWorker({ LEASEHOLD_TOKEN: token, LEASEHOLD_JURISDICTION: "eu" });
    try {
      const answer = await fetch(worker.url, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body: '["PING"]',
      });
      expect([answer.status, await answer.json()]).toEqual([
        503,
        {
          error: expect.stringMatching(/^ERR the jurisdiction "eu" cannot be used here: .*not implemented in workerd/),
        },
      ]);
    } finally {
      await worker.stop();
    }
  });
});

describe("a placement", () => {
  it.each([
    [
      { juristiction: "eu" },
      'the options of durableObject: there is no "juristiction"; known are jurisdiction, locationHint',
    ],
    [
      { location: "weur" },
      'the options of durableObject: there is no "location"; known are jurisdiction, locationHint',
    ],
    [{ jurisdiction: "" }, "jurisdiction must be eu, us, fedramp or fedramp-high"],
    [{ jurisdiction: "EU" }, "jurisdiction must be eu, us, fedramp or fedramp-high"],
    [{ locationHint: "europe" }, "locationHint must be wnam"],
    // The binding has no such method.
    [{ jurisdiction: "eu" }, 'the jurisdiction "eu" cannot be used here: the binding has no method "jurisdiction"'],
    ["eu", "the options of durableObject must be an object"],
  ])("%j throws (B10)", (placement, says) => {
    expect(() => durableObject(namespace, placement as never)).toThrow(TypeError);
    expect(() => durableObject(namespace, placement as never)).toThrow(says);
  });

  it("is the same for the ready Worker's objects and those of a Worker that is bound to them (B10)", async () => {
    const found: unknown[] = [];
    const objects = (jurisdiction: string | undefined): LeaseholdNamespace => ({
      idFromName: (name) => ({ name, jurisdiction }),
      get(id, options) {
        found.push([id, options]);
        return { run: async () => ({ answers: ['{"result":null}'] }) };
      },
      jurisdiction: (name) => objects(name),
    });
    const placement = { jurisdiction: "eu", locationHint: "weur" };
    const environment = { LEASEHOLD_TOKEN: token, LEASEHOLD_JURISDICTION: "eu", LEASEHOLD_LOCATION_HINT: "weur" };
    const handler = createRestHandler(readEnvironment({ LEASEHOLD: objects(undefined), ...environment }));
    const headers = { authorization: `Bearer ${token}` };
    await handler(new Request("https://worker.invalid", { method: "POST", headers, body: '["GET","{a}"]' }));
    await durableObject(objects(undefined), placement).port(["GET", "{a}"], new AbortController().signal);
    expect(found[0]).toEqual([{ name: "a", jurisdiction: "eu" }, { locationHint: "weur" }]);
    expect(found[1]).toEqual(found[0]);
    const info = await handler(new Request("https://worker.invalid", { method: "POST", headers, body: '["INFO"]' }));
    expect(await info.json()).toEqual({
      result: expect.stringMatching(/leasehold_jurisdiction:eu\r\nleasehold_location_hint:weur\r\n/),
    });
  });
});

it("the ready Worker is fit for locks, and doctor says where its objects are (B10)", async () => {
  for (const [variables, says] of [
    [{}, "Durable Objects in no jurisdiction, created near their first caller"],
    [{ LEASEHOLD_LOCATION_HINT: "weur" }, "Durable Objects in no jurisdiction, created in weur"],
  ] as const) {
    const worker = await startReadyWorker({ LEASEHOLD_TOKEN: token, ...variables });
    try {
      const env = { UPSTASH_REDIS_REST_URL: worker.url, UPSTASH_REDIS_REST_TOKEN: token };
      const { code, out } = await command(["doctor", "--json", "--flush"], { env });
      const lines = out.trim().split("\n");
      const found = lines.map((line) => JSON.parse(line) as { check: string; verdict: string; says: string });
      expect(found.filter(({ verdict }) => verdict === "fail")).toEqual([]);
      expect(code).toBe(0);
      expect(found.find(({ check }) => check === "server")).toMatchObject({ verdict: "ok", says });
      expect(found.find(({ check }) => check === "failover")).toMatchObject({
        verdict: "ok",
        says: "Durable Objects: a restart loses nothing",
      });
    } finally {
      await worker.stop();
    }
  }
}, 60_000);
