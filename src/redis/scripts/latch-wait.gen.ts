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
  lua: "local v=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + latch + listen + failed + "local p=tonumber(ARGV[3])if E('latch')then return{'kind',a,j}end if not f then if p>0 then return{'lost',a}end return{'counting',a,0,0,0}end if p>0 and e>p then return{'lost',a}end if A==0 or p>0 and g>p then return{'open',a}end local z,q=ae(ARGV[2],ARGV[5],'w')if q and B(s(redis.pcall))then z=0 end return{'counting',a,g,h-a,z}",
  replies: {
    counting: { generation: "integer", remaining: "integer", listed: "integer" },
    open: {},
    lost: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["3b0ec0492d0899fcb6cf4c0889dc277c104e9291", "0eb277c6fb1c1d07c818ab9f5d48ff7eb0eb067b"];
