// Generated from lua/fence-call.lua by tools/build-lua.ts; do not edit.
import { clock, fence, fresh, ran } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type FenceCallReply =
  | { readonly status: "called"; readonly now: number; readonly reply: string }
  | { readonly status: "failed"; readonly now: number; readonly why: string }
  | { readonly status: "stale"; readonly now: number; readonly seen: number }
  | { readonly status: "forgotten"; readonly now: number; readonly seen: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string }
  | { readonly status: "late"; readonly now: number };

export const fenceCall: Script<readonly [id: string | number, token: string | number, ttl: string | number, began: string | number, command: string | number, ...rest: (string | number)[]], FenceCallReply> = {
  lua: clock + "\n" + fresh + "\n" + fence + "\n" + ran + "\nlocal function bT(x)if type(x)=='number'then return string.format('%.0f',x)end if not x then return'null'end if type(x)=='table'and not x.ok then local bX={}for T,cI in ipairs(x)do table.insert(bX,bT(cI))end return'['..table.concat(bX,',')..']'end local cU=(type(x)=='table'and x.ok or x):gsub('[%z\\1-\\31\"\\\\]',function(cw)return string.format('\\\\u%04x',cw:byte())end)return'\"'..cU..'\"'end if not Z then local x=redis.pcall(ARGV[6],KEYS[2],unpack(ARGV,7))if type(x)=='table'and x.err then local cx=' '..(x.err:match('^%u+')or'')..' 'if not(' READONLY MASTERDOWN CLUSTERDOWN TRYAGAIN LOADING BUSY NOREPLICAS MISCONF '):find(cx,1,true)then redis.call('PEXPIRE',KEYS[1],ARGV[4])bE(('!'..x.err):sub(1,255),aA)return{'failed',a,x.err}end return x end Z=bT(x)bE(#Z<256 and Z or'',g)end if Z:find('^!')then return{'failed',a,Z:sub(2)}end return{'called',a,'='..Z}",
  sha: ["a3efe7343816947c3752127691c75fed7e4fcd61", "567063cdaea4a0c9e7e82c4e9feb7627aa88f3ad"],
  replies: ["called reply", "failed why", "stale seen#", "forgotten seen#", "kind kind", "late"],
  fresh: true,
};
