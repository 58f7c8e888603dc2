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
  lua: clock + "\n" + fresh + "\n" + fence + "\n" + ran + "\nlocal function bT(y)if type(y)=='number'then return string.format('%.0f',y)end if not y then return'null'end if type(y)=='table'and not y.ok then local bX={}for T,cI in ipairs(y)do table.insert(bX,bT(cI))end return'['..table.concat(bX,',')..']'end local cU=(type(y)=='table'and y.ok or y):gsub('[%z\\1-\\31\"\\\\]',function(cw)return string.format('\\\\u%04x',cw:byte())end)return'\"'..cU..'\"'end if not aa then local y=redis.pcall(ARGV[6],KEYS[2],unpack(ARGV,7))if type(y)=='table'and y.err then local cx=' '..(y.err:match('^%u+')or'')..' 'if not(' READONLY MASTERDOWN CLUSTERDOWN TRYAGAIN LOADING BUSY NOREPLICAS MISCONF '):find(cx,1,true)then redis.call('PEXPIRE',KEYS[1],ARGV[4])bE(('!'..y.err):sub(1,255),aA)return{'failed',a,y.err}end return y end aa=bT(y)bE(#aa<256 and aa or'',g)end if aa:find('^!')then return{'failed',a,aa:sub(2)}end return{'called',a,'='..aa}",
  replies: ["called reply", "failed why", "stale seen#", "forgotten seen#", "kind kind", "late"],
  fresh: true,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["bb35608b900dfe5259b7e5bad83928a44707179d", "d44944821a1c06b0617a4c0a726d3102f5051cb8"];
