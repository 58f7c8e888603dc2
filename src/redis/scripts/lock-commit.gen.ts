// Generated from lua/lock-commit.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCommitReply =
  | { readonly status: "committed"; readonly now: number; readonly remaining: number }
  | { readonly status: "behind"; readonly now: number; readonly token: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "late"; readonly now: number };

export const lockCommit: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCommitReply> = {
  lua: "local w=tonumber(ARGV[4])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\nlocal c,g=o[ARGV[2]],tonumber(ARGV[3])if not c or g>a+86400e6 then return{'lost',a}end if h>g then return{'behind',a,h}end if h<g then h=g z()end return{'committed',a,c-a}",
  replies: ["committed remaining#", "behind token#", "lost", "late"],
  fresh: true,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["37c39098a9355fba25397c4d9b39965db3fbe6fa", "8ac41846af85baa5a498a94a15e135a124d2b71f"];
