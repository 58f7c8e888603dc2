// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local t=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + vacate + once + "local b,e=ARGV[2],tonumber(ARGV[3])if r~=b then local z=v(b)if i==0 or f~=e or z and z~='E'then return{'lost',a,P(b,e)}end if m[b]then J(b,'R',0)end r,j=b,ARGV[6]g=a+ARGV[4]*1000 D()if j==''then local c=R()if c then return c end else y()end end return{'completed',a}",
  replies: {
    completed: {},
    lost: { reason: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["b4eb7a81ba4565e1548d37ac2673b102bf5445fa", "2e77efa01df1c797f63bda8c5175056a23f8df11"];
