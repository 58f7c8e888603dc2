// Generated from lua/fence-write.lua by tools/build-lua.ts; do not edit.
import { clock, fence, fresh, ran } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FenceWriteReply =
  | { readonly status: "written"; readonly now: number }
  | { readonly status: "stale"; readonly now: number; readonly seen: number }
  | { readonly status: "forgotten"; readonly now: number; readonly seen: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const fenceWrite: Script<readonly [id: string | number, token: string | number, ttl: string | number, began: string | number, value: string | number], FenceWriteReply> = {
  lua: clock + fresh + fence + ran + "if not I then if ARGV[6]~=''then s=ARGV[6]:sub(2)end d('',o)end return{'written',e}",
  replies: "written|stale seen|forgotten seen|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["130b5d3ab2a5daaebe0c36c7bf9edc9202fd1ff9", "f2376f055729bed1dbf2d65c517b4386b6a81039"];
