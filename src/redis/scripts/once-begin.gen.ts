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

export const onceBegin: Script<readonly [id: string | number, lease: string | number, ttl: string | number, retention: string | number, maxAttempts: string | number, fingerprint: string | number], OnceBeginReply> = {
  lua: "local k=tonumber(ARGV[5])\n" + clock + fresh + one + record + once + "local t,a,l=ARGV[2],tonumber(ARGV[6]),ARGV[7]if B('once')then return{'kind',e,d}end if j(t)then return{'closed',e}end if b==''then b=l elseif l~=''and l~=b then return{'mismatch',e}end if C~=''then return{'done',e,o,'='..s}end local c,n=next(f)if not c then if a>0 and i>=a then return{'exhausted',e,i}end i=i+1 n=e+ARGV[3]*1000 f[t],o=n,math.max(o+1,e)r=math.max(e+ARGV[4]*1000,n)z()v()elseif c~=t then return{'running',e,n-e}end return{'granted',e,o,n-e,i}",
  replies: "granted token# remaining# attempt#|running remaining#|done token# result|exhausted attempts#|mismatch|closed|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["236b7813d6a0afcb83435c13a33a0431e5047fd3", "cfe6994c55cdeb1ab0f926d71c717ab006ed60b2"];
