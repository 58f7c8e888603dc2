import { createHash, createHmac } from "node:crypto";
import http2 from "node:http2";
import { type AddressInfo, connect as connectTo } from "node:net";
import multipart, { type MultipartFile } from "@fastify/multipart";
import { verify } from "@octokit/webhooks-methods";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import { beforeAll, describe, expect, it } from "vitest";
import { dedupe, github, idempotencyKey } from "../../src/http/index.ts";
import { type Connection, connect } from "../../src/index.ts";
import { toFastify } from "../../src/node/index.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();
let locks: Connection;
beforeAll(() => {
  locks = connect({ url: stack.url, token: stack.token });
});

const SECRET = "a secret";
/** No JSON writes it like this, so that only the bytes themselves have the right signature. */
const BODY = '{ "a":1,  "b": "\\u00fc" }';

const hook = () =>
  dedupe(
    {
      locks,
      key: github({
        verify: (body, { headers }) => verify(SECRET, body, headers.get("X-Hub-Signature-256") ?? ""),
      }),
    },
    async (request) => new Response(await request.text()),
  );

const delivery = (body = BODY, type = "application/json") =>
  ({
    method: "POST",
    url: "/hook",
    body,
    headers: {
      "content-type": type,
      "x-github-delivery": freshName(),
      "x-hub-signature-256": `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`,
    },
  }) as const;

describe("in Fastify", () => {
  it("a body that is parsed too has the signature of its bytes", async () => {
    const app = fastify();
    let parsed: unknown;
    app.addHook("preHandler", async (request) => {
      parsed = request.body;
    });
    app.post("/hook", toFastify(hook()));
    const answer = await app.inject(delivery());
    expect([answer.statusCode, answer.headers["leasehold-status"], answer.body]).toEqual([200, "processed", BODY]);
    expect(parsed).toEqual({ a: 1, b: "ü" });
    await app.close();
  });

  it("a form needs a parser, and has the signature of its bytes then", async () => {
    const form = delivery("a=%31&b=2", "application/x-www-form-urlencoded");
    const app = fastify();
    app.post("/hook", toFastify(hook()));
    expect((await app.inject(form)).statusCode).toBe(415);
    await app.close();
    const other = fastify();
    other.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "buffer" }, (_, body, done) =>
      done(null, body),
    );
    other.post("/hook", toFastify(hook()));
    const answer = await other.inject(form);
    expect([answer.statusCode, answer.body]).toEqual([200, "a=%31&b=2"]);
    await other.close();
  });

  it("a body that is too long is refused before anything is asked", async () => {
    const app = fastify({ bodyLimit: 10 });
    app.post("/hook", toFastify(hook()));
    expect((await app.inject(delivery())).statusCode).toBe(413);
    await app.close();
  });

  it("a route without its preParsing says so; bytes of a parser will do", async () => {
    const app = fastify();
    app.setErrorHandler((error, _, reply) => reply.code(500).send(`${error}`));
    app.post("/hook", toFastify(hook()).handler);
    const answer = await app.inject(delivery());
    expect([answer.statusCode, answer.body]).toEqual([500, expect.stringContaining("pass the whole route to Fastify")]);
    await app.close();
    const raw = fastify();
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser("*", { parseAs: "buffer" }, (_, body, done) => done(null, body));
    raw.post("/hook", toFastify(hook()).handler);
    expect((await raw.inject(delivery())).body).toBe(BODY);
    await raw.close();
  });

  it("the handler and the options know what hooks found; a hook that refuses keeps the handler from running", async () => {
    const app = fastify();
    app.decorateRequest("user", "");
    app.addHook("preHandler", async (request, reply) => {
      if (!request.headers["x-user"]) return reply.code(403).send("who?");
      Object.assign(request, { user: request.headers["x-user"] });
      return undefined;
    });
    type Known = FastifyRequest & { user?: string };
    const pay = dedupe<[request: Known, reply: FastifyReply]>(
      { locks, key: idempotencyKey(), scope: (_, { user }) => user ?? "nobody", replay: true },
      async (request, { attempt }, { user }, reply) => {
        reply.header("x-by", "the handler");
        return Response.json({ user, path: new URL(request.url).pathname, attempt }, { status: 201 });
      },
    );
    app.register(async (api) => void api.post("/payments", toFastify(pay)), { prefix: "/api" });
    const id = freshName();
    const post = (headers: Record<string, string>) =>
      app.inject({ method: "POST", url: "/api/payments?a=1", headers: { "idempotency-key": id, ...headers } });
    expect((await post({})).statusCode).toBe(403);
    for (const expected of ["processed", "duplicate"]) {
      const answer = await post({ "x-user": "ann" });
      expect([answer.statusCode, answer.headers["leasehold-status"]]).toEqual([201, expected]);
      expect(answer.json()).toEqual({ user: "ann", path: "/api/payments", attempt: 1 });
    }
    await app.close();
  });

  it("GET has no body, and two slashes are no host", async () => {
    const app = fastify();
    app.get(
      "/*",
      toFastify(async (request) => new Response(`${request.url} [${await request.text()}]`)),
    );
    const answer = await app.inject({ url: "//evil.example/a?b=1", headers: { host: "example.com" } });
    expect(answer.body).toBe("http://example.com//evil.example/a?b=1 []");
    await app.close();
  });

  it("a request with a Host that is none is answered before its body is parsed and before other hooks (E7)", async () => {
    const app = fastify();
    const ran: string[] = [];
    app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => {
      ran.push("parser");
      done(null, body);
    });
    app.addHook("preHandler", async () => {
      ran.push("preHandler");
    });
    const route = toFastify(() => {
      ran.push("handler");
      return new Response();
    });
    app.post("/hook", route);
    app.post("/halved", route.handler);
    const bad = { ...delivery(BODY, "text/x"), headers: { "content-type": "text/x", host: "a.example/admin?" } };
    const answer = await app.inject(bad);
    expect([answer.statusCode, answer.headers["content-type"], ran]).toEqual([400, "application/problem+json", []]);
    expect(answer.json()).toMatchObject({ title: "The Host header is not a host", status: 400 });
    expect((await app.inject({ ...bad, url: "/halved" })).statusCode).toBe(400);
    expect(ran).not.toContain("handler");
    await app.close();
  });

  describe("with @fastify/multipart", () => {
    const FILE = Buffer.alloc(900_000, "a file of bytes \0\xff", "latin1");
    const form = (file: Buffer): FormData => {
      const data = new FormData();
      data.set("amount", "10");
      data.set("file", new Blob([new Uint8Array(file)]), "f.bin");
      return data;
    };
    async function listen(app: FastifyInstance): Promise<(key: string, file?: Buffer) => Promise<Response>> {
      const url = await app.listen({ port: 0, host: "127.0.0.1" });
      return (key, file = FILE) =>
        fetch(`${url}/files`, { method: "POST", body: form(file), headers: { "Idempotency-Key": key } });
    }
    // A browser makes a new boundary for each try, so the fields are what must match.
    const fields = async (request: Request): Promise<string> => {
      const file = (await request.formData()).get("file") as File;
      return createHash("sha256")
        .update(Buffer.from(await file.arrayBuffer()))
        .digest("hex");
    };
    const options = () => ({ locks, key: idempotencyKey(), scope: "one client", fingerprint: fields, replay: true });

    it("the handler has the whole file, by its request and by the plugin; another file is refused (B12)", async () => {
      const app = fastify();
      await app.register(multipart);
      const upload = dedupe<[request: FastifyRequest]>(options(), async (request, _, req) => {
        const own = await req.file();
        const file = (await request.formData()).get("file") as File;
        return Response.json([(await own?.toBuffer())?.equals(FILE), file.size, own?.filename], { status: 201 });
      });
      app.post("/files", toFastify(upload));
      const post = await listen(app);
      const key = freshName();
      for (const status of ["processed", "duplicate"]) {
        const answer = await post(key);
        expect([answer.headers.get("leasehold-status"), await answer.json()]).toEqual([
          status,
          [true, FILE.length, "f.bin"],
        ]);
      }
      expect((await post(key, Buffer.from("another file"))).status).toBe(422);
      await app.close();
    });

    it.each(["a hook", "attachFieldsToBody"])(
      "%s that reads the file takes nothing from the handler (B12)",
      async (who) => {
        const app = fastify();
        await app.register(multipart, { attachFieldsToBody: who === "attachFieldsToBody" });
        let size: unknown;
        app.addHook("preHandler", async (request) => {
          const file = who === "a hook" ? await request.file() : (request.body as { file: MultipartFile }).file;
          size = (await file?.toBuffer())?.length;
        });
        const upload = dedupe(options(), async (request) => new Response(await fields(request), { status: 201 }));
        app.post("/files", toFastify(upload));
        const answer = await (await listen(app))(freshName());
        expect([answer.status, await answer.text()]).toEqual([201, createHash("sha256").update(FILE).digest("hex")]);
        expect(size).toBe(FILE.length);
        await app.close();
      },
    );

    it("a file beyond bodyLimit is refused before the handler runs (B12)", async () => {
      const app = fastify();
      await app.register(multipart);
      let ran = false;
      const route = toFastify(() => {
        ran = true;
        return new Response();
      });
      app.post("/limited", { ...route, bodyLimit: 500_000 });
      const url = await app.listen({ port: 0, host: "127.0.0.1" });
      const chunked = { body: new Blob([FILE]).stream(), duplex: "half" } as RequestInit;
      for (const init of [
        { body: form(FILE) },
        { ...chunked, headers: { "Content-Type": "multipart/form-data; boundary=b" } },
      ]) {
        const answer = await fetch(`${url}/limited`, { method: "POST", ...init }).catch(() => undefined);
        // Node may close the connection while the client still sends.
        expect([413, undefined]).toContain(answer?.status);
      }
      expect(ran).toBe(false);
      await app.close();
    });
  });

  it("a client that hangs up in the middle of its body leaves no handler and no error behind (B12)", async () => {
    const app = fastify();
    let ran = false;
    app.post(
      "/hook",
      toFastify(() => {
        ran = true;
        return new Response();
      }),
    );
    await app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = app.server.address() as AddressInfo;
    const socket = connectTo(port, "127.0.0.1");
    const head = "POST /hook HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{";
    const aborted = new Promise((resolve) => app.server.once("request", (req) => req.once("close", resolve)));
    socket.write(head, () => setTimeout(() => socket.destroy(), 50));
    await aborted;
    await app.close();
    expect(ran).toBe(false);
  });

  it.each(["buffer", undefined] as const)(
    "a megabyte over HTTP/2 is whole, with a parser of %s (B12)",
    async (parseAs) => {
      const app = fastify({ http2: true });
      if (parseAs) app.addContentTypeParser("*", { parseAs }, (_request, _body, done) => done(null));
      else app.addContentTypeParser("*", (_request, _payload, done) => done(null));
      app.post(
        "/hook",
        toFastify(async (request) => {
          const bytes = Buffer.from(await request.arrayBuffer());
          return new Response(createHash("sha256").update(bytes).digest("hex"));
        }) as never,
      );
      await app.listen({ port: 0, host: "127.0.0.1" });
      const client = http2.connect(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
      const body = Buffer.from(Uint8Array.from({ length: 1_000_000 }, (_, at) => (at * 31) % 256));
      const stream = client.request({ ":method": "POST", ":path": "/hook", "content-type": "application/x" });
      stream.end(body);
      let said = "";
      for await (const chunk of stream.setEncoding("utf8")) said += chunk;
      expect(said).toBe(createHash("sha256").update(body).digest("hex"));
      client.close();
      await app.close();
    },
  );

  it("needs a function", () => {
    expect(() => toFastify(undefined as never)).toThrow("handler is missing");
  });
});
