// Generated from lua/group-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, read_names, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type GroupExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const groupExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], GroupExtendReply> = {
  lua: clock + fresh + read_names + "local b,g,s=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local o=a+ARGV[4]*1000 local d,e,H,O,t=math.huge,0,nil,'',{}for j,M in ipairs(KEYS)do local u=W[j]\n" + record + ending + "local c=n[b]if not c or h~=g then H=H or T(b,g)O=O..j..' 'if S then y(redis.pcall)end else if o>c then c=o n[b],f=c,math.max(f,c)table.insert(t,y)end d=math.min(d,c)e=math.max(e,select(2,Q()))end end if H then return{'lost',a,H,O}end for H,y in ipairs(t)do y()end return{'extended',a,d-a,e}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text", names: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["309c90a25c5fca6704e35da511af8d3b7a523784", "0522cfe02a09b032045befb840c6f29e84b5c0a3"];
