import type { Bytes } from "../shared/crypto.ts";
import { type ObjectFence, objectFence } from "./objects.ts";

/** What is used of an `R2Bucket`. */
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

/** Fences objects of an R2 bucket. @throws TypeError for what is no bucket. */
export function r2Fence(bucket: R2Like): ObjectFence {
  if (typeof bucket?.put !== "function") throw new TypeError("bucket must be an R2 bucket");
  return objectFence({
    async read(key, first) {
      const range = { offset: 0, length: first ?? 0 };
      // An empty object has no range.
      const object = await (first === undefined
        ? bucket.get(key)
        : bucket.get(key, { range }).catch(() => bucket.get(key)));
      return object && { etag: object.etag, bytes: new Uint8Array(await object.arrayBuffer()) };
    },
    async write(key, bytes, etag) {
      const onlyIf = etag === undefined ? { etagDoesNotMatch: "*" } : { etagMatches: etag };
      // A failure of the binding does not say how far it got.
      const written = await bucket.put(key, bytes, { onlyIf }).catch(() => undefined);
      return written ? "written" : written === null ? "changed" : "unsure";
    },
  });
}
