// Generated from lua/group-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, read_names, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const groupExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], GroupExtendReply> = {
  lua: clock + fresh + read_names + "local b,h,t=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local o=a+ARGV[4]*1000 local r,e,d,k,C=math.huge,0,nil,'',{}for j,J in ipairs(KEYS)do local q=y[j]\n" + record + ending + "local c=n[b]if not c or g~=h then d=d or R(b,h)k=k..j..' 'if Q then x(redis.pcall)end else if o>c then c=o n[b],f=c,math.max(f,c)table.insert(C,x)end r=math.min(r,c)e=math.max(e,select(2,N()))end end if d then return{'lost',a,d,k}end for E,x in ipairs(C)do x()end return{'extended',a,r-a,e}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["a4b6997f363461d3e35a3c44320f2b259c4512a0", "ceea56938bfc4e9a37a3091298a4ba10eb012af2"];
