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
  lua: "local t=0\n" + clock + fresh + read_name + record + latch + "local i=tonumber(ARGV[3])if A('latch')then return{'kind',a,h}end if not g then if i>0 then return{'lost',a}end return{'counting',a,0,0}end if i>0 and c>i then return{'lost',a}end if z==0 or i>0 and f>i then return{'open',a}end return{'counting',a,f,e-a}",
  replies: {
    counting: { generation: "integer", remaining: "integer" },
    open: {},
    lost: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["9bda300ec79caf2b44a32f4d80a97d0598811e74", "0d5cdb5e37fa545a0adbe9d62d45bb1188e5549b"];
