// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local y=tonumber(ARGV[5])\n" + clock + fresh + one + record + ending + once + "local b,g=ARGV[2],tonumber(ARGV[3])if J~=b then local x=F(b)if ac==0 or h~=g or x and x~='E'then return{'lost',a,av(b,g)}end if o[b]then U(b,'R',0)end J,bn=b,ARGV[6]i=a+ARGV[4]*1000 H()B()end return{'completed',a}",
  replies: "completed|lost reason|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["f53798b364ac9d407faadeb7cbe1dfa93411ceb8", "16b03b87a88e0e9aa31dffd2fac8662d06ebd163"];
