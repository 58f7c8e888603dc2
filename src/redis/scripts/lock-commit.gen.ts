// Generated from lua/lock-commit.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCommitReply =
  | { readonly status: "committed"; readonly now: number; readonly remaining: number }
  | { readonly status: "behind"; readonly now: number; readonly token: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "late"; readonly now: number };

export const lockCommit: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCommitReply> = {
  lua: "local E=tonumber(ARGV[4])\n" + clock + fresh + one + record + "local t,o=f[ARGV[2]],tonumber(ARGV[3])if not t or o>e+86400e6 then return{'lost',e}end if r>o then return{'behind',e,r}end if r<o then r=o X()end return{'committed',e,t-e}",
  replies: "committed remaining|behind token|lost|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["0324f655de4f29c03a70d68a7cb6464fdabafb79", "1995a373c697ddc50265bf18caf4a1f30262c6c8"];
