// Generated from lua/group-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, record, records } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const groupExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], GroupExtendReply> = {
  lua: clock + fresh + records + "local i,o,E=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local h=e+ARGV[4]*1000 local O,a,s,T,L=math.huge,0,nil,'',{}for d,N in ipairs(KEYS)do local M=g[d]\n" + record + ending + "local t=f[i]if not t or r~=o then s=s or D(i,o)T=T..d..' 'if J then X(redis.pcall)end else if h>t then t=h f[i],l=t,math.max(l,t)table.insert(L,X)end O=math.min(O,t)a=math.max(a,select(2,F()))end end if s then return{'lost',e,s,T}end for k,X in ipairs(L)do X()end return{'extended',e,O-e,a}",
  replies: "extended remaining holds|lost reason$ names$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["222f33fe82e75e08d563089778169bddc60845a1", "a01d4a7da4b16343d9807f16c2e83fee954712d8"];
