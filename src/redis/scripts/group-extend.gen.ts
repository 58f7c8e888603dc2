// Generated from lua/group-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, read_names, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const groupExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], GroupExtendReply> = {
  lua: clock + fresh + read_names + "local b,d,q=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local n=a+ARGV[4]*1000 local p,f,j,H,u=math.huge,0,nil,'',{}for i,K in ipairs(KEYS)do local A=J[i]\n" + record + ending + "local c=l[b]if not c or e~=d then j=j or O(b,d)H=H..i..' 'if T then w(redis.pcall)end else if n>c then c=n l[b],g=c,math.max(g,c)table.insert(u,w)end p=math.min(p,c)f=math.max(f,select(2,L()))end end if j then return{'lost',a,j,H}end for E,w in ipairs(u)do w()end return{'extended',a,p-a,f}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["795201a6f414436185afe4130977458221395211", "3c0a591f4a3e1eb79358cce00d60b7473858695b"];
