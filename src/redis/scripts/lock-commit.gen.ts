// Generated from lua/lock-commit.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCommitReply =
  | { readonly status: "committed"; readonly now: number; readonly remaining: number }
  | { readonly status: "behind"; readonly now: number; readonly token: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "late"; readonly now: number };

export const lockCommit: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCommitReply> = {
  lua: "local w=tonumber(ARGV[4])\n" + clock + fresh + one + record + "local c,g=o[ARGV[2]],tonumber(ARGV[3])if not c or g>a+86400e6 then return{'lost',a}end if h>g then return{'behind',a,h}end if h<g then h=g D()end return{'committed',a,c-a}",
  replies: "committed remaining#|behind token#|lost|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["1fc90e780baadfc24c179b3e405c6f8018c8e750", "6c8651be7aa90a09d610e45917069dd64592a4e4"];
