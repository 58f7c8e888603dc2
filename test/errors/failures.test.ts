import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocks, LeaseholdError, type LeaseholdEvent, OutcomeUnknownError } from "../../src/index.ts";

/** An error as a runtime throws it: `fetch` wraps the one that tells the cause. */
const wrapped = (message: string, members: object = {}): Error =>
  new TypeError("fetch failed", { cause: Object.assign(new Error(message), members) });
const deno = (why: string): Error =>
  wrapped(`error sending request for url (https://h.example/): client error (Connect): ${why}`);

/** Acquires with a long wait over a `fetch` that does this each time. */
async function acquire(answer: () => Promise<Response>) {
  const sent: string[] = [];
  const onEvent = (event: LeaseholdEvent): unknown => event.type === "request" && sent.push(event.operation);
  const fetch = (): Promise<Response> => answer();
  const locks = createLocks({ url: "https://h.example", token: "AXsecretsecret", fetch, onEvent });
  const start = performance.now();
  const error = await locks
    .lock("a")
    .acquire({ wait: "10s" })
    .catch((thrown: unknown) => thrown);
  if (!(error instanceof LeaseholdError)) throw error;
  return { error, sent, ms: performance.now() - start };
}

const NOT_TLS = "h.example does not speak TLS";
const NOT_TRUSTED = "the certificate of h.example is not trusted";
const NOT_FOUND = "the host h.example was not found";

describe("a failure that proves that nothing ran says so, and is not retried where it cannot pass", () => {
  it.each<[what: string, thrown: Error, says: string]>([
    ["Node: TLS to HTTP", wrapped("wrong version number", { code: "ERR_SSL_WRONG_VERSION_NUMBER" }), NOT_TLS],
    ["Node 20: the same", wrapped("write EPROTO 80:SSL routines:wrong version number:", { code: "EPROTO" }), NOT_TLS],
    ["Node: own certificate", wrapped("self-signed", { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }), NOT_TRUSTED],
    ["Node: expired", wrapped("certificate has expired", { code: "CERT_HAS_EXPIRED" }), NOT_TRUSTED],
    ["Node: another's", wrapped("Hostname/IP does not", { code: "ERR_TLS_CERT_ALTNAME_INVALID" }), NOT_TRUSTED],
    ["Node: a port that fetch blocks", wrapped("bad port"), "a connection to h.example is not allowed"],
    [
      "Bun: TLS to HTTP",
      Object.assign(new TypeError("EPROTO: The TLS handshake failed. Does the server speak TLS?"), { code: "EPROTO" }),
      NOT_TLS,
    ],
    ["Deno: TLS to HTTP", deno("received corrupt message of type InvalidContentType"), NOT_TLS],
    ["Deno: certificate", deno("invalid peer certificate: UnknownIssuer"), NOT_TRUSTED],
  ])("%s: unreachable, and not an unknown outcome (B36)", async (_what, thrown, says) => {
    const { error, sent, ms } = await acquire(() => Promise.reject(thrown));
    expect(error.code).toBe("unreachable");
    expect(error.message).toMatch(new RegExp(`^nothing was sent for "a": ${says} \\(.+\\): .*(use|check|allow) `));
    expect(error.message).not.toContain("may have been granted");
    expect(error).not.toBeInstanceOf(OutcomeUnknownError);
    expect(sent).toEqual(["acquire"]);
    expect(ms).toBeLessThan(3000);
  });

  it.each<[what: string, thrown: Error]>([
    ["Node", wrapped("getaddrinfo ENOTFOUND h.example", { code: "ENOTFOUND", syscall: "getaddrinfo" })],
    ["Bun", Object.assign(new TypeError("getaddrinfo ENOTFOUND h.example"), { code: "ENOTFOUND" })],
  ])("%s: a host that is not found is tried for less than a second, however long the wait", async (_what, thrown) => {
    const { error, sent, ms } = await acquire(() => Promise.reject(thrown));
    expect(error.message).toBe(`nothing was sent for "a": ${NOT_FOUND} (ENOTFOUND): check the url`);
    expect(new Set(sent)).toEqual(new Set(["acquire"]));
    expect(ms).toBeLessThan(4000);
  });

  it("Deno: a host that is not found is no proof, since Deno retries by itself, and takes no longer", async () => {
    const thrown = deno("dns error: failed to lookup address information: Name or service not known");
    const { error, sent, ms } = await acquire(() => Promise.reject(thrown));
    expect(error.message).toContain(NOT_FOUND);
    expect(error.message).not.toContain("nothing was sent");
    expect(sent).toContain("cancel");
    expect(ms).toBeLessThan(3000);
  });

  it("but a host that was reached before is waited for", async () => {
    let calls = 0;
    const { ms } = await acquire(async () => {
      if (calls++ === 0) return Response.json({ result: ["held", Date.now() * 1000, 60_000_000, 0, 0, 0, 1, 0] });
      throw wrapped("getaddrinfo ENOTFOUND h.example", { code: "ENOTFOUND" });
    });
    expect(calls).toBeGreaterThan(1);
    expect(ms).toBeGreaterThan(0);
  });

  it.each<[status: number, says: string]>([
    [404, "h.example answered HTTP 404 without JSON: check the url and its path"],
    [405, "h.example answered HTTP 405 without JSON: check the url and its path"],
    [400, "h.example answered HTTP 400 without JSON: check the url and its path"],
  ])("a page with %i", async (status, says) => {
    const { error, sent } = await acquire(async () => new Response("<html>secret page</html>", { status }));
    expect(error).toMatchObject({ code: "malformed_answer", message: says });
    expect(sent).toEqual(["acquire"]);
  });

  it.each<[status: number, says: string]>([
    [525, NOT_TLS],
    [526, NOT_TRUSTED],
  ])("Cloudflare's page with %i", async (status, says) => {
    const { error, sent } = await acquire(async () => new Response(`error code: ${status}`, { status }));
    expect(error.message).toContain(`nothing was sent for "a": ${says} (HTTP ${status})`);
    expect(sent).toEqual(["acquire"]);
  });

  it.concurrent.each([408, 499, 502, 504])(
    "but not a page with a %d, of somebody who gave up on the server",
    { timeout: 120_000 },
    async (status) => {
      const { error, sent } = await acquire(async () => new Response("<html></html>", { status }));
      expect(error.message).toContain("may have been granted");
      expect(sent).toContain("cancel");
    },
  );

  it("a token that the endpoint refuses is unauthorized, and says by which host", async () => {
    const { error, sent } = await acquire(async () => new Response("", { status: 401 }));
    const message = "the API token was refused by h.example: check it";
    expect(error).toMatchObject({ code: "unauthorized", message });
    expect(sent).toEqual(["acquire"]);
  });

  it("a value of another type under the name is of another application", async () => {
    const why = "WRONGTYPE Operation against a key holding the wrong kind of value";
    const { error, sent } = await acquire(async () => Response.json({ error: why }, { status: 400 }));
    expect(error).toMatchObject({ code: "wrong_kind", kind: "foreign" });
    expect(sent).toEqual(["acquire"]);
  });

  it("a token that may only read is unauthorized, and says which one to use", async () => {
    const why = "NOPERM this user has no permissions to run the 'evalsha' command";
    const { error, sent } = await acquire(async () => Response.json({ error: why }, { status: 400 }));
    const message = `${why}: use a token that may run scripts, the read-write token of the database, or allow the user +evalsha`;
    expect(error).toMatchObject({ code: "unauthorized", message });
    expect(sent).toEqual(["acquire"]);
  });
});

describe("in this runtime", () => {
  const dir = mkdtempSync(join(tmpdir(), "leasehold-tls-"));
  const [key, cert] = [join(dir, "key.pem"), join(dir, "cert.pem")];
  const made = ["-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=nobody.example"];
  execFileSync("openssl", ["req", "-x509", ...made, "-keyout", key, "-out", cert], { stdio: "ignore" });
  const plain = createServer((_, response) => response.writeHead(404).end("<html>"));
  const secure = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) => response.end());
  const servers = [plain, secure];
  const port = (server: Server): number => (server.address() as AddressInfo).port;
  beforeAll(() => Promise.all(servers.map((server) => new Promise<void>((up) => server.listen(0, "127.0.0.1", up)))));
  afterAll(() => {
    for (const server of servers) server.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it.each<[what: string, url: () => string, says: RegExp]>([
    ["https to a server of http", () => `https://127.0.0.1:${port(plain)}`, /does not speak TLS/],
    ["a certificate of nobody", () => `https://127.0.0.1:${port(secure)}`, /certificate of .* is not trusted/],
    ["another page", () => `http://127.0.0.1:${port(plain)}/api`, /answered HTTP 404 without JSON/],
  ])("%s", async (_what, url, says) => {
    const start = performance.now();
    const locks = createLocks({ url: url(), token: "t" });
    await expect(locks.lock("a").acquire({ wait: "10s" })).rejects.toThrow(says);
    expect(performance.now() - start).toBeLessThan(3000);
  });
});
