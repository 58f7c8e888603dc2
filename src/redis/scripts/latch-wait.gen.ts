// Generated from lua/latch-wait.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, latch, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchWaitReply =
  | { readonly status: "counting"; readonly now: number; readonly generation: number; readonly remaining: number }
  | { readonly status: "open"; readonly now: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchWait: Script<readonly [id: string | number, generation: string | number], LatchWaitReply> = {
  lua: "local t=0\n" + clock + fresh + read_name + record + latch + "local d=tonumber(ARGV[3])if B('latch')then return{'kind',a,i}end if not h then if d>0 then return{'lost',a}end return{'counting',a,0,0}end if d>0 and c>d then return{'lost',a}end if A==0 or d>0 and g>d then return{'open',a}end return{'counting',a,g,f-a}",
  replies: {
    counting: { generation: "integer", remaining: "integer" },
    open: {},
    lost: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["d2a5e0908f1bbd0a52e7ded33e96732818063ae9", "ad87480600e8af1f5c54a39ab890854293ab24b8"];
