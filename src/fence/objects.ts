import { type Bytes, bytesOf } from "../shared/bytes.ts";
import { isWellFormed } from "../shared/checks.ts";
import { randomId } from "../shared/crypto.ts";
import { OutcomeUnknownError } from "../shared/errors.ts";
import { kindOf, shown } from "../shared/misuse.ts";
import { sleep } from "../shared/timers.ts";
import { type Fenced, StaleTokenError, toFenced } from "./rule.ts";

/** A stored object: its bytes and the ETag that changes with them. */
interface Stored {
  readonly etag: string;
  readonly bytes: Bytes;
  /** Whether the bytes may differ from the stored ones because a content encoding was decoded. */
  readonly decoded?: boolean;
}

/** The operations that a fence needs of an object store. */
export interface ObjectStore {
  /** Reads the object, or only its first bytes; null if there is none. */
  read(key: string, first?: number): Promise<Stored | null>;
  /**
   * Writes the object if it still has this ETag; without an ETag, if it does not exist. `unsure`: there was no answer.
   *
   * @throws if the store refuses permanently.
   */
  write(key: string, bytes: Bytes, etag: string | undefined): Promise<"written" | "changed" | "unsure">;
}

/** An object, read through a fence. */
export interface FencedObject {
  /** The highest token seen; 0 for an object never written through a fence. */
  readonly token: number;
  /** The content; null if the object was claimed and never written. */
  readonly body: Bytes | null;
  readonly etag: string;
}

/**
 * Objects as the protected resource. The token is in the object, in {@link OBJECT_HEAD_BYTES} bytes before the
 * content. It cannot be in the metadata: an ETag depends on the content alone, so a claim would not change it. All
 * writers of an object must go through a fence, under the same lock; readers may skip the head.
 *
 * Objects are held in memory. Write a large object under a new key for every version, and fence a small object that
 * names the key.
 */
export interface ObjectFence {
  /**
   * Raises the token of the object and keeps its content, which is rewritten.
   *
   * @throws StaleTokenError if the object has a higher token; OutcomeUnknownError without a conclusive answer.
   */
  claim(lease: Fenced, key: string): Promise<void>;
  /**
   * Writes the object.
   *
   * @throws StaleTokenError if the object has a higher token, and then it is unchanged; OutcomeUnknownError without a
   * conclusive answer.
   */
  put(lease: Fenced, key: string, body: string | ArrayBuffer | Uint8Array): Promise<void>;
  /** Reads the object: its token, content and ETag; null if there is none. */
  get(key: string): Promise<FencedObject | null>;
}

/** The head: `leasehold-fence 1`, 16 digits of token, 36 characters of id, `w` (written) or `c` (claimed only). */
const HEAD = /^leasehold-fence 1 (\d{16}) (\S{36}) ([wc])\n$/;
/** The number of bytes before the content of an object written through a fence. */
export const OBJECT_HEAD_BYTES = 74;
const MAX_RACES = 20;
const MAX_FAILURES = 4;
const LONGEST_DELAY_MS = 1000;

interface Head {
  readonly token: number;
  readonly id: string;
  readonly written: boolean;
  readonly size: number;
}

const NONE: Head = { token: 0, id: "", written: false, size: 0 };

/** Parses the head. An object without a head was never fenced: all of it is content. */
function headOf(bytes: Uint8Array): Head {
  const [, token, id = "", mark] = HEAD.exec(new TextDecoder().decode(bytes.subarray(0, OBJECT_HEAD_BYTES))) ?? [];
  if (token === undefined) return { token: 0, id, written: true, size: 0 };
  return { token: Number(token), id, written: mark === "w", size: OBJECT_HEAD_BYTES };
}

/** Puts the head before the content. */
function framed(head: Omit<Head, "size">, content: Uint8Array): Bytes {
  const text = `leasehold-fence 1 ${`${head.token}`.padStart(16, "0")} ${head.id} ${head.written ? "w" : "c"}\n`;
  const bytes = new Uint8Array(OBJECT_HEAD_BYTES + content.length);
  bytes.set(bytesOf(text));
  bytes.set(content, OBJECT_HEAD_BYTES);
  return bytes;
}

function toBytes(body: string | ArrayBuffer | Uint8Array): Uint8Array {
  if (typeof body === "string") return bytesOf(body);
  // Copied, since the caller may change it meanwhile; `slice` of a Buffer does not copy.
  if (body instanceof Uint8Array) return new Uint8Array(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body.slice(0));
  throw new TypeError(`fence.put: body must be a string, an ArrayBuffer or a Uint8Array, not ${kindOf(body)}`);
}

function toKey(key: string): string {
  if (!isWellFormed(key) || key === "") throw new TypeError(`fence: key must be a non-empty string, not ${shown(key)}`);
  return key;
}

/** Fences the objects of a store. */
export function objectFence(store: ObjectStore): ObjectFence {
  /**
   * Reads, compares tokens, and writes if the ETag is unchanged, until the outcome is known. A late duplicate of the
   * request finds another ETag. Without `content`, the object keeps its own.
   */
  async function place(fenced: Fenced, key: string, content: Uint8Array | undefined): Promise<void> {
    const lease = toFenced(fenced);
    toKey(key);
    const id = randomId();
    let unsure: { readonly etag: string | undefined } | undefined;
    let [races, failures] = [0, 0];
    const unknown = (why: string): OutcomeUnknownError => new OutcomeUnknownError(lease.name, why, undefined, "write");
    for (;;) {
      const found = await store.read(key, content && OBJECT_HEAD_BYTES).catch((error: unknown) => {
        throw unsure ? unknown("the store cannot be read") : error;
      });
      const head = found ? headOf(found.bytes) : NONE;
      if (head.id === id) return;
      if (head.token > lease.token) {
        // The unanswered write may have come first: a newer holder's claim keeps the content that it finds.
        if (unsure && content) throw unknown("a newer holder followed");
        throw new StaleTokenError(lease, head.token);
      }
      if (!content && head.token === lease.token) return;
      if (!content && found?.decoded && head.size === 0) {
        throw new Error(
          `"${key}" has a content-encoding and was never put through a fence: its content cannot be written again`,
        );
      }
      // The unanswered write may have come before the one found, which a duplicate would overwrite.
      if (unsure && unsure.etag !== found?.etag) throw unknown("another write followed");
      const written = content !== undefined || head.written;
      const rest = content ?? found?.bytes.subarray(head.size) ?? new Uint8Array();
      const outcome = await store.write(key, framed({ token: lease.token, id, written }, rest), found?.etag);
      if (outcome === "written") return;
      if (outcome === "unsure") {
        unsure = { etag: found?.etag };
        if (++failures === MAX_FAILURES) throw unknown("the store does not answer");
      } else if (++races === MAX_RACES) {
        throw new Error(`"${key}" was not written: it changed ${races} times in between`);
      }
      await sleep(Math.random() * Math.min(LONGEST_DELAY_MS, 10 * 2 ** (races + failures)));
    }
  }

  return {
    claim: (lease, key) => place(lease, key, undefined),
    put: async (lease, key, body) => place(lease, key, toBytes(body)),
    async get(key) {
      const found = await store.read(toKey(key));
      if (!found) return null;
      const { token, written, size } = headOf(found.bytes);
      return { token, body: written ? found.bytes.slice(size) : null, etag: found.etag };
    },
  };
}
