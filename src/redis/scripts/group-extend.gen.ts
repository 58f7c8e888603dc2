// Generated from lua/group-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, read_names, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const groupExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], GroupExtendReply> = {
  lua: clock + fresh + read_names + "local b,g,s=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local m=a+ARGV[4]*1000 local q,d,j,E,w=math.huge,0,nil,'',{}for i,K in ipairs(KEYS)do local B=C[i]\n" + record + ending + "local c=l[b]if not c or f~=g then j=j or P(b,g)E=E..i..' 'if O then v(redis.pcall)end else if m>c then c=m l[b],e=c,math.max(e,c)table.insert(w,v)end q=math.min(q,c)d=math.max(d,select(2,L()))end end if j then return{'lost',a,j,E}end for C,v in ipairs(w)do v()end return{'extended',a,q-a,d}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["a4155210c040943610ceb011a0c010d84df01978", "05f73ac3a1510e15ed75e75d6a8bab58aeb98634"];
