// Generated from lua/group-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, read_names, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const groupExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], GroupExtendReply> = {
  lua: clock + fresh + read_names + "local b,e,r=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local n=a+ARGV[4]*1000 local m,d,l,C,q=math.huge,0,nil,'',{}for i,K in ipairs(KEYS)do local B=v[i]\n" + record + ending + "local c=k[b]if not c or f~=e then l=l or O(b,e)C=C..i..' 'if U then x(redis.pcall)end else if n>c then c=n k[b],g=c,math.max(g,c)table.insert(q,x)end m=math.min(m,c)d=math.max(d,select(2,L()))end end if l then return{'lost',a,l,C}end for D,x in ipairs(q)do x()end return{'extended',a,m-a,d}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["27cf07d50fdd09d5006365a53cb8843eef727ce1", "bca76173a403dd69c14efa9b78b9115492c1fbb2"];
