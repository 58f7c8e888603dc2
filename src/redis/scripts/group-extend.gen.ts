// Generated from lua/group-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, read_names, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const groupExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], GroupExtendReply> = {
  lua: clock + fresh + read_names + "local b,e,t=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local n=a+ARGV[4]*1000 local p,d,j,z,u=math.huge,0,nil,'',{}for i,O in ipairs(KEYS)do local H=w[i]\n" + record + ending + "local c=m[b]if not c or f~=e then j=j or P(b,e)z=z..i..' 'if U then y(redis.pcall)end else if n>c then c=n m[b],g=c,math.max(g,c)table.insert(u,y)end p=math.min(p,c)d=math.max(d,select(2,L()))end end if j then return{'lost',a,j,z}end for E,y in ipairs(u)do y()end return{'extended',a,p-a,d}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["5d1feb226405aaba63b15761c287e42010a610b0", "8ccacc2c33ab8f38a5ced3cde18f4866a42a4ef1"];
