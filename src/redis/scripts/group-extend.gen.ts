// Generated from lua/group-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const groupExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], GroupExtendReply> = {
  lua: clock + fresh + records + "local t,o,b=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local m=e+ARGV[4]*1000 local s,a,c,u,y=math.huge,0,nil,'',{}for i,P in ipairs(KEYS)do local J=B[i]\n" + record + ending + "local n=f[t]if not n or l~=o then c=c or M(t,o)u=u..i..' 'if T then g(redis.pcall)end else if m>n then n=m f[t],r=n,math.max(r,n)table.insert(y,g)end s=math.min(s,n)a=math.max(a,select(2,K()))end end if c then return{'lost',e,c,u}end for H,g in ipairs(y)do g()end return{'extended',e,s-e,a}",
  replies: "extended remaining# holds#|lost reason names|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["6843e0cf3b0127f3c231409ccf9dc69b5f00066e", "fb6894ff2aa734da12368712b99abea7cc286a86"];
