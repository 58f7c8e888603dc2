// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, listen, once, read_name, record, vacate, wake } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number; readonly stored: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local v=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + vacate + once + listen + wake + "local b,f=ARGV[2],tonumber(ARGV[3])if r~=b then local I=y(b)if j==0 or h~=f or I and I~='E'then return{'lost',a,T(b,f)}end if l[b]then Q(b,'R',0)end r,o=b,ARGV[6]g=a+ARGV[4]*1000 F()ah()if o==''then local A=X()if A then return A end else s()end end return{'completed',a,o==''and 0 or 1}",
  replies: {
    completed: { stored: "integer" },
    lost: { reason: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["ad7bb95622aa7675fd40bad4b669842573168f80", "826e848b78e011090c66798bc355c824029c5fcd"];
