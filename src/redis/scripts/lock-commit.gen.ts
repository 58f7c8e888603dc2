// Generated from lua/lock-commit.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCommitReply =
  | { readonly status: "committed"; readonly now: number; readonly remaining: number }
  | { readonly status: "behind"; readonly now: number; readonly token: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "late"; readonly now: number };

export const lockCommit: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCommitReply> = {
  lua: "local v=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + "local c,f=l[ARGV[2]],tonumber(ARGV[3])if not c or f>a+86400000000 then if T then s(redis.pcall)end return{'lost',a}end if g>f then return{'behind',a,g}end if g<f then g=f s()end return{'committed',a,c-a}",
  replies: {
    committed: { remaining: "integer" },
    behind: { token: "integer" },
    lost: {},
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["9200df75dec5be070720e7446c62f396ec607d2a", "f02738b6aec2e5667b786804801c4696fef71687"];
