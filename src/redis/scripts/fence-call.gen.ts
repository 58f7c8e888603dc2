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
  lua: clock + fresh + fence + ran + "local function A(t)if type(t)=='number'then return string.format('%.0f',t)end if not t then return'null'end if type(t)=='table'and not t.ok then local e={}for k,i in ipairs(t)do table.insert(e,A(i))end return'['..table.concat(e,',')..']'end local e=(type(t)=='table'and t.ok or t):gsub('[%z\\1-\\31\"\\\\]',function(e)return string.format('\\\\u%04x',e:byte())end)return'\"'..e..'\"'end if not Q then local t=redis.pcall(ARGV[6],KEYS[2],unpack(ARGV,7))if type(t)=='table'and t.err then local i=' '..(t.err:match('^%u+')or'')..' 'if not(' READONLY MASTERDOWN CLUSTERDOWN TRYAGAIN LOADING BUSY NOREPLICAS MISCONF '):find(i,1,true)then redis.call('PEXPIRE',KEYS[1],ARGV[4])m(('!'..t.err):sub(1,255),d)return{'failed',e,t.err}end return t end Q=A(t)m(#Q<256 and Q or'',o)end if Q:find('^!')then return{'failed',e,Q:sub(2)}end return{'called',e,'='..Q}",
  replies: "called reply$|failed why$|stale seen|forgotten seen|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["ea57afa44cc7002d19b77070df35123c1212ebc9", "96f44ce6ec9fdb3056e42cf36b083c8305bd6666"];
