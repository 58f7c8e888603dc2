// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local b=tonumber(ARGV[5])\n" + clock + fresh + one + record + ending + once + "local t,o=ARGV[2],tonumber(ARGV[3])if A~=t then local y=q(t)if i==0 or l~=o or y and y~='E'then return{'lost',e,N(t,o)}end if f[t]then E(t,'R',0)end A,s=t,ARGV[6]r=e+ARGV[4]*1000 C()j()end return{'completed',e}",
  replies: "completed|lost reason$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["e156e8bb1b3f0b3342eea7d7fe365fe9dea92a3f", "c5dcab7de4d19b887b8a73828810e942942cd2a8"];
