// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: "local b,f,v=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + "local c=l[b]if not c or h~=f then if S then s(redis.pcall)end return{'lost',a,T(b,f)}end local q=a+ARGV[4]*1000 if q>c then c=q l[b],g=c,math.max(g,c)s()end return{'extended',a,c-a,select(2,R())}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["f26f120657c42745f46b79f38483179c8fc1760a", "6db0d072c9d412e93ef0d762113fb053842c3ab2"];
