// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { clock, ending, lock, record, records, vacate } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCloseReply> = {
  lua: clock + "\n" + records + "\nlocal b,e=ARGV[1],tonumber(ARGV[2])local n=e==0 local w,G=nil,''for o,u in ipairs(KEYS)do local C=al[o]\n" + record + "\n" + ending + "\n" + vacate + "\n" + lock + "\nlocal s=h[b]local z=m(b)local ae=J('lock')if not z and(n or s and d==e)and f<math.huge then r(b,n and'c'or'r')z='r'if not n and not next(h)then local as=a-e y=math.max(y==0 and as or y+(as-y)/8,0)end end if T and(n or not ae)then if not ae then f=math.min(f,math.max(S(),a))N()end local Q=aa(ARGV[3],ae or n and not s)if Q then return Q end end if f==math.huge or not n and z~='r'then w=w or P(b,e)G=G..o..' 'end end if w then return{'lost',a,w,G}end return{'closed',a}",
  sha: ["c655491cfef6f5be5390ec028f660753d7c0f371", "a3cffed1612a9cfdfdbad0a6b4aaa7135e20c95b"],
  replies: ["closed", "lost reason names"],
  fresh: false,
};
