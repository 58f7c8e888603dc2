// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number; readonly stored: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local t=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + vacate + once + "local b,f=ARGV[2],tonumber(ARGV[3])if q~=b then local F=w(b)if i==0 or h~=f or F and F~='E'then return{'lost',a,R(b,f)}end if l[b]then O(b,'R',0)end q,o=b,ARGV[6]g=a+ARGV[4]*1000 C()if o==''then local E=U()if E then return E end else x()end end return{'completed',a,o==''and 0 or 1}",
  replies: {
    completed: { stored: "integer" },
    lost: { reason: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["e006fbdefb6c1cd8be36e98c867b6c156dcb2a62", "d996bc3f9bb1249ed53a6c1318f9b1aeb388741d"];
