// Generated from lua/lock-commit.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCommitReply =
  | { readonly status: "committed"; readonly now: number; readonly remaining: number }
  | { readonly status: "behind"; readonly now: number; readonly token: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "late"; readonly now: number };

export const lockCommit: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCommitReply> = {
  lua: "local r=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + "local c,e=m[ARGV[2]],tonumber(ARGV[3])if not c or e>a+86400000000 then return{'lost',a}end if f>e then return{'behind',a,f}end if f<e then f=e x()end return{'committed',a,c-a}",
  replies: {
    committed: { remaining: "integer" },
    behind: { token: "integer" },
    lost: {},
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["0a783cae962bbeedb707be84b4e3e6cc0069950f", "1abd1ce6ebda08866657772fab74b0782ac53540"];
