// Generated from lua/lock-commit.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCommitReply =
  | { readonly status: "committed"; readonly now: number; readonly remaining: number }
  | { readonly status: "behind"; readonly now: number; readonly token: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "late"; readonly now: number };

export const lockCommit: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCommitReply> = {
  lua: "local k=tonumber(ARGV[4])\n" + clock + fresh + one + record + "local n,l=f[ARGV[2]],tonumber(ARGV[3])if not n or l>e+86400e6 then return{'lost',e}end if o>l then return{'behind',e,o}end if o<l then o=l v()end return{'committed',e,n-e}",
  replies: "committed remaining#|behind token#|lost|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["203e3505205d6aee5522b2b4c44606c1e6207535", "1def920a3c2f79627f11f367a38d042c42db4177"];
