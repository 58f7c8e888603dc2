// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: "local E=tonumber(ARGV[8])\n" + clock + fresh + one + record + crowd + semaphore + "local i,u,o=ARGV[2],ARGV[3],ARGV[4]if S(u)then return{'kind',e,m}end local g=redis.call('ZMSCORE',d,'t'..i,'n'..i)local k,n=w(g[1])local t=(g[2]or 0)/2^60 if not n then local a,s,y=G or tonumber(ARGV[6]),tonumber(ARGV[5]),G n=1 local A=o=='give'if A and not G then n=2 elseif A and u=='counter'and ARGV[6]~=''and s>h then n=2 elseif o=='try'and G then n=2 elseif o=='drain'then t=math.max((a or 0)-eo(),0)if t>0 then G=a-t end elseif o=='add'or A then G=math.max(math.min((a or 0)+s,2^53-1),1-2^53)else G=s end if G then l=math.max(l,e+ARGV[7]*1000)end if u=='counter'and G and(not y or o=='set')then H,h=e,0 end if u=='counter'and A and n==1 then h=math.max(h-s,0)end if u=='counter'then r=math.max(r+1,e)end if m==u or m=='none'then redis.call('ZREM',d,'t'..i,unpack(ei()))else redis.call('UNLINK',d)end local f={V(n),'t'..i}if t>0 then f[3],f[4]=string.format('%.0f',t*2^60),'n'..i end redis.call('ZADD',d,unpack(f))K(u)Z()X()end if n==2 then return{'refused',e}end return{'done',e,t}",
  replies: "done count|refused|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["5f0bd186b5c04f803765539a0e6e35c879aa62c3", "e0cf1456f9bff0cf12649b2db11fcc2064c25808"];
