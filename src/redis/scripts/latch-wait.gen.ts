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
  lua: "local t=0\n" + clock + fresh + read_name + record + latch + "local d=tonumber(ARGV[3])if B('latch')then return{'kind',a,j}end if not f then if d>0 then return{'lost',a}end return{'counting',a,0,0}end if d>0 and e>d then return{'lost',a}end if z==0 or d>0 and h>d then return{'open',a}end return{'counting',a,h,g-a}",
  replies: {
    counting: { generation: "integer", remaining: "integer" },
    open: {},
    lost: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["e96614545cc24be7eb9a8a84719db238d962ecd6", "b14ff220335f121d1047d7ad44a06c9740aef0c8"];
