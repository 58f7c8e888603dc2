// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local E=tonumber(ARGV[5])\n" + clock + fresh + one + record + ending + once + "local i,o=ARGV[2],tonumber(ARGV[3])if n~=i then local T=W(i)if d==0 or r~=o or T and T~='E'then return{'lost',e,D(i,o)}end if f[i]then B(i,'R',0)end n,s=i,ARGV[6]l=e+ARGV[4]*1000 K()X()end return{'completed',e}",
  replies: "completed|lost reason$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["3483ad85f78e1c5f4328d59c66f266f3ae2fc7bc", "99ff79a514914526be5d52f2ab8e85a440cf6605"];
