// Generated from lua/group-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, read_names, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const groupExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], GroupExtendReply> = {
  lua: clock + fresh + read_names + "local b,g,t=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local n=a+ARGV[4]*1000 local r,d,j,k,C=math.huge,0,nil,'',{}for i,J in ipairs(KEYS)do local q=y[i]\n" + record + ending + "local c=m[b]if not c or f~=g then j=j or R(b,g)k=k..i..' 'if Q then x(redis.pcall)end else if n>c then c=n m[b],e=c,math.max(e,c)table.insert(C,x)end r=math.min(r,c)d=math.max(d,select(2,N()))end end if j then return{'lost',a,j,k}end for E,x in ipairs(C)do x()end return{'extended',a,r-a,d}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["47573fb18103cb96e791c0bd679a58b820d98917", "142e7ef2d9e2509e324f0c9983e8e5b929327cbc"];
