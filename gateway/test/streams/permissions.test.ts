import { expect, it } from "vitest";
import { call, stage, TOKEN, until } from "../support/harness.ts";
import { listen } from "../support/listen.ts";

const it_ = stage({ readOnlyToken: "reads" });
const head = (path: string, token: string): Promise<Response> =>
  fetch(it_.gateway.url + path, { method: "HEAD", headers: { authorization: `Bearer ${token}` } });

it.each(["/monitor", "/subscribe/a", "/psubscribe/a*"])("a HEAD of %s is answered as its GET", async (path) => {
  const get = await call(it_.gateway.url + path, undefined, { headers: { authorization: "Bearer reads" } });
  expect([get.status, get.text]).toEqual([400, expect.stringContaining("NOPERM")]);
  expect((await head(path, "reads")).status).toBe(400);
  const answer = await head(path, TOKEN);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
});

it("a caller who sees marks in /monitor cannot pass for one: no connection is dropped", async () => {
  const id = (await it_.run("CLIENT", "ID")).text;
  const monitor = await listen(`${it_.gateway.url}/monitor`);
  const burst = (round: number): Promise<unknown>[] =>
    Array.from({ length: 40 }, async (_, at) => {
      const text = `${round}-${at}`;
      expect((await it_.run("ECHO", text)).body).toEqual({ result: text });
    });
  for (let round = 0; round < 20; round++) {
    // Marks go out only where requests of several callers overlap, which not every burst brings about.
    const marks = await until(
      async () => {
        await Promise.all(burst(round));
        return [...new Set(monitor.events.join("\n").match(/(?<="ECHO" ")[^"]{30,}(?=")/gi) ?? [])];
      },
      (all) => all.length > 0,
    );
    const seen = marks.slice(-20);
    // Guesses at the next one, too, where the last characters are a number that is counted up.
    const next = seen.map((mark) =>
      mark.replace(/\d+$/, (digits) => String(Number(digits) + 1).padStart(digits.length, "0")),
    );
    const spoofed = [...seen, ...next].map(async (mark) => {
      expect(await it_.run("ECHO", mark)).toMatchObject({ status: 200, body: { result: mark } });
      expect(await it_.run(mark)).toMatchObject({ status: 400 });
    });
    await Promise.all([...spoofed, ...burst(round)]);
  }
  expect((await it_.run("CLIENT", "ID")).text).toBe(id);
  monitor.leave();
}, 60_000);
