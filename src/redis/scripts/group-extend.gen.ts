// Generated from lua/group-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, read_names, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const groupExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], GroupExtendReply> = {
  lua: clock + fresh + read_names + "local b,e,r=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local n=a+ARGV[4]*1000 local k,d,j,C,p=math.huge,0,nil,'',{}for i,L in ipairs(KEYS)do local A=w[i]\n" + record + ending + "local c=m[b]if not c or f~=e then j=j or P(b,e)C=C..i..' 'if U then y(redis.pcall)end else if n>c then c=n m[b],g=c,math.max(g,c)table.insert(p,y)end k=math.min(k,c)d=math.max(d,select(2,M()))end end if j then return{'lost',a,j,C}end for F,y in ipairs(p)do y()end return{'extended',a,k-a,d}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["0bf574c8a42be1a349ce6b8d7c4d0bc5cbfd70c3", "d1a0b14703eff188d78753a17bc51b1c56d21088"];
