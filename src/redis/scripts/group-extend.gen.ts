// Generated from lua/group-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, read_names, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const groupExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], GroupExtendReply> = {
  lua: clock + fresh + read_names + "local b,e,q=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local n=a+ARGV[4]*1000 local p,d,j,B,v=math.huge,0,nil,'',{}for i,L in ipairs(KEYS)do local A=I[i]\n" + record + ending + "local c=l[b]if not c or f~=e then j=j or P(b,e)B=B..i..' 'if U then x(redis.pcall)end else if n>c then c=n l[b],g=c,math.max(g,c)table.insert(v,x)end p=math.min(p,c)d=math.max(d,select(2,M()))end end if j then return{'lost',a,j,B}end for E,x in ipairs(v)do x()end return{'extended',a,p-a,d}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["ca2587069a43e7f4a2693b9010eaf84f1ab72ef6", "bd027e98891c687e7cb6a5e1a30caccff265defc"];
