// Generated from lua/group-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, read_names, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const groupExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], GroupExtendReply> = {
  lua: clock + fresh + read_names + "local b,f,w=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local p=a+ARGV[4]*1000 local u,e,P,aa,d=math.huge,0,nil,'',{}for i,M in ipairs(KEYS)do local y=Q[i]\n" + record + ending + "local c=l[b]if not c or g~=f then P=P or U(b,f)aa=aa..i..' 'if T then s(redis.pcall)end else if p>c then c=p l[b],h=c,math.max(h,c)table.insert(d,s)end u=math.min(u,c)e=math.max(e,select(2,R()))end end if P then return{'lost',a,P,aa}end for C,s in ipairs(d)do s()end return{'extended',a,u-a,e}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["c2d79af9cd4dd6fd59d01e05b53daba87eb44312", "90e3967d5cbaa10c48be4cd0cf418faa4e4d5eb5"];
