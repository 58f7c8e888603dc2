// Generated from lua/fair-supersede.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, ending, fair_body, fresh, lock, read_name, record, superseded } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FairSupersedeReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly ended: number }
  | { readonly status: "superseded"; readonly now: number; readonly reason: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const fairSupersede: Script<readonly [id: string | number, lease: string | number, retention: string | number, after: string | number], FairSupersedeReply> = {
  lua: "local w=tonumber(ARGV[4])\n" + clock + fresh + read_name + record + close_all + ending + "local m='fair'\n" + lock + fair_body + superseded + "local b,G=ARGV[2]:sub(1,36),1 if E(m)then return{'kind',a,j}end local c=d(b,ARGV[5])if c then if T then s(redis.pcall)end return{'superseded',a,c}end if not l[b]then G=next(l)and 1 or 0 n('F')g,J,W=math.max(g+1,a),'',ARGV[2]:sub(36+2)l[b]=a+ARGV[3]*1000 h=math.max(l[b],p)ak()s()end return{'granted',a,g,l[b]-a,1,G}",
  replies: {
    granted: { token: "integer", remaining: "integer", holds: "integer", ended: "integer" },
    superseded: { reason: "text" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["fa0949c0f0b4f06cfe45c5d8977cee233bec7646", "1f94e878f060b7505b2406cfdd72138348bff655"];
