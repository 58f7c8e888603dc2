import { BadRequest, isCommand, json, NOT_SCALAR, PipelineTooLong, type What, wordOf } from "leasehold-engine/rest";
import type { Command } from "../redis/backend.ts";
import { createTurns } from "../shared/turns.ts";
import { piecesOf } from "./json-pieces.ts";

type Take = (items: readonly unknown[], goesOn: boolean) => void;

async function eachPiece(body: Buffer, what: What, depth: 1 | 2, take: Take, pieceBytes?: number): Promise<void> {
  const pieces = piecesOf(body, depth, pieceBytes);
  const turn = createTurns();
  for (let next = pieces.next(); ; next = pieces.next()) {
    if (next.done === true) {
      if (next.value === "deep") throw new BadRequest(NOT_SCALAR);
      if (next.value === "broken") throw new BadRequest(`failed to parse ${what}: the body is not a valid JSON array`);
      return;
    }
    const { bytes, goesOn } = next.value;
    take(json(bytes, what) as readonly unknown[], goesOn);
    await turn();
  }
}

/** Parses one command like `parseCommand`, but in slices, so that other requests need not wait for all of it. */
export async function parseLargeCommand(body: Buffer, pieceBytes?: number): Promise<Command> {
  const parts: string[] = [];
  const take: Take = (items) => {
    for (const item of items) parts.push(wordOf(item));
  };
  await eachPiece(body, "command", 1, take, pieceBytes);
  if (!isCommand(parts)) throw new BadRequest("empty command");
  return parts;
}

/**
 * Parses commands like `parseCommands`, but in slices, so that other requests need not wait for all of it. It stops
 * once there are too many.
 */
export async function parseLargeCommands(
  body: Buffer,
  what: What,
  max: number,
  pieceBytes?: number,
): Promise<Command[]> {
  const list: string[][] = [];
  const take: Take = (items, goesOn) => {
    let current = goesOn ? list.at(-1) : undefined;
    for (const item of items) {
      if (!Array.isArray(item)) throw new BadRequest(`failed to parse ${what}: a command is a JSON array`);
      if (current === undefined) {
        current = [];
        list.push(current);
      }
      for (const part of item) current.push(wordOf(part));
      current = undefined;
    }
    if (list.length > max) throw new PipelineTooLong(max);
  };
  await eachPiece(body, what, 2, take, pieceBytes);
  if (list.length === 0) throw new BadRequest(`empty ${what}`);
  if (!list.every(isCommand)) throw new BadRequest("empty command");
  return list;
}
