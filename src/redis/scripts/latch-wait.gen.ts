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
  lua: "local t=0\n" + clock + fresh + read_name + record + latch + "local d=tonumber(ARGV[3])if A('latch')then return{'kind',a,i}end if not h then if d>0 then return{'lost',a}end return{'counting',a,0,0}end if d>0 and c>d then return{'lost',a}end if z==0 or d>0 and g>d then return{'open',a}end return{'counting',a,g,f-a}",
  replies: {
    counting: { generation: "integer", remaining: "integer" },
    open: {},
    lost: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["f0f797d412a2adfd292f5896693dab4ff5170203", "2a65860399d54a586527cd912a6b335592d2d4f3"];
