// Generated from lua/lock-commit.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCommitReply =
  | { readonly status: "committed"; readonly now: number; readonly remaining: number }
  | { readonly status: "behind"; readonly now: number; readonly token: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "late"; readonly now: number };

export const lockCommit: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCommitReply> = {
  lua: "local s=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + "local c,g=n[ARGV[2]],tonumber(ARGV[3])if not c or g>a+86400000000 then if S then y(redis.pcall)end return{'lost',a}end if h>g then return{'behind',a,h}end if h<g then h=g y()end return{'committed',a,c-a}",
  replies: {
    committed: { remaining: "integer" },
    behind: { token: "integer" },
    lost: {},
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["feba68252cbc6d4c95fbaa3ad895170d52d5a9f2", "d03012a24c0654ec6e02b4792c84030aaa020c85"];
