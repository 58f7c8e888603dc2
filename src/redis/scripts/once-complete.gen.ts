// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, read_name, record, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number; readonly stored: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local t=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + vacate + once + "local b,g=ARGV[2],tonumber(ARGV[3])if o~=b then local F=v(b)if i==0 or f~=g or F and F~='E'then return{'lost',a,R(b,g)}end if m[b]then K(b,'R',0)end o,j=b,ARGV[6]e=a+ARGV[4]*1000 G()if j==''then local C=T()if C then return C end else x()end end return{'completed',a,j==''and 0 or 1}",
  replies: {
    completed: { stored: "integer" },
    lost: { reason: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["40c3349dd6bdb4e68930c148ff6a48dfb28a2206", "96d098201703f641e8822d80a1a09c0b703e4b98"];
