import { constants } from "node:buffer";
import { StringDecoder } from "node:string_decoder";
import type { Encoding } from "leasehold-engine/rest";
import type { HttpResponse } from "../http/message.ts";
import { isArray, type Reply } from "../redis/backend.ts";
import type { Hold } from "../shared/budget.ts";
import { ReplyTooLarge } from "../shared/error-answers.ts";
import { createTurns } from "../shared/turns.ts";
import { encodeReply, isLarge, jsonOfRedis, statusOf, value } from "./response.ts";

/** A multiple of three, so that a piece of base64 needs no padding. */
const PIECE_BYTES = 3 * 32 * 1024;
/** The number of items after which other requests may run; it takes well below a millisecond. */
const ITEMS_AT_ONCE = 1_000;

const TOO_LONG = "the reply is longer than a text can be: what was sent has run";

const isLong = (reply: Reply): reply is Buffer => Buffer.isBuffer(reply) && reply.length > PIECE_BYTES;
/** A list that is being written. */
interface Level {
  readonly items: Iterator<Reply>;
  isBegun: boolean;
}

const levelOf = (list: Iterable<Reply>): Level => ({ items: list[Symbol.iterator](), isBegun: false });

/** Writes JSON in slices. It keeps its position in nested lists in a list, so that depth does not slow it down. */
class Writer {
  readonly pieces: Buffer[] = [];
  #text = "";
  /** The length of all pieces together. */
  #length = 0;
  #items = 0;
  readonly #encoding: Encoding;
  readonly #room: Hold;
  readonly #turn = createTurns();

  constructor(encoding: Encoding, room: Hold) {
    this.#encoding = encoding;
    this.#room = room;
  }

  /** Adds a text; a promise if other requests run first. */
  add(text: string): Promise<void> | undefined {
    this.#text += text;
    this.#items++;
    if (this.#text.length < PIECE_BYTES && this.#items < ITEMS_AT_ONCE) return undefined;
    this.#items = 0;
    if (this.#text.length >= PIECE_BYTES) this.flush();
    return this.#turn();
  }

  /** @throws {ReplyTooLarge} without room */
  flush(): void {
    const text = this.#text;
    this.#text = "";
    this.#length += text.length;
    if (!this.#room.take(text.length)) throw new ReplyTooLarge();
    if (this.#length > constants.MAX_STRING_LENGTH) throw new ReplyTooLarge(TOO_LONG);
    this.pieces.push(Buffer.from(text));
  }

  async string(bytes: Buffer): Promise<void> {
    // A character may be split between two pieces.
    const decoder = new StringDecoder("utf8");
    const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
    await this.add('"');
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const piece = bytes.subarray(at, at + PIECE_BYTES);
      await this.add(this.#encoding === "base64" ? piece.toString("base64") : escaped(decoder.write(piece)));
    }
    await this.add(`${escaped(decoder.end())}"`);
  }

  /** Writes a list with its items. */
  async list(list: Iterable<Reply>): Promise<void> {
    const levels = [levelOf(list)];
    await this.add("[");
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const { done, value: item } = level.items.next();
      const mark = level.isBegun ? "," : "";
      level.isBegun = true;
      let turn: Promise<void> | undefined;
      if (done === true) {
        levels.pop();
        turn = this.add("]");
      } else if (isArray(item)) {
        levels.push(levelOf(item));
        turn = this.add(`${mark}[`);
      } else if (isLong(item)) {
        await this.add(mark);
        await this.string(item);
      } else turn = this.add(mark + value(item, this.#encoding));
      // An await without need would take longer than writing an item.
      if (turn !== undefined) await turn;
    }
  }

  async reply(reply: Reply): Promise<void> {
    if (!isLarge([reply])) {
      await this.add(encodeReply(reply, this.#encoding));
      return;
    }
    await this.add('{"result":');
    if (isArray(reply)) await this.list(reply);
    else if (isLong(reply)) await this.string(reply);
    else await this.add(value(reply, this.#encoding));
    await this.add("}");
  }
}

/**
 * Encodes a reply like `encodeReply`, but in slices, so that other requests need not wait for all of it.
 *
 * @returns the bytes, in pieces
 * @throws {ReplyTooLarge} without room for it
 */
async function encodeLarge(reply: Reply, encoding: Encoding, room: Hold): Promise<readonly Buffer[]> {
  const writer = new Writer(encoding, room);
  await writer.reply(reply);
  writer.flush();
  return writer.pieces;
}

/** Encodes replies like `encodeReplies`, in slices; throws like {@link encodeLarge}. */
export async function encodeAllLarge(
  replies: readonly Reply[],
  encoding: Encoding,
  room: Hold,
): Promise<readonly Buffer[]> {
  const writer = new Writer(encoding, room);
  let mark = "[";
  for (const reply of replies) {
    await writer.add(mark);
    await writer.reply(reply);
    mark = ",";
  }
  await writer.add("]");
  writer.flush();
  return writer.pieces;
}

/** A promise of the answer with one large reply; it rejects like {@link encodeLarge}. */
export async function answerLarge(reply: Reply, encoding: Encoding, room: Hold): Promise<HttpResponse> {
  return jsonOfRedis(statusOf(reply), await encodeLarge(reply, encoding, room));
}

/** A promise of the answer with several replies that are large together; it rejects like {@link encodeLarge}. */
export async function answerAllLarge(replies: readonly Reply[], encoding: Encoding, room: Hold): Promise<HttpResponse> {
  return jsonOfRedis(200, await encodeAllLarge(replies, encoding, room));
}
