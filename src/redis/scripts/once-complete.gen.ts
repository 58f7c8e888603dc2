// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local b=tonumber(ARGV[5])\n" + clock + fresh + one + record + ending + once + "local t,o=ARGV[2],tonumber(ARGV[3])if A~=t then local y=q(t)if i==0 or l~=o or y and y~='E'then return{'lost',e,P(t,o)}end if f[t]then E(t,'R',0)end A,s=t,ARGV[6]r=e+ARGV[4]*1000 C()j()end return{'completed',e}",
  replies: "completed|lost reason$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["c94ef7c59b5bccd8a95424808ddaadd52f2baacc", "19b5c08819671c54a07b35fc92275c8167774cc1"];
