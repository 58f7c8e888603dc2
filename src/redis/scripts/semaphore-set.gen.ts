// Generated from lua/semaphore-set.lua by tools/build-lua.ts; do not edit.
import { clock, crowd, fresh, one, record, semaphore } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type SemaphoreSetReply =
  | { readonly status: "done"; readonly now: number; readonly count: number }
  | { readonly status: "refused"; readonly now: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const semaphoreSet: Script<readonly [id: string | number, kind: string | number, change: string | number, count: string | number, permits: string | number, ttl: string | number, retention: string | number], SemaphoreSetReply> = {
  lua: "local E=tonumber(ARGV[8])\n" + clock + fresh + one + record + crowd + semaphore + "local i,u,t=ARGV[2],ARGV[3],ARGV[4]if T(u)then return{'kind',e,m}end local g=redis.call('ZMSCORE',d,'t'..i,'n'..i)local k,S=w(g[1])local o=(g[2]or 0)/2^60 if not S then local a,s,h=G or tonumber(ARGV[6]),tonumber(ARGV[5]),G S=1 if t=='try'and G or t=='give'and not a then S=2 elseif t=='drain'then o=math.max((a or 0)-eo(),0)if o>0 then G=a-o end elseif t=='add'or t=='give'then G=math.max(math.min((a or 0)+s,2^53-1),1-2^53)else G=s end if G then l=math.max(l,e+ARGV[7]*1000)end if u=='counter'and G and(not h or t=='set')then H=e end if u=='counter'then r=math.max(r+1,e)end if m==u or m=='none'then redis.call('ZREM',d,'t'..i,unpack(ei()))else redis.call('UNLINK',d)end local f={V(S),'t'..i}if o>0 then f[3],f[4]=string.format('%.0f',o*2^60),'n'..i end redis.call('ZADD',d,unpack(f))K(u)Z()X()end if S==2 then return{'refused',e}end return{'done',e,o}",
  replies: "done count|refused|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["d3bc3e56e3e6e602eb6bb6695cf0ed6c65edb8ab", "0d8445214a129e05f108d03cda0f592196bfcbdc"];
