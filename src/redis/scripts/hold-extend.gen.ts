// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: "local b,g,s=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])\n" + clock + fresh + read_name + record + ending + "local c=m[b]if not c or f~=g then if Q then w(redis.pcall)end return{'lost',a,R(b,g)}end local n=a+ARGV[4]*1000 if n>c then c=n m[b],e=c,math.max(e,c)w()end return{'extended',a,c-a,select(2,N())}",
  replies: {
    extended: { remaining: "integer", holds: "integer" },
    lost: { reason: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["c61623bb18569bf5b7bedaea35231e75150b1db8", "40b63453c35691cd1426b0cf4074fc1c3a9d1827"];
