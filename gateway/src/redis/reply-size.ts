import type { Reply } from "./backend.ts";

/** What an item takes besides its bytes: most of it, where there are many small ones. */
const ITEM_BYTES = 64;

/** How much of memory a reply takes, roughly. */
export function sizeOf(reply: Reply): number {
  if (Array.isArray(reply)) return reply.reduce<number>((sum, item: Reply) => sum + sizeOf(item), ITEM_BYTES);
  if (Buffer.isBuffer(reply) || typeof reply === "string") return ITEM_BYTES + reply.length;
  return ITEM_BYTES;
}
