// Generated from lua/lock-commit.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCommitReply =
  | { readonly status: "committed"; readonly now: number; readonly remaining: number }
  | { readonly status: "behind"; readonly now: number; readonly token: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "late"; readonly now: number };

export const lockCommit: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCommitReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\nlocal c,d=o[ARGV[2]],tonumber(ARGV[3])if not c or d>a+86400e6 then return{'lost',a}end if h>d then return{'behind',a,h}end if h<d then h=d y(ARGV[4])end return{'committed',a,c-a}",
  sha: ["6d8b53a89e0f5288165ce9ce85f41d7b83e21f16", "4f61031800326261cef2d1874c4a907afb09b480"],
  replies: ["committed remaining#", "behind token#", "lost", "late"],
  fresh: true,
};
