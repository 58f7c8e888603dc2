// Generated from lua/latch-wait.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, latch, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchWaitReply =
  | { readonly status: "counting"; readonly now: number; readonly generation: number; readonly remaining: number }
  | { readonly status: "open"; readonly now: number }
  | { readonly status: "lost"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchWait: Script<readonly [id: string | number, generation: string | number], LatchWaitReply> = {
  lua: "local s=0\n" + clock + fresh + read_name + record + latch + "local d=tonumber(ARGV[3])if B('latch')then return{'kind',a,i}end if not g then if d>0 then return{'lost',a}end return{'counting',a,0,0}end if d>0 and c>d then return{'lost',a}end if A==0 or d>0 and h>d then return{'open',a}end return{'counting',a,h,f-a}",
  replies: {
    counting: { generation: "integer", remaining: "integer" },
    open: {},
    lost: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["61263e29e67885d69fe676be1542e7f37699e110", "82bb2c2f419c38f3ca43eaeeb2c38d9dd0d087c3"];
