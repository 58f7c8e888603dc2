// Generated from lua/fence-write.lua by tools/build-lua.ts; do not edit.
import { clock, fence, fenced, fresh, ran } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FenceWriteReply =
  | { readonly status: "written"; readonly now: number }
  | { readonly status: "stale"; readonly now: number; readonly seen: number }
  | { readonly status: "forgotten"; readonly now: number; readonly seen: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const fenceWrite: Script<readonly [id: string | number, token: string | number, ttl: string | number, began: string | number, value: string | number], FenceWriteReply> = {
  lua: clock + fresh + fence + fenced + ran + "if not N then if ARGV[6]~=''then g=ARGV[6]:sub(2)end k('',f)end return{'written',a}",
  replies: {
    written: {},
    stale: { seen: "integer" },
    forgotten: { seen: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["5c84ee2b078b867a49e621bb3d1cccb9ad3dc130", "3deff4672220121535130976a57442400b9720f6"];
