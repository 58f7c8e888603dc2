// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, listen, once, read_name, record, vacate, wake } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number; readonly stored: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local w=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + vacate + once + listen + wake + "local b,f=ARGV[2],tonumber(ARGV[3])if r~=b then local q=x(b)if i==0 or g~=f or q and q~='E'then return{'lost',a,U(b,f)}end if l[b]then S(b,'R',0)end r,p=b,ARGV[6]h=a+ARGV[4]*1000 H()ah()if p==''then local B=Z()if B then return B end else s()end end return{'completed',a,p==''and 0 or 1}",
  replies: {
    completed: { stored: "integer" },
    lost: { reason: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["6d04ffa1566c0bdaaf9b4f965eaed3c0066afbab", "e1d6c9062b20fe9b03edef6d4ebe3e631783c18d"];
