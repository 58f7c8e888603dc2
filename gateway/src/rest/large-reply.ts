import { constants } from "node:buffer";
import { StringDecoder } from "node:string_decoder";
import type { Reply } from "../redis/backend.ts";
import type { Hold } from "../shared/budget.ts";
import { ReplyTooLarge } from "../shared/errors.ts";
import { createTurns } from "../shared/turns.ts";
import { type Encoding, encodeReply, value } from "./reply.ts";

/** The most that is written at once: the number of items and of KiB together. */
const AT_ONCE = 1_000;
/** A multiple of three, so that a piece of base64 needs no padding. */
const PIECE_BYTES = 3 * 32 * 1024;

const TOO_LONG = "the reply is longer than a text can be: what was sent has run";

/** The rest of `AT_ONCE` after a reply; less than 0 as soon as the reply is known to be too much. */
function leftAfter(reply: Reply, left: number): number {
  if (!Array.isArray(reply)) return left - 1 - (Buffer.isBuffer(reply) ? reply.length >> 10 : 0);
  let rest = left - 1;
  for (const item of reply) {
    if (rest < 0) break;
    rest = leftAfter(item, rest);
  }
  return rest;
}

/** Whether replies are so large that writing them would keep others waiting. */
export const isLarge = (replies: readonly Reply[]): boolean => leftAfter(replies, AT_ONCE) < 0;

function* bitsOfString(bytes: Buffer, encoding: Encoding): Generator<string> {
  // A character may be in two pieces.
  const decoder = new StringDecoder("utf8");
  const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
  yield '"';
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const piece = bytes.subarray(at, at + PIECE_BYTES);
    yield encoding === "base64" ? piece.toString("base64") : escaped(decoder.write(piece));
  }
  yield `${escaped(decoder.end())}"`;
}

const isLong = (reply: Reply): reply is Buffer => Buffer.isBuffer(reply) && reply.length > PIECE_BYTES;
const isList = (reply: Reply): reply is readonly Reply[] => Array.isArray(reply) && reply.length > 0;

function* bitsOf(reply: Reply, encoding: Encoding): Generator<string> {
  if (isLong(reply)) yield* bitsOfString(reply, encoding);
  else if (!isList(reply)) yield value(reply, encoding);
  else {
    let mark = "[";
    for (const item of reply) {
      if (isLong(item) || isList(item)) {
        yield mark;
        yield* bitsOf(item, encoding);
      } else yield mark + value(item, encoding);
      mark = ",";
    }
    yield "]";
  }
}

function* bitsOfOne(reply: Reply, encoding: Encoding): Generator<string> {
  if (!isLarge([reply])) {
    yield encodeReply(reply, encoding);
    return;
  }
  yield '{"result":';
  yield* bitsOf(reply, encoding);
  yield "}";
}

function* bitsOfAll(replies: readonly Reply[], encoding: Encoding): Generator<string> {
  let mark = "[";
  for (const reply of replies) {
    yield mark;
    yield* bitsOfOne(reply, encoding);
    mark = ",";
  }
  yield "]";
}

async function written(bits: Generator<string>, room: Hold): Promise<string> {
  const turn = createTurns();
  let all = "";
  let text = "";
  for (const bit of bits) {
    text += bit;
    if (text.length < PIECE_BYTES) continue;
    all = appended(all, text, room);
    text = "";
    await turn();
  }
  return appended(all, text, room);
}

function appended(all: string, text: string, room: Hold): string {
  if (!room.take(text.length)) throw new ReplyTooLarge();
  if (all.length + text.length > constants.MAX_STRING_LENGTH) throw new ReplyTooLarge(TOO_LONG);
  return all + text;
}

/**
 * Encodes a reply as `encodeReply` does, but bit by bit, so that nobody waits for all of it.
 *
 * @throws {ReplyTooLarge} when there is no room for it
 */
export const encodeLarge = (reply: Reply, encoding: Encoding, room: Hold): Promise<string> =>
  written(bitsOfOne(reply, encoding), room);

/** Encodes replies as `encodeReplies` does, bit by bit; throws as {@link encodeLarge} does. */
export const encodeAllLarge = (replies: readonly Reply[], encoding: Encoding, room: Hold): Promise<string> =>
  written(bitsOfAll(replies, encoding), room);
