// Generated from lua/group-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, read_names, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const groupExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], GroupExtendReply> = {
  lua: clock + fresh + read_names + "local b,e,r=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local l=a+ARGV[4]*1000 local q,d,j,J,v=math.huge,0,nil,'',{}for i,K in ipairs(KEYS)do local B=C[i]\n" + record + ending + "local c=m[b]if not c or f~=e then j=j or O(b,e)J=J..i..' 'if U then x(redis.pcall)end else if l>c then c=l m[b],g=c,math.max(g,c)table.insert(v,x)end q=math.min(q,c)d=math.max(d,select(2,L()))end end if j then return{'lost',a,j,J}end for C,x in ipairs(v)do x()end return{'extended',a,q-a,d}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["794bd5c2017562b4a03b2e2e8db8ace290a8b34a", "6031cd6b6b832d8fb208e1cedef03133da104652"];
