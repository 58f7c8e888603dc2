// Generated from lua/crowd-extend.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, ending, fresh, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type CrowdExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string; readonly names: string }
  | { readonly status: "late"; readonly now: number };

export const crowdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], CrowdExtendReply> = {
  lua: clock + "\n" + fresh + "\n" + one + "\n" + record + "\n" + ending + "\n" + crowd + "\nlocal b,e=ARGV[2],tonumber(ARGV[3])local B,v=b:sub(1,36),a+ARGV[4]*1000 local c,g,W=h[B],0,{}if c then g=select(2,S())if d~=e then c=nil end if c and v>c then h[B]=v end elseif d>=e then local A=aF(b)for o,aq in ipairs(redis.call('ZMSCORE',t,unpack(A)))do local Z=tonumber(aq or 0)if Z>a then c,g=math.min(c or Z,Z),g+1 table.insert(W,string.format('%.0f',math.max(Z,v)))table.insert(W,A[o])elseif aq and not m(B)then r(B,'e')end end end if not c then return{'lost',a,P(B,k=='semaphore'and math.huge or e),''}end if v>c then c,f=v,math.max(f,v)if#W>0 then redis.call('ZADD',t,unpack(W))end af(ARGV[5])p(ARGV[5])end return{'extended',a,c-a,g}",
  sha: ["f841821265b3e3915f12516c76207dca5b15db1f", "d785d67c365e28e8aa15c117d111202351a7faac"],
  replies: ["extended remaining# holds#", "lost reason names", "late"],
  fresh: true,
};
