// Generated from lua/lock-commit.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCommitReply =
  | { readonly status: "committed"; readonly now: number; readonly remaining: number }
  | { readonly status: "behind"; readonly now: number; readonly token: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "late"; readonly now: number };

export const lockCommit: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCommitReply> = {
  lua: "local q=tonumber(ARGV[4])\n" + clock + fresh + one + record + "local c,e=l[ARGV[2]],tonumber(ARGV[3])if not c or e>a+86400e6 then return{'lost',a}end if f>e then return{'behind',a,f}end if f<e then f=e x()end return{'committed',a,c-a}",
  replies: {
    committed: { remaining: "integer" },
    behind: { token: "integer" },
    lost: {},
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["ddf9c012ca3df71fcd6d800f46e84d67b2ce86e3", "3bb21b96bdb8138a9e295980c35e7a742fb07465"];
