// Generated from lua/lock-commit.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCommitReply =
  | { readonly status: "committed"; readonly now: number; readonly remaining: number }
  | { readonly status: "behind"; readonly now: number; readonly token: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "late"; readonly now: number };

export const lockCommit: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCommitReply> = {
  lua: "local t=tonumber(ARGV[4])\n" + clock + fresh + one + record + "local c,e=l[ARGV[2]],tonumber(ARGV[3])if not c or e>a+86400e6 then return{'lost',a}end if f>e then return{'behind',a,f}end if f<e then f=e x()end return{'committed',a,c-a}",
  replies: {
    committed: { remaining: "integer" },
    behind: { token: "integer" },
    lost: {},
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["0444add0edbdb7c4caa46ae7ad47c0fdd9753d89", "8b517ceba9dad22bbfe1dcaf53b5b4a83e6fb71c"];
