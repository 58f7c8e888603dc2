import { type Context, Hono } from "hono";
import { Hono as OldestHono } from "hono-oldest";
import { type DedupeOptions, dedupe } from "../../src/hono/index.ts";
import type { Connection } from "../../src/index.ts";

export type App = Hono;
export type Handler = (c: Context) => Response | Promise<Response>;

/** Errors on purpose need not be printed. */
function quiet(app: App): App {
  app.onError((_, c) => c.text("", 500));
  return app;
}

/** Both ends of the range that we say we work with; to the compiler they are one. */
export const honos: readonly (readonly [version: string, make: () => App])[] = [
  ["4.13", () => quiet(new Hono())],
  ["4.6", () => quiet(new OldestHono() as unknown as App)],
];

/** A sender of our own making: the id is in a header. */
export const byHeader: DedupeOptions["key"] = ({ headers }) => headers.get("X-Id");

export interface Delivery {
  readonly id: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly method?: string;
  readonly path?: string;
}

export type Deliver = (delivery: Delivery) => Promise<Response>;

/** An app with one handler behind the middleware, and what delivers to it. */
export function mount(
  connection: Connection,
  handler: Handler,
  options: Partial<DedupeOptions> = {},
  app: App = quiet(new Hono()),
): Deliver {
  app.on(
    ["POST", "PUT", "PATCH", "DELETE", "GET", "OPTIONS"],
    "/hook",
    dedupe({ locks: connection, key: byHeader, ...options }),
    handler,
  );
  return deliverTo(app);
}

export const deliverTo =
  (app: App): Deliver =>
  async ({ id, body = "{}", headers, method = "POST", path = "/hook" }) =>
    app.request(path, {
      method,
      headers: { "X-Id": id, ...headers },
      ...(method === "GET" || method === "HEAD" ? {} : { body }),
    });

/** The middleware's own account, with the code of its answer. */
export const answerOf = (response: Response): string =>
  `${response.status} ${response.headers.get("Leasehold-Status") ?? "-"}`;

/** Something that is waited for and then said. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function gate(): Gate {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
