// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: "local b,f,w=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + "local c=l[b]if not c or g~=f then if T then s(redis.pcall)end return{'lost',a,U(b,f)}end local p=a+ARGV[4]*1000 if p>c then c=p l[b],h=c,math.max(h,c)s()end return{'extended',a,c-a,select(2,R())}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["c444f71722600957fa9df673452b14d50836cbb3", "218069f93318a6683bab08823e964c9c43d27f7e"];
