// Generated from lua/group-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, read_names, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const groupExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], GroupExtendReply> = {
  lua: clock + fresh + read_names + "local b,d,q=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local n=a+ARGV[4]*1000 local p,e,j,E,u=math.huge,0,nil,'',{}for i,K in ipairs(KEYS)do local z=J[i]\n" + record + ending + "local c=l[b]if not c or f~=d then j=j or O(b,d)E=E..i..' 'if T then w(redis.pcall)end else if n>c then c=n l[b],g=c,math.max(g,c)table.insert(u,w)end p=math.min(p,c)e=math.max(e,select(2,L()))end end if j then return{'lost',a,j,E}end for E,w in ipairs(u)do w()end return{'extended',a,p-a,e}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["472dd738b58b29fc83c87a0e652399ab9bfb0bc4", "1368a9a42dae135af563e5dabe976389daf23f51"];
