// Generated from lua/lock-commit.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCommitReply =
  | { readonly status: "committed"; readonly now: number; readonly remaining: number }
  | { readonly status: "behind"; readonly now: number; readonly token: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "late"; readonly now: number };

export const lockCommit: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCommitReply> = {
  lua: "local y=tonumber(ARGV[4])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\nlocal c,g=o[ARGV[2]],tonumber(ARGV[3])if not c or g>a+86400e6 then return{'lost',a}end if h>g then return{'behind',a,h}end if h<g then h=g z()end return{'committed',a,c-a}",
  sha: ["0c85567c7a46010e59f33a1742055220cdbcd7b7", "381af6ed5693a1807aecdd7c6f8829ffc28ba226"],
  replies: ["committed remaining#", "behind token#", "lost", "late"],
  fresh: true,
};
