// Generated from lua/group-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, read_names, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const groupExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], GroupExtendReply> = {
  lua: clock + fresh + read_names + "local b,f,v=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local q=a+ARGV[4]*1000 local t,d,K,Y,o=math.huge,0,nil,'',{}for j,L in ipairs(KEYS)do local w=P[j]\n" + record + ending + "local c=l[b]if not c or h~=f then K=K or T(b,f)Y=Y..j..' 'if S then s(redis.pcall)end else if q>c then c=q l[b],g=c,math.max(g,c)table.insert(o,s)end t=math.min(t,c)d=math.max(d,select(2,R()))end end if K then return{'lost',a,K,Y}end for K,s in ipairs(o)do s()end return{'extended',a,t-a,d}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["03ea68150daef521bb5c1a3520c4524000063969", "01422b9b906c988f538fd7ee57e0d06932cb44bb"];
