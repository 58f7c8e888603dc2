import type { Bytes } from "../shared/bytes.ts";
import { checkOptions, type Duration, toFunction, toMs } from "../shared/checks.ts";
import { inCall, misuse, shown } from "../shared/misuse.ts";
import { LONGEST_TIMER_MS } from "../shared/timers.ts";
import { type ObjectFence, objectFence } from "./objects.ts";

/** Signs and sends a request; with aws4fetch: `(url, init) => client.fetch(url, init)`. */
export type SigningFetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: Bytes; signal: AbortSignal },
) => Promise<Response>;

/** Options of {@link s3Fence}. */
export interface S3FenceOptions {
  /** Signs and sends each request. */
  readonly fetch: SigningFetch;
  /** The bucket's URL: `https://s3.eu-central-1.amazonaws.com/my-bucket`. */
  readonly url: string;
  /** The time limit for one request, in ms or like `"30s"`. Default 30 s. */
  readonly requestTimeout?: Duration | undefined;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Bytes;
}

/**
 * Fences objects of an S3 bucket, or of a compatible store that honours `If-Match` and `If-None-Match` in a PUT. A
 * store that ignores them cannot be fenced.
 *
 * @example
 * ```ts no-run
 * import { AwsClient } from "aws4fetch";
 * const aws = new AwsClient({ accessKeyId: "…", secretAccessKey: "…", service: "s3", retries: 0 });
 * const url = "https://s3.eu-central-1.amazonaws.com/my-bucket";
 * const fence = s3Fence({ url, fetch: (target, init) => aws.fetch(target, init) });
 * await locks.lock("report 42").run((lease) => fence.put(lease, "reports/42.json", "{}"));
 * ```
 *
 * @throws TypeError or RangeError for an invalid option.
 */
export function s3Fence(options: S3FenceOptions): ObjectFence {
  const { fetch, url } = options ?? {};
  const limitMs = inCall("s3Fence", () => {
    checkOptions(options, "fetch url requestTimeout bucket>url endpoint>url timeout>requestTimeout");
    toFunction(fetch, "fetch");
    if (typeof url !== "string" || !/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(url))
      throw misuse(TypeError, "url must be the http or https URL of a bucket, without credentials or a query");
    return toMs(options.requestTimeout ?? "30s", "requestTimeout");
  });

  async function send(method: string, key: string, headers: Record<string, string>, body?: Bytes): Promise<Answer> {
    // A URL drops such parts, and would then mean another key or another bucket.
    if (/(^|\/)\.\.?(\/|$)/.test(key))
      throw new TypeError(`fence: key ${shown(key)} must have no part that is "." or ".."`);
    const controller = new AbortController();
    const exchange = async (): Promise<Answer> => {
      const target = `${url.replace(/\/+$/, "")}/${key.split("/").map(encodeURIComponent).join("/")}`;
      const response = await fetch(target, { method, headers, signal: controller.signal, ...(body && { body }) });
      const { status, headers: answered } = response;
      return { status, headers: answered, bytes: new Uint8Array(await response.arrayBuffer()) };
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Rejects on its own, since a fetch may ignore the signal.
    const limit = new Promise<never>((_, reject) => {
      const end = (): void => {
        reject(new Error("the store did not answer in time"));
        controller.abort();
      };
      timer = setTimeout(end, Math.min(limitMs, LONGEST_TIMER_MS));
    });
    try {
      return await Promise.race([exchange(), limit]);
    } finally {
      clearTimeout(timer);
    }
  }

  return objectFence({
    async read(key, first) {
      const answer = await send("GET", key, first === undefined ? {} : { range: `bytes=0-${first - 1}` });
      const { status, headers, bytes } = answer.status === 416 ? await send("GET", key, {}) : answer;
      if (status === 404) return null;
      const etag = headers.get("etag");
      if ((status !== 200 && status !== 206) || !etag) throw new Error(`the store answered ${status} to a GET`);
      return { etag, bytes, decoded: headers.has("content-encoding") };
    },
    async write(key, bytes, etag) {
      const condition: Record<string, string> = etag === undefined ? { "if-none-match": "*" } : { "if-match": etag };
      const answer = await send("PUT", key, condition, bytes).catch(() => ({ status: 500 }));
      const { status } = answer;
      if (status >= 200 && status < 300) return "written";
      // 409: another conditional write was in progress. 404: the object was deleted since it was read.
      if (status === 412 || status === 409 || (status === 404 && etag !== undefined)) return "changed";
      if (status >= 500 || status === 429 || status === 408) return "unsure";
      throw new Error(`the store answered ${status} to a PUT`);
    },
  });
}
