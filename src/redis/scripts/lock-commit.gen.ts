// Generated from lua/lock-commit.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCommitReply =
  | { readonly status: "committed"; readonly now: number; readonly remaining: number }
  | { readonly status: "behind"; readonly now: number; readonly token: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "late"; readonly now: number };

export const lockCommit: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCommitReply> = {
  lua: "local q=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + "local c,d=l[ARGV[2]],tonumber(ARGV[3])if not c or d>a+86400000000 then return{'lost',a}end if e>d then return{'behind',a,e}end if e<d then e=d w()end return{'committed',a,c-a}",
  replies: {
    committed: { remaining: "integer" },
    behind: { token: "integer" },
    lost: {},
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["dd63cb23b4dbd7e2c1abea9eacfe5fef3609d558", "c29af1b2ca3ca326e47c30cae4c32d8ed72154df"];
