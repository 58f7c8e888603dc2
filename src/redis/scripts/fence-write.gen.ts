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
  lua: clock + fresh + fence + fenced + ran + "if not O then if ARGV[6]~=''then h=ARGV[6]:sub(2)end m('',f)end return{'written',a}",
  replies: {
    written: {},
    stale: { seen: "integer" },
    forgotten: { seen: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["6f9f01005876077dcc3ef04ffadab6d3baf6e6e4", "8f7019f2c69b13acdf72a18969c5b2c14a693cee"];
