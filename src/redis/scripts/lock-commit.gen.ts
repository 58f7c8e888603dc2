// Generated from lua/lock-commit.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCommitReply =
  | { readonly status: "committed"; readonly now: number; readonly remaining: number }
  | { readonly status: "behind"; readonly now: number; readonly token: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "late"; readonly now: number };

export const lockCommit: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCommitReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\nlocal c,f=o[ARGV[2]],tonumber(ARGV[3])if not c or f>a+86400e6 then return{'lost',a}end if g>f then return{'behind',a,g}end if g<f then g=f x(ARGV[4])end return{'committed',a,c-a}",
  sha: ["257e4c81c68f90ee3f4ccb49c7261b4c6f467a8b", "c53188c483f6367a315af15d7c6a4b7cb51eedd4"],
  replies: ["committed remaining#", "behind token#", "lost", "late"],
  fresh: true,
};
