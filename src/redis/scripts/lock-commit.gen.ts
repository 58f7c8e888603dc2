// Generated from lua/lock-commit.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCommitReply =
  | { readonly status: "committed"; readonly now: number; readonly remaining: number }
  | { readonly status: "behind"; readonly now: number; readonly token: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "late"; readonly now: number };

export const lockCommit: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCommitReply> = {
  lua: "local b=tonumber(ARGV[4])\n" + clock + fresh + one + record + "local n,o=f[ARGV[2]],tonumber(ARGV[3])if not n or o>e+86400e6 then return{'lost',e}end if l>o then return{'behind',e,l}end if l<o then l=o j()end return{'committed',e,n-e}",
  replies: "committed remaining|behind token|lost|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["6c1c3614e44b91b64e26e3b55ac5e9cb8f4b3d00", "aa4b03bf0deb86d1a3ef38ad4a6f9a5ba841ea5f"];
