// Generated from lua/fair-supersede.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, ending, fair, fresh, lock, read_name, record, superseded } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairSupersedeReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly ended: number }
  | { readonly status: "superseded"; readonly now: number; readonly reason: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const fairSupersede: Script<readonly [id: string | number, lease: string | number, retention: string | number, after: string | number], FairSupersedeReply> = {
  lua: "local v=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + close_all + ending + "local m='fair'\n" + lock + fair + superseded + "local b,H=ARGV[2]:sub(1,36),1 if D(m)then return{'kind',a,i}end local c=d(b,ARGV[5])if c then if S then s(redis.pcall)end return{'superseded',a,c}end if not l[b]then H=next(l)and 1 or 0 k('F')h,M,U=math.max(h+1,a),'',ARGV[2]:sub(36+2)l[b]=a+ARGV[3]*1000 g=math.max(l[b],o)I()s()end return{'granted',a,h,l[b]-a,1,H}",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer", ended: "integer" },
    superseded: { reason: "text" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["9f9fbdaa623fb90e1bd550d411a5fc7e789eecc7", "f6d679bd16cd57292ac63752a67cd30d65067148"];
