// Generated from lua/lock-commit.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCommitReply =
  | { readonly status: "committed"; readonly now: number; readonly remaining: number }
  | { readonly status: "behind"; readonly now: number; readonly token: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "late"; readonly now: number };

export const lockCommit: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCommitReply> = {
  lua: "local w=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + "local c,f=l[ARGV[2]],tonumber(ARGV[3])if not c or f>a+86400000000 then if T then s(redis.pcall)end return{'lost',a}end if g>f then return{'behind',a,g}end if g<f then g=f s()end return{'committed',a,c-a}",
  replies: {
    committed: { remaining: "integer" },
    behind: { token: "integer" },
    lost: {},
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["ead6cff977c7a87962e5010aca95cd6de71fe356", "7a0a0f58206f9f5cc092b9273ed153a0cb4ec0d6"];
