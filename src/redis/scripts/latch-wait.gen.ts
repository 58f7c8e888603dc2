// Generated from lua/latch-wait.lua by tools/build-lua.ts; do not edit.
import { clock, failed, fresh, latch, listen, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchWaitReply =
  | { readonly status: "counting"; readonly now: number; readonly generation: number; readonly remaining: number; readonly listed: number }
  | { readonly status: "open"; readonly now: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchWait: Script<readonly [id: string | number, generation: string | number, retention: string | number, listens: string | number], LatchWaitReply> = {
  lua: "local w=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + latch + listen + failed + "local p=tonumber(ARGV[3])if E('latch')then return{'kind',a,j}end if not f then if p>0 then return{'lost',a}end return{'counting',a,0,0,0}end if p>0 and e>p then return{'lost',a}end if A==0 or p>0 and g>p then return{'open',a}end local v,q=ae(ARGV[2],ARGV[5],'w')if q and B(s(redis.pcall))then v=0 end return{'counting',a,g,h-a,v}",
  replies: {
    counting: { generation: "integer", remaining: "integer", listed: "integer" },
    open: {},
    lost: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["a0358bbbd7f9e63d3a30557885ef7a4c07831dd5", "ec56f2ee6800e250355394d362d58344cf6fcdbb"];
