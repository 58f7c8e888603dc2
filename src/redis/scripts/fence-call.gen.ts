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
  lua: clock + fresh + fence + ran + "local function c(n)if type(n)=='number'then return string.format('%.0f',n)end if not n then return'null'end if type(n)=='table'and not n.ok then local e={}for H,t in ipairs(n)do table.insert(e,c(t))end return'['..table.concat(e,',')..']'end local e=(type(n)=='table'and n.ok or n):gsub('[%z\\1-\\31\"\\\\]',function(e)return string.format('\\\\u%04x',e:byte())end)return'\"'..e..'\"'end if not I then local n=redis.pcall(ARGV[6],KEYS[2],unpack(ARGV,7))if type(n)=='table'and n.err then local t=' '..(n.err:match('^%u+')or'')..' 'if not(' READONLY MASTERDOWN CLUSTERDOWN TRYAGAIN LOADING BUSY NOREPLICAS MISCONF '):find(t,1,true)then redis.call('PEXPIRE',KEYS[1],ARGV[4])d(('!'..n.err):sub(1,255),i)return{'failed',e,n.err}end return n end I=c(n)d(#I<256 and I or'',o)end if I:find('^!')then return{'failed',e,I:sub(2)}end return{'called',e,'='..I}",
  replies: "called reply$|failed why$|stale seen|forgotten seen|kind kind$|late",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["faf00c6016828c23987250e2d38f3f4da8249e01", "d0ebc05a753b9f7e4c45045288e13e26833fcd9d"];
