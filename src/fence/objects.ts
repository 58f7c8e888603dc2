import { isWellFormed } from "../shared/checks.ts";
import { type Bytes, randomId } from "../shared/crypto.ts";
import { OutcomeUnknownError } from "../shared/errors.ts";
import { sleep } from "../shared/timers.ts";
import { type Fenced, StaleTokenError, toFenced } from "./rule.ts";

/** What is kept of an object: its bytes and the ETag that changes with them. */
interface Stored {
  readonly etag: string;
  readonly bytes: Bytes;
  /** Whether they may differ from what is stored. */
  readonly decoded?: boolean;
}

/** A store of objects, as narrow as it can be. */
export interface ObjectStore {
  /** The object, or only its first bytes; null when there is none. */
  read(key: string, first?: number): Promise<Stored | null>;
  /** Writes it if it still has this ETag, or without one, if there is none. `unsure`: no answer said which. Throws when refused for good. */
  write(key: string, bytes: Bytes, etag: string | undefined): Promise<"written" | "changed" | "unsure">;
}

export interface FencedObject {
  /** The highest token seen; 0 for an object that was not written through a fence. */
  readonly token: number;
  /** Null when it was claimed and never written. */
  readonly body: Bytes | null;
  readonly etag: string;
}

/**
 * Objects as the protected resource. The token stands in the object, in {@link OBJECT_HEAD_BYTES} bytes before the content, since an ETag
 * tells contents apart and nothing else: with the token beside them, a claim that leaves the content as it was would leave the ETag too.
 * All writers of an object must go through a fence, under the same lock; readers may skip the head.
 *
 * Objects are held in memory. Large ones are better put under a key of their own each time, with a small fenced object that names it.
 */
export interface ObjectFence {
  /** Raises the token of the object, and keeps its content: it is written again. @throws StaleTokenError when a higher one was seen. */
  claim(lease: Fenced, key: string): Promise<void>;
  /**
   * Writes the object.
   *
   * @throws StaleTokenError when it has a higher token, and stays as it is; OutcomeUnknownError when no answer said what came of it.
   */
  put(lease: Fenced, key: string, body: string | ArrayBuffer | Uint8Array): Promise<void>;
  /** The object, its token and its content; null when there is none. */
  get(key: string): Promise<FencedObject | null>;
}

/** `leasehold-fence 1`, 16 digits of token, 36 characters of id, `w`ritten or `c`laimed only. */
const HEAD = /^leasehold-fence 1 (\d{16}) (\S{36}) ([wc])\n$/;
/** Bytes before the content of an object that was written through a fence. */
export const OBJECT_HEAD_BYTES = 74;
const MOST_RACES = 20;
const MOST_FAILURES = 4;
const LONGEST_DELAY_MS = 1000;

interface Head {
  readonly token: number;
  readonly id: string;
  readonly written: boolean;
  readonly size: number;
}

const NONE: Head = { token: 0, id: "", written: false, size: 0 };

/** What is no head of ours is content that nobody has fenced yet. */
function headOf(bytes: Uint8Array): Head {
  const [, token, id = "", mark] = HEAD.exec(new TextDecoder().decode(bytes.subarray(0, OBJECT_HEAD_BYTES))) ?? [];
  if (token === undefined) return { token: 0, id, written: true, size: 0 };
  return { token: Number(token), id, written: mark === "w", size: OBJECT_HEAD_BYTES };
}

function framed(head: Omit<Head, "size">, content: Uint8Array): Bytes {
  const text = `leasehold-fence 1 ${`${head.token}`.padStart(16, "0")} ${head.id} ${head.written ? "w" : "c"}\n`;
  const bytes = new Uint8Array(OBJECT_HEAD_BYTES + content.length);
  bytes.set(new TextEncoder().encode(text));
  bytes.set(content, OBJECT_HEAD_BYTES);
  return bytes;
}

function toBytes(body: string | ArrayBuffer | Uint8Array): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  // A copy; the slice of a Buffer is none.
  if (body instanceof Uint8Array) return new Uint8Array(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body.slice(0));
  throw new TypeError("body must be text, an ArrayBuffer or a Uint8Array");
}

function toKey(key: string): string {
  if (!isWellFormed(key) || key === "") throw new TypeError("key must be text");
  return key;
}

export function objectFence(store: ObjectStore): ObjectFence {
  /**
   * Reads, decides, and writes on condition that nothing came between, until it is known what came of it. A copy that arrives late finds
   * another ETag. Without content what is there stays.
   */
  async function place(given: Fenced, key: string, content: Uint8Array | undefined): Promise<void> {
    const lease = toFenced(given);
    toKey(key);
    const id = randomId();
    let unsure: { readonly etag: string | undefined } | undefined;
    let [races, failures] = [0, 0];
    const unknown = (why: string): OutcomeUnknownError => new OutcomeUnknownError(lease.name, why);
    for (;;) {
      const found = await store.read(key, content && OBJECT_HEAD_BYTES).catch((error: unknown) => {
        throw unsure ? unknown("the store cannot be read") : error;
      });
      const head = found ? headOf(found.bytes) : NONE;
      if (head.id === id) return;
      if (head.token > lease.token) {
        // Ours may have been there before, and a newer holder's claim keeps what it finds.
        if (unsure && content) throw unknown("a newer holder followed");
        throw new StaleTokenError(lease, head.token);
      }
      if (!content && head.token === lease.token) return;
      if (!content && found?.decoded && head.size === 0) {
        throw new Error(
          `"${key}" has a content-encoding, and nobody put it through a fence: it cannot be written again`,
        );
      }
      // Ours may have been there before this one of the same holder, who must not lose it to a second copy of ours.
      if (unsure && unsure.etag !== found?.etag) throw unknown("another write followed");
      const written = content !== undefined || head.written;
      const rest = content ?? found?.bytes.subarray(head.size) ?? new Uint8Array();
      const outcome = await store.write(key, framed({ token: lease.token, id, written }, rest), found?.etag);
      if (outcome === "written") return;
      if (outcome === "unsure") {
        unsure = { etag: found?.etag };
        if (++failures === MOST_FAILURES) throw unknown("the store does not say");
      } else if (++races === MOST_RACES) {
        throw new Error(`"${key}" was not written: others wrote it ${races} times meanwhile`);
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
