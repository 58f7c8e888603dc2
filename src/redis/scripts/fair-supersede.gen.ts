// Generated from lua/fair-supersede.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, ending, fair, fresh, lock, read_name, record, superseded } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairSupersedeReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly ended: number }
  | { readonly status: "superseded"; readonly now: number; readonly reason: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const fairSupersede: Script<readonly [id: string | number, lease: string | number, retention: string | number, after: string | number], FairSupersedeReply> = {
  lua: "local s=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + close_all + ending + "local m='fair'\n" + lock + fair + superseded + "local b,F=ARGV[2]:sub(1,36),1 if B(m)then return{'kind',a,i}end local c=d(b,ARGV[5])if c then if S then y(redis.pcall)end return{'superseded',a,c}end if not n[b]then F=next(n)and 1 or 0 l('F')h,R,U=math.max(h+1,a),'',ARGV[2]:sub(36+2)n[b]=a+ARGV[3]*1000 f=math.max(n[b],o)E()y()end return{'granted',a,h,n[b]-a,1,F}",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer", ended: "integer" },
    superseded: { reason: "text" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["011263b4e9cb4e76dcb7fc019f4e2f3823722dad", "2b4300dc6b7cc8640070b6ddefbd1c9922f1256f"];
