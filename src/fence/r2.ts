import type { Bytes } from "../shared/bytes.ts";
import { shown } from "../shared/misuse.ts";
import { type ObjectFence, objectFence } from "./objects.ts";

/** The used part of an `R2Bucket`. */
export interface R2Like {
  get(
    key: string,
    options?: { range?: { offset: number; length: number } },
  ): Promise<{ readonly etag: string; arrayBuffer(): Promise<ArrayBuffer> } | null>;
  put(
    key: string,
    value: Bytes,
    options: { onlyIf: { etagMatches?: string; etagDoesNotMatch?: string } },
  ): Promise<object | null>;
}

/**
 * Fences objects of an R2 bucket.
 *
 * @example
 * ```ts no-run
 * import type { R2Bucket } from "@cloudflare/workers-types";
 * declare const bucket: R2Bucket;
 * await locks.lock("report 42").run(async (lease) => {
 *   await r2Fence(bucket).put(lease, "reports/42.json", JSON.stringify({ done: true }));
 * });
 * const report = await r2Fence(bucket).get("reports/42.json"); // { token, body, etag }
 * ```
 *
 * @throws TypeError for a value that is not an R2 bucket.
 */
export function r2Fence(bucket: R2Like): ObjectFence {
  if (typeof bucket?.put !== "function")
    throw new TypeError(`r2Fence: bucket must be an R2 bucket, not ${shown(bucket)}`);
  return objectFence({
    async read(key, first) {
      const range = { offset: 0, length: first ?? 0 };
      // A range of an empty object fails: read the whole object then.
      const object = await (first === undefined
        ? bucket.get(key)
        : bucket.get(key, { range }).catch(() => bucket.get(key)));
      return object && { etag: object.etag, bytes: new Uint8Array(await object.arrayBuffer()) };
    },
    async write(key, bytes, etag) {
      const onlyIf = etag === undefined ? { etagDoesNotMatch: "*" } : { etagMatches: etag };
      // After a failure of the binding, it is unknown whether the object was written.
      const written = await bucket.put(key, bytes, { onlyIf }).catch(() => undefined);
      return written ? "written" : written === null ? "changed" : "unsure";
    },
  });
}
