// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local q=tonumber(ARGV[5])\n" + clock + fresh + one + record + ending + once + "local b,e=ARGV[2],tonumber(ARGV[3])if s~=b then local z=y(b)if i==0 or f~=e or z and z~='E'then return{'lost',a,P(b,e)}end if l[b]then E(b,'R',0)end s,j=b,ARGV[6]g=a+ARGV[4]*1000 D()if j==''then redis.call('DEL',L)end x()end return{'completed',a}",
  replies: {
    completed: {},
    lost: { reason: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["bb09ff7bb644289b9f549811ddf46f2b91b368ea", "5e05d4cd10f61a3346e9f77c58bf57373de592db"];
