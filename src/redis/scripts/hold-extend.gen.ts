// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: "local t,o,b=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])\n" + clock + fresh + one + record + ending + "local n=f[t]if not n or l~=o then if T then j(redis.pcall)end return{'lost',e,P(t,o)}end local h=e+ARGV[4]*1000 if h>n then n=h f[t],r=n,math.max(r,n)j()end return{'extended',e,n-e,select(2,J())}",
  replies: "extended remaining holds|lost reason$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["730b730f182d113d29d5a829c32e354f0caffe99", "07ef5a524d15ec7d1c629b615c5bab19e2af4de6"];
