// Generated from lua/group-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const groupExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], GroupExtendReply> = {
  lua: clock + fresh + records + "local t,o,b=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local h=e+ARGV[4]*1000 local c,a,s,u,w=math.huge,0,nil,'',{}for i,Q in ipairs(KEYS)do local I=A[i]\n" + record + ending + "local n=f[t]if not n or l~=o then s=s or N(t,o)u=u..i..' 'if T then v(redis.pcall)end else if h>n then n=h f[t],r=n,math.max(r,n)table.insert(w,v)end c=math.min(c,n)a=math.max(a,select(2,K()))end end if s then return{'lost',e,s,u}end for G,v in ipairs(w)do v()end return{'extended',e,c-e,a}",
  replies: "extended remaining holds|lost reason$ names$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["c86061ed7e2d43fd82549560515133d8ec910b0f", "9f97d92141e4920c8de4d0dadfa4c612661697fe"];
