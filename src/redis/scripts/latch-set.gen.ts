// Generated from lua/latch-set.lua by tools/build-lua.ts; do not edit.
import { clock, close_all, fresh, latch, read_name, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LatchSetReply =
  | { readonly status: "set"; readonly now: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const latchSet: Script<readonly [id: string | number, count: string | number, ttl: string | number, retention: string | number], LatchSetReply> = {
  lua: "local t=tonumber(ARGV[5])\n" + clock + fresh + read_name + record + latch + close_all + "local b,p=ARGV[2],w(ARGV[2])if B('latch')then return{'kind',a,j}end if p=='N'then return{'refused',a}end if p or l[b]then return{'set',a}end if z>0 then O(b,'N')x()return{'refused',a}end local d=redis.call('ZCARD',KEYS[2])k('S')h=math.max(h+1,a)g=math.max(g,a+ARGV[4]*1000)z,c,l[b]=ARGV[3],ARGV[3],g if not f then e=h end C()x()if d>0 then local a=redis.pcall('UNLINK',KEYS[2])if type(a)=='table'then redis.call('SET',K,u,'KEEPTTL')return a end end return{'set',a}",
  replies: {
    set: {},
    refused: {},
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["2422ead6bff294a4f155210beb50c1725610b155", "fae10dda83e2d164ee4f6aea037ac0b2159127e7"];
