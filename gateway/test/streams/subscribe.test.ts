import { describe, expect, it } from "vitest";
import { serveGateway } from "../../src/index.ts";
import { call, stage, TOKEN } from "../support/harness.ts";
import { gone, listen } from "../support/listen.ts";

const it_ = stage();
const { run } = it_;
const url = (path: string): string => it_.gateway.url + path;

describe("/subscribe", () => {
  it("is the example of Upstash's documentation", async () => {
    const heard = await listen(url("/subscribe/chat"));
    expect(heard.response.status).toBe(200);
    expect(heard.response.headers.get("content-type")).toBe("text/event-stream");
    expect(heard.response.headers.get("cache-control")).toContain("no-cache");
    await heard.first(1);
    expect((await call(url("/publish/chat/hello"), "")).text).toBe('{"result":1}');
    await run("PUBLISH", "chat", "how are you today?");
    await run("PUBLISH", "other", "not for us");
    await run("PUBLISH", "chat", "bye");
    expect(await heard.first(4)).toEqual([
      "subscribe,chat,1",
      "message,chat,hello",
      "message,chat,how are you today?",
      "message,chat,bye",
    ]);
    heard.leave();
  });

  it("takes several channels, of any name, by any method and in any case", async () => {
    for (const method of ["GET", "POST", "PUT"]) {
      const body = method === "GET" ? {} : { body: "[]" };
      const heard = await listen(url("/SubScribe/a/b%2Fc/%C3%A9%20%E6%BC%A2/__proto__"), { method, ...body });
      expect(await heard.first(4)).toEqual([
        "subscribe,a,1",
        "subscribe,b/c,2",
        "subscribe,é 漢,3",
        "subscribe,__proto__,4",
      ]);
      expect((await run("PUBLISH", "[]", "x")).body).toEqual({ result: 0 });
      for (const channel of ["__proto__", "b/c", "é 漢"]) await run("PUBLISH", channel, "ü");
      expect((await heard.first(7)).slice(4)).toEqual(["message,__proto__,ü", "message,b/c,ü", "message,é 漢,ü"]);
      heard.leave();
    }
  });

  it("takes the token as a parameter, as an EventSource must give it", async () => {
    const heard = await listen(url(`/subscribe/c?_token=${TOKEN}`), { method: "GET", headers: {} });
    expect(await heard.first(1)).toEqual(["subscribe,c,1"]);
    heard.leave();
    expect((await fetch(url("/subscribe/c"))).status).toBe(401);
    expect((await fetch(url("/subscribe/c?_token=wrong"))).status).toBe(401);
  });

  it("keeps every message, in order, whatever its size", async () => {
    const heard = await listen(url("/subscribe/many"));
    await heard.first(1);
    const sizes = Array.from({ length: 600 }, (_, i) => (i % 100 === 99 ? 90_000 : (i * 37) % 3_000));
    const messages = sizes.map((size, i) => `${i}:${"é".repeat(size / 2)}`);
    for (let at = 0; at < messages.length; at += 50) {
      await it_.post(
        "/pipeline",
        messages.slice(at, at + 50).map((message) => ["PUBLISH", "many", message]),
      );
      await heard.first(1 + Math.min(at + 50, messages.length));
    }
    expect(heard.events.slice(1)).toEqual(messages.map((message) => `message,many,${message}`));
    heard.leave();
  });

  it("keeps line breaks, and lets no message look like two", async () => {
    const heard = await listen(url("/subscribe/lines"));
    await heard.first(1);
    await run("PUBLISH", "lines", "one\nmessage,admin,evil\n\ndata: x\r\nend");
    await run("PUBLISH", "lines", "\n");
    expect((await heard.first(3)).slice(1)).toEqual([
      "message,lines,one\nmessage,admin,evil\n\ndata: x\nend",
      "message,lines,\n",
    ]);
    heard.leave();
    const raw = await fetch(url(`/subscribe/lines?_token=${TOKEN}`));
    const reader = raw.body?.getReader();
    await reader?.read();
    await run("PUBLISH", "lines", "one\nmessage,admin,evil");
    const text = Buffer.from((await reader?.read())?.value ?? []).toString();
    // For those who look for LF only, as Upstash's client does: one line of data, and the blank one.
    expect(text.split("\n").filter((line) => line.startsWith("data: "))).toHaveLength(1);
    await reader?.cancel();
  });

  it("marks bytes that are no UTF-8", async () => {
    const heard = await listen(url("/subscribe/bytes"));
    await heard.first(1);
    await call(url("/publish/bytes"), Uint8Array.of(0x61, 0xff, 0x62));
    expect((await heard.first(2))[1]).toBe("message,bytes,a\ufffdb");
    heard.leave();
  });

  it("is refused with the words of Redis", async () => {
    const error = "ERR wrong number of arguments for 'subscribe' command";
    expect(await call(url("/subscribe"))).toMatchObject({ status: 400, body: { error } });
    await run("ACL", "SETUSER", "muted", "on", ">pw", "~*", "resetchannels", "&open:*", "+@all");
    const redis = `redis://muted:pw@127.0.0.1:${it_.redis.port}`;
    const gateway = await serveGateway({ redis, token: TOKEN, port: 0 });
    expect(await call(`${gateway.url}/subscribe/open:1/closed`)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^NOPERM /) },
    });
    const heard = await listen(`${gateway.url}/subscribe/open:1`);
    expect(await heard.first(1)).toEqual(["subscribe,open:1,1"]);
    await gateway.close();
    expect(await heard.ended()).toBe("done");
    await gone(it_.redis, "P");
  });
});

it("is not for those who may only read", async () => {
  const options = { redis: it_.redis.url, token: TOKEN, readOnlyToken: "another-token" };
  const gateway = await serveGateway({ ...options, port: 0 });
  const headers = { authorization: "Bearer another-token" };
  for (const name of ["subscribe", "psubscribe", "monitor"]) {
    const error = `NOPERM this user has no permissions to run the '${name}' command`;
    expect(await call(`${gateway.url}/${name}/c`, undefined, { headers })).toMatchObject({
      status: 400,
      body: { error },
    });
  }
  await gateway.close();
});

describe("/psubscribe", () => {
  it("tells pattern, channel and message", async () => {
    const heard = await listen(url("/psubscribe/ch*/%3Fx"));
    expect(await heard.first(2)).toEqual(["psubscribe,ch*,1", "psubscribe,?x,2"]);
    await run("PUBLISH", "chat", '{"a":[1,2]}');
    await run("PUBLISH", "xx", "1");
    expect((await heard.first(4)).slice(2)).toEqual(['pmessage,ch*,chat,{"a":[1,2]}', "pmessage,?x,xx,1"]);
    heard.leave();
  });
});

describe("/monitor", () => {
  it("is the example of Upstash's documentation", async () => {
    const heard = await listen(url("/monitor/"));
    expect(await heard.first(1)).toEqual(['"OK"']);
    await run("GET", "k");
    await run("SET", "k", 'with "quotes", \n and \0 é');
    const [, get, set] = await heard.first(3);
    expect(get).toMatch(/^\d+\.\d{6} \[0 127\.0\.0\.1:\d+\] "GET" "k"$/);
    expect(set).toMatch(/ "SET" "k" "with \\"quotes\\", \\n and \\x00 \\xc3\\xa9"$/);
    heard.leave();
    await gone(it_.redis, "O");
  });

  it("takes no arguments", async () => {
    expect((await call(url("/monitor/x"))).body).toEqual({
      error: "ERR wrong number of arguments for 'monitor' command",
    });
  });
});
