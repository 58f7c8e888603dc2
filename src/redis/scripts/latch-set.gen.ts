// Generated from lua/latch-set.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, latch, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchSetReply =
  | { readonly status: "set"; readonly now: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchSet: Script<readonly [id: string | number, count: string | number, ttl: string | number, retention: string | number], LatchSetReply> = {
  lua: "local s=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + latch + "local b,p=ARGV[2],v(ARGV[2])if A('latch')then return{'kind',a,h}end if p=='N'then return{'refused',a}end if p or m[b]then return{'set',a}end if z>0 then J(b,'N')w()return{'refused',a}end local i=redis.call('ZCARD',KEYS[2])Y('S')f=math.max(f+1,a)e=math.max(e,a+ARGV[4]*1000)z,d,m[b]=ARGV[3],ARGV[3],e if not g then c=f end G()w()if i>0 then local a=redis.pcall('UNLINK',KEYS[2])if type(a)=='table'then redis.call('SET',K,y,'KEEPTTL')return a end end return{'set',a}",
  replies: {
    set: {},
    refused: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["879b57f506016745e8af684ea602f7c7ae708296", "6897415ba7dea3911436203f3e5726b34d6df121"];
