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
  lua: "local w=tonumber(ARGV[5])\n" + clock + fresh + one + record + once + "local b,f,bM=ARGV[2],tonumber(ARGV[6]),ARGV[7]if N('once')then return{'kind',a,k}end if I(b)then return{'closed',a}end if ac==''then ac=bM elseif bM~=''and bM~=ac then return{'mismatch',a}end if L~=''then return{'done',a,h,'='..bq}end local cg,c=next(o)if not cg then if f>0 and ad>=f then return{'exhausted',a,ad}end ad=ad+1 c=a+ARGV[3]*1000 o[b],h=c,math.max(h+1,a)i=math.max(a+ARGV[4]*1000,c)K()D()elseif cg~=b then return{'running',a,c-a}end return{'granted',a,h,c-a,ad}",
  replies: "granted token# remaining# attempt#|running remaining#|done token# result|exhausted attempts#|mismatch|closed|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["6c13adf59924ea4d6b5606cbc0d30f476f362a69", "a0b64da8e3d2512c93cead8f9e8a636011bcc4be"];
