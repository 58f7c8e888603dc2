/** How users mount it: this only has to compile, with every Hono that we say we work with. */
import { Hono } from "hono";
import {
  type DedupeVariables,
  dedupe,
  github,
  idempotencyKey,
  type Sender,
  shopify,
  slack,
  standardWebhooks,
  stripe,
} from "../../src/hono/index.ts";
import { connect, createLocks } from "../../src/index.ts";

type Env = { Bindings: { URL: string; TOKEN: string }; Variables: { tenant: string } };

const locks = connect({ url: "http://127.0.0.1:1", token: "x" });
export const app: Hono<Env> = new Hono<Env>();

// With the environment named, everything is typed.
app.post(
  "/named",
  dedupe<Env>({
    locks: (_, c) => createLocks({ url: c.env.URL, token: c.env.TOKEN }),
    key: github({ verify: (body, _, c) => body !== c.env.TOKEN }),
    scope: (_, c) => ["tenants", c.var.tenant],
    fingerprint: (request) => request.text(),
    onRunning: (_, { retryAfterMs }, c) => c.text(`${retryAfterMs}`, 425),
    onExhausted: (_, { attempts }, c) => c.json({ attempts, tenant: c.var.tenant }),
    onMismatch: () => undefined,
  }),
  (c) => {
    const token: number = c.var.lease.token;
    const attempt: number = c.var.attempt;
    return c.json({ token, attempt, tenant: c.var.tenant.length, url: c.env.URL.length });
  },
);

// Without, the handler's variables still are.
app.post(
  "/unnamed",
  dedupe({ locks, key: idempotencyKey(), scope: (_, c) => `${c.get("tenant")}`, replay: { headers: ["etag"] } }),
  (c) => {
    const token: number = c.var.lease.token;
    // @ts-expect-error There is no such variable.
    c.var.nothing;
    return c.text(`${token} ${c.env.URL.length}`);
  },
);

app.use("/used/*", dedupe({ locks, key: stripe({ verify: async (body, _, c) => body === c.req.header("x") }) }));
app.use("/also/*", dedupe<Env>({ locks, key: async ({ headers }, c) => headers.get(c.env.TOKEN), fingerprint: false }));

export const typed: Hono<{ Variables: DedupeVariables }> = new Hono<{ Variables: DedupeVariables }>();
const senders: Sender[] = [shopify, slack, standardWebhooks].map((sender) => sender({ verify: () => true }));
for (const key of senders) typed.use(`/${key.name}`, dedupe({ locks, key, ttl: "3d", maxHold: "1m", maxAttempts: 3 }));
typed.post("/*", (c) => c.text(`${c.var.lease.token}`));

// @ts-expect-error A verify that gives nothing has most likely forgotten to.
github({ verify: () => {} });
// @ts-expect-error Without a check of signatures there is none.
github({});
