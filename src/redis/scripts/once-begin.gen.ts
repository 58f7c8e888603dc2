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
  lua: "local b=tonumber(ARGV[5])\n" + clock + fresh + one + record + "if d=='once'and r>tonumber(ARGV[8])then r=math.max(r,e+1)end\n" + once + "local t,a,o=ARGV[2],tonumber(ARGV[6]),ARGV[7]if z('once')then return{'kind',e,d}end if q(t)then return{'closed',e}end if m==''then m=o elseif o~=''and o~=m then return{'mismatch',e}end if A~=''then return{'done',e,l,'='..s}end local c,n=next(f)if not c then if i>=a then return{'exhausted',e,i}end i,s=i+1,ARGV[9]n=e+ARGV[3]*1000 f[t],l=n,math.max(l+1,e)r=math.max(e+ARGV[4]*1000,n)C()j()elseif c~=t then return{'running',e,n-e}end return{'granted',e,l,n-e,i}",
  replies: "granted token remaining attempt|running remaining|done token result$|exhausted attempts|mismatch|closed|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["79cefa76aea4d059016e0765f3f3a4b49ef660ca", "0582db66b26b9cc978420333471fe6cb6a979750"];
