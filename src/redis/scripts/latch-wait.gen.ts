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
  lua: "local v=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + latch + listen + failed + "local e=tonumber(ARGV[3])if D('latch')then return{'kind',a,i}end if not f then if e>0 then return{'lost',a}end return{'counting',a,0,0,0}end if e>0 and d>e then return{'lost',a}end if x==0 or e>0 and h>e then return{'open',a}end local u,H=ae(ARGV[2],ARGV[5],'w')if H and A(s(redis.pcall))then u=0 end return{'counting',a,h,g-a,u}",
  replies: {
    counting: { generation: "integer", remaining: "integer", listed: "integer" },
    open: {},
    lost: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["078f932d0431ae8a0e4f1dca311824e59bb64e9d", "f5ea6e064670acd7a07043ecb1bfdefae8c4ffcf"];
