// Generated from lua/group-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, read_names, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const groupExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], GroupExtendReply> = {
  lua: clock + fresh + read_names + "local b,f,s=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local l=a+ARGV[4]*1000 local q,d,j,E,w=math.huge,0,nil,'',{}for i,K in ipairs(KEYS)do local B=C[i]\n" + record + ending + "local c=m[b]if not c or g~=f then j=j or P(b,f)E=E..i..' 'if O then v(redis.pcall)end else if l>c then c=l m[b],e=c,math.max(e,c)table.insert(w,v)end q=math.min(q,c)d=math.max(d,select(2,L()))end end if j then return{'lost',a,j,E}end for C,v in ipairs(w)do v()end return{'extended',a,q-a,d}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["b39988f1a279c6e90b03d1f112c997ac2bb7f7b5", "9a43361e0b0318698c9258199c7ece0aa6e65b4d"];
