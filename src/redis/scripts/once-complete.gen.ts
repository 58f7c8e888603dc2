// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local r=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + vacate + once + "local b,e=ARGV[2],tonumber(ARGV[3])if q~=b then local z=v(b)if i==0 or f~=e or z and z~='E'then return{'lost',a,P(b,e)}end if m[b]then J(b,'R',0)end q,j=b,ARGV[6]g=a+ARGV[4]*1000 E()if j==''then local c=R()if c then return c end else y()end end return{'completed',a}",
  replies: {
    completed: {},
    lost: { reason: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["561f11d1aba955c94954e76aadde3c44234baeb2", "31304926765a15c58336db45bc9707c19933b5c9"];
