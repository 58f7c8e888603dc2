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
  lua: "local v=tonumber(ARGV[5])\n" + clock + fresh + one + record + once + "local b,f,bK=ARGV[2],tonumber(ARGV[6]),ARGV[7]if L('once')then return{'kind',a,k}end if G(b)then return{'closed',a}end if ab==''then ab=bK elseif bK~=''and bK~=ab then return{'mismatch',a}end if J~=''then return{'done',a,h,'='..bp}end local ce,c=next(o)if not ce then if f>0 and ac>=f then return{'exhausted',a,ac}end ac=ac+1 c=a+ARGV[3]*1000 o[b],h=c,math.max(h+1,a)i=math.max(a+ARGV[4]*1000,c)H()C()elseif ce~=b then return{'running',a,c-a}end return{'granted',a,h,c-a,ac}",
  replies: "granted token# remaining# attempt#|running remaining#|done token# result|exhausted attempts#|mismatch|closed|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["6051a8e4b8364d987550785b011ce1affb78aaed", "de168a1bdd9dcecd893d1959423f065b71a49cc1"];
