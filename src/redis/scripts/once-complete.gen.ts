// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { clock, ending, fresh, once, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local y=tonumber(ARGV[5])\n" + clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + ending + "\n" + once + "\nlocal b,g=ARGV[2],tonumber(ARGV[3])if G~=b then local v=J(b)if ac==0 or h~=g or v and v~='E'then return{'lost',a,au(b,g)}end if o[b]then aa(b,'R',0)end G,bm=b,ARGV[6]j=a+ARGV[4]*1000 F()z()end return{'completed',a}",
  sha: ["e4e732f976fab6b0ccc3f4ea6e36f1d283cc8fbe", "9292449abfb768c1bb1fb529fae3afd1dd191f69"],
  replies: ["completed", "lost reason", "late"],
  fresh: true,
};
