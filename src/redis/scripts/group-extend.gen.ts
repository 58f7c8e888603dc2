// Generated from lua/group-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const groupExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], GroupExtendReply> = {
  lua: clock + fresh + records + "local t,o,b=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local h=e+ARGV[4]*1000 local p,a,s,v,w=math.huge,0,nil,'',{}for i,O in ipairs(KEYS)do local G=B[i]\n" + record + ending + "local n=f[t]if not n or l~=o then s=s or P(t,o)v=v..i..' 'if T then j(redis.pcall)end else if h>n then n=h f[t],r=n,math.max(r,n)table.insert(w,j)end p=math.min(p,n)a=math.max(a,select(2,J()))end end if s then return{'lost',e,s,v}end for H,j in ipairs(w)do j()end return{'extended',e,p-e,a}",
  replies: "extended remaining holds|lost reason$ names$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["e5ccc33fde78d367af573669ede4c437332ab2ba", "159219c3eaaf4579013eb9fc3edc12634f3c68b8"];
