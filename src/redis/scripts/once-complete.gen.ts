// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local k=tonumber(ARGV[5])\n" + clock + fresh + one + record + ending + once + "local t,l=ARGV[2],tonumber(ARGV[3])if C~=t then local u=j(t)if i==0 or o~=l or u and u~='E'then return{'lost',e,R(t,l)}end if f[t]then F(t,'R',0)end C,s=t,ARGV[6]r=e+ARGV[4]*1000 z()v()end return{'completed',e}",
  replies: "completed|lost reason|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["a20e2ea671f6f76cc0059f53bc3bc2069c96073f", "23848e810255f28e53b7d0f8bbc5e480fcfe1cbf"];
