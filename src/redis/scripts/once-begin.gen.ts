// Generated from lua/once-begin.lua by tools/build-lua.ts; do not edit.
import { clock, fresh, once, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type OnceBeginReply =
  | { readonly status: "granted"; readonly now: number; readonly token: number; readonly remaining: number; readonly attempt: number }
  | { readonly status: "running"; readonly now: number; readonly remaining: number }
  | { readonly status: "done"; readonly now: number; readonly token: number; readonly result: string }
  | { readonly status: "exhausted"; readonly now: number; readonly attempts: number }
  | { readonly status: "mismatch"; readonly now: number }
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const onceBegin: Script<readonly [id: string | number, lease: string | number, ttl: string | number, retention: string | number, maxAttempts: string | number, fingerprint: string | number], OnceBeginReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + once + "\nlocal b,i,ak=ARGV[2],tonumber(ARGV[6]),ARGV[7]if J('once')then return{'kind',a,k}end if m(b)then return{'closed',a}end if R==''then R=ak elseif ak~=''and ak~=R then return{'mismatch',a}end if O~=''then return{'done',a,d,'='..Y}end local am,c=next(h)if not am then if i>0 and l>=i then return{'exhausted',a,l}end l=l+1 c=a+ARGV[3]*1000 h[b],d=c,math.max(d+1,a)f=math.max(a+ARGV[4]*1000,c)N()p(ARGV[5])elseif am~=b then return{'running',a,c-a}end return{'granted',a,d,c-a,l}",
  sha: ["45c78abd9a72cd8cb10555030da6e23adb533e69", "fe8d8a750e0d39954bc82b00cbfa41f236aab623"],
  replies: ["granted token# remaining# attempt#", "running remaining#", "done token# result", "exhausted attempts#", "mismatch", "closed", "kind kind", "late"],
  fresh: true,
};
