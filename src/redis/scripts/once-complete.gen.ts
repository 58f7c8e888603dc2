// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local v=tonumber(ARGV[5])\n" + clock + fresh + one + record + ending + once + "local b,g=ARGV[2],tonumber(ARGV[3])if J~=b then local z=G(b)if ac==0 or h~=g or z and z~='E'then return{'lost',a,aw(b,g)}end if o[b]then V(b,'R',0)end J,bp=b,ARGV[6]i=a+ARGV[4]*1000 H()C()end return{'completed',a}",
  replies: "completed|lost reason|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["5b23bd90c34f1fb064920bf3d132042b642566a1", "b8d414f0b4cce312439c33d4c8d2494f656f26d1"];
