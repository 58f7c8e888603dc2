import { type Reply as EngineReply, ErrorReply, Status } from "leasehold-engine";
import type { Reply } from "../redis/backend.ts";
import { LongList } from "../redis/long-list.ts";
import { COST, errorOf, MAX_DEPTH, PACKED_COST, SHORT_ARRAY, TOO_DEEP } from "../redis/reply-builder.ts";
import type { Hold } from "../shared/budget.ts";
import { ReplyTooLarge } from "../shared/error-answers.ts";

/** The memory that is counted in one step. */
const STEP_BYTES = 16 * 1024;

/** Makes replies of the gateway from those of the engine, and counts their memory while they grow. */
class Converter {
  readonly #room: Hold | undefined;
  #owed = 0;

  constructor(room: Hold | undefined) {
    this.#room = room;
  }

  convert(reply: EngineReply): Reply {
    const converted = this.#value(reply, 0);
    this.#count();
    return converted;
  }

  #value(reply: EngineReply, depth: number): Reply {
    if (typeof reply === "string") return this.#text(reply);
    if (reply instanceof Status) return this.#text(reply.text);
    if (reply instanceof ErrorReply) return this.#owe(errorOf(utf8(reply.message)), COST.error);
    if (Array.isArray(reply)) return this.#list(reply, depth);
    return this.#owe(reply === null ? null : String(reply), COST.integer);
  }

  #text(bytes: string): Buffer {
    return this.#owe(Buffer.from(bytes, "latin1"), COST.string + bytes.length);
  }

  #list(items: readonly EngineReply[], depth: number): Reply {
    if (depth === MAX_DEPTH) return this.#owe(errorOf(TOO_DEEP), COST.error);
    if (items.length <= SHORT_ARRAY)
      return this.#owe(
        items.map((item) => this.#value(item, depth + 1)),
        COST.array,
      );
    const list = new LongList<Reply>();
    for (const item of items) {
      const value = this.#value(item, depth + 1);
      if (LongList.packs(value)) this.#owed += PACKED_COST - COST.string;
      list.push(value);
    }
    return this.#owe(list, COST.array);
  }

  #owe<R extends Reply>(value: R, bytes: number): R {
    this.#owed += bytes;
    if (this.#owed >= STEP_BYTES) this.#count();
    return value;
  }

  #count(): void {
    const owed = this.#owed;
    this.#owed = 0;
    if (this.#room?.take(owed) === false) throw new ReplyTooLarge();
  }
}

/** A text of one character for each byte, as text of UTF-8. */
const utf8 = (bytes: string): string => Buffer.from(bytes, "latin1").toString();

/** @throws {ReplyTooLarge} without room */
export const replyOf = (reply: EngineReply, room?: Hold): Reply => new Converter(room).convert(reply);

function resp(reply: EngineReply): string {
  if (reply === null) return "$-1\r\n";
  if (typeof reply === "string") return `$${reply.length}\r\n${reply}\r\n`;
  if (typeof reply === "number" || typeof reply === "bigint") return `:${reply}\r\n`;
  if (reply instanceof Status) return `+${reply.text}\r\n`;
  if (reply instanceof ErrorReply) return `-${reply.message}\r\n`;
  return `*${reply.length}\r\n${reply.map(resp).join("")}`;
}

/**
 * A reply as the bytes of RESP2; an error is an `Error`.
 *
 * @param isList whether null means a missing list
 * @throws {ReplyTooLarge} without room
 */
export function bytesOf(reply: EngineReply, isList: boolean, room?: Hold): Buffer | Error {
  if (reply instanceof ErrorReply) return errorOf(utf8(reply.message));
  const bytes = Buffer.from(reply === null && isList ? "*-1\r\n" : resp(reply), "latin1");
  if (room?.take(COST.string + bytes.length) === false) throw new ReplyTooLarge();
  return bytes;
}
