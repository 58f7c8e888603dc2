// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: "local i,o,E=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])\n" + clock + fresh + one + record + ending + "local t=f[i]if not t or r~=o then if J then X(redis.pcall)end return{'lost',e,D(i,o)}end local h=e+ARGV[4]*1000 if h>t then t=h f[i],l=t,math.max(l,t)X()end return{'extended',e,t-e,select(2,F())}",
  replies: "extended remaining holds|lost reason$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["249b080251d751afcff21b1d1cb7a8cebb18f015", "a401bc33ef25896db86f3c2e6d87894bab06c1a7"];
