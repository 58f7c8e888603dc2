// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number; readonly stored: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local s=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + vacate + once + "local b,g=ARGV[2],tonumber(ARGV[3])if p~=b then local D=x(b)if e==0 or h~=g or D and D~='E'then return{'lost',a,T(b,g)}end if n[b]then N(b,'R',0)end p,j=b,ARGV[6]f=a+ARGV[4]*1000 I()if j==''then local C=V()if C then return C end else y()end end return{'completed',a,j==''and 0 or 1}",
  replies: {
    completed: { stored: "integer" },
    lost: { reason: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["ec5786fee23060fb4e4155b0e9c1c56ad800afd7", "761b3a445a195a98d0b8bcce96a44e561efca994"];
