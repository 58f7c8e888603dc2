// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local E=tonumber(ARGV[5])\n" + clock + fresh + one + record + ending + once + "local i,o=ARGV[2],tonumber(ARGV[3])if S~=i then local n=W(i)if d==0 or r~=o or n and n~='E'then return{'lost',e,D(i,o)}end if f[i]then B(i,'R',0)end S,s=i,ARGV[6]l=e+ARGV[4]*1000 K()X()end return{'completed',e}",
  replies: "completed|lost reason$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["46a6e59accb9eb447d9775723f6db383a552569b", "47aa24d1c600fac09478b7e2ee25916dfb86c7dd"];
