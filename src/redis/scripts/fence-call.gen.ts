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
  lua: clock + fresh + fence + ran + "local function ca(B)if type(B)=='number'then return string.format('%.0f',B)end if not B then return'null'end if type(B)=='table'and not B.ok then local cf={}for X,cS in ipairs(B)do table.insert(cf,ca(cS))end return'['..table.concat(cf,',')..']'end local dc=(type(B)=='table'and B.ok or B):gsub('[%z\\1-\\31\"\\\\]',function(cG)return string.format('\\\\u%04x',cG:byte())end)return'\"'..dc..'\"'end if not aa then local B=redis.pcall(ARGV[6],KEYS[2],unpack(ARGV,7))if type(B)=='table'and B.err then local cH=' '..(B.err:match('^%u+')or'')..' 'if not(' READONLY MASTERDOWN CLUSTERDOWN TRYAGAIN LOADING BUSY NOREPLICAS MISCONF '):find(cH,1,true)then redis.call('PEXPIRE',KEYS[1],ARGV[4])bL(('!'..B.err):sub(1,255),aA)return{'failed',a,B.err}end return B end aa=ca(B)bL(#aa<256 and aa or'',g)end if aa:find('^!')then return{'failed',a,aa:sub(2)}end return{'called',a,'='..aa}",
  replies: "called reply|failed why|stale seen#|forgotten seen#|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["8cc98dbe32df593964b7c6a0159a817b49d45325", "61843e130d75d80e9ed2bdc3cf4617a6bd2577ed"];
