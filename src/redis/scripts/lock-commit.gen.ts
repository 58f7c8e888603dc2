// Generated from lua/lock-commit.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCommitReply =
  | { readonly status: "committed"; readonly now: number; readonly remaining: number }
  | { readonly status: "behind"; readonly now: number; readonly token: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "late"; readonly now: number };

export const lockCommit: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCommitReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\nlocal d,e=o[ARGV[2]],tonumber(ARGV[3])if not d or e>a+86400e6 then return{'lost',a}end if h>e then return{'behind',a,h}end if h<e then h=e y(ARGV[4])end return{'committed',a,d-a}",
  sha: ["d3e78132cf2d395672d567a4fed7a974941bc5ac", "cd083e10d5483187dabb1780197d5fe3721b953a"],
  replies: ["committed remaining#", "behind token#", "lost", "late"],
  fresh: true,
};
