// Generated from lua/once-begin.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, once, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceBeginReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly attempt: number }
  | { readonly status: "running"; readonly now: number; readonly remaining: number }
  | { readonly status: "done"; readonly now: number; readonly token: number; readonly result: string }
  | { readonly status: "exhausted"; readonly now: number; readonly attempts: number }
  | { readonly status: "mismatch"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const onceBegin: Script<readonly [id: string | number, lease: string | number, ttl: string | number, retention: string | number, maxAttempts: string | number, fingerprint: string | number, before: string | number, note: string | number], OnceBeginReply> = {
  lua: "local E=tonumber(ARGV[5])\n" + clock + fresh + one + record + "if m=='once'and l>tonumber(ARGV[8])then l=math.max(l,e+1)end\n" + once + "local i,a,o=ARGV[2],tonumber(ARGV[6]),ARGV[7]if S('once')then return{'kind',e,m}end if W(i)then return{'closed',e}end if u==''then u=o elseif o~=''and o~=u then return{'mismatch',e}end if n~=''then return{'done',e,r,'='..s}end local A,t=next(f)if not A then if d>=a then return{'exhausted',e,d}end d,s=d+1,ARGV[9]t=e+ARGV[3]*1000 f[i],r=t,math.max(r+1,e)l=math.max(e+ARGV[4]*1000,t)K()X()elseif A~=i then return{'running',e,t-e}end return{'granted',e,r,t-e,d}",
  replies: "granted token remaining attempt|running remaining|done token result$|exhausted attempts|mismatch|closed|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["f1a13980484e2be233a28d923cd53fc9634b521f", "844e76812901c2a5fcbf6035e09d4fc2388553f7"];
