// Generated from lua/group-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const groupExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], GroupExtendReply> = {
  lua: clock + fresh + records + "local t,o,b=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local m=e+ARGV[4]*1000 local c,a,s,u,w=math.huge,0,nil,'',{}for i,Q in ipairs(KEYS)do local J=B[i]\n" + record + ending + "local n=f[t]if not n or l~=o then s=s or N(t,o)u=u..i..' 'if U then v(redis.pcall)end else if m>n then n=m f[t],r=n,math.max(r,n)table.insert(w,v)end c=math.min(c,n)a=math.max(a,select(2,L()))end end if s then return{'lost',e,s,u}end for H,v in ipairs(w)do v()end return{'extended',e,c-e,a}",
  replies: "extended remaining# holds#|lost reason names|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["54439b7adfb7ae17997b891c973ccd178b86e0ca", "a7c91856b661d04910c2ae1f16d1e0ea35abf42e"];
