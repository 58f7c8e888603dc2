// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local q=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + vacate + once + "local b,e=ARGV[2],tonumber(ARGV[3])if t~=b then local I=u(b)if i==0 or f~=e or I and I~='E'then return{'lost',a,P(b,e)}end if l[b]then J(b,'R',0)end t,j=b,ARGV[6]g=a+ARGV[4]*1000 D()if j==''then local c=R()if c then return c end else x()end end return{'completed',a}",
  replies: {
    completed: {},
    lost: { reason: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["465be01404d7b5aec90078e3a6890da1071d8e56", "a22e8fc2d0509b62776e430c47c0d10925640131"];
