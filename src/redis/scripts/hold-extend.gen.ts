// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: "local b,g,s=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + "local c=n[b]if not c or h~=g then if S then y(redis.pcall)end return{'lost',a,T(b,g)}end local o=a+ARGV[4]*1000 if o>c then c=o n[b],f=c,math.max(f,c)y()end return{'extended',a,c-a,select(2,Q())}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["aa0410db89138c34d5fc25356e472bf6bfeb56fa", "1a0c563199f4df735453588b0faa833ff3b3da31"];
