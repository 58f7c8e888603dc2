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
  lua: clock + fresh + fence + ran + "if not Q then if ARGV[6]~=''then s=ARGV[6]:sub(2)end m('',o)end return{'written',e}",
  replies: "written|stale seen|forgotten seen|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["f3c4f6f1ca3fcd602d9dad795d64e2f81bd9dbb5", "4aca2e635954b7e61c63ef98f645a40831d7cac7"];
