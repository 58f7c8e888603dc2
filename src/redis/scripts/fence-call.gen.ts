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
  lua: clock + fresh + fence + ran + "local function bW(A)if type(A)=='number'then return string.format('%.0f',A)end if not A then return'null'end if type(A)=='table'and not A.ok then local cb={}for X,cM in ipairs(A)do table.insert(cb,bW(cM))end return'['..table.concat(cb,',')..']'end local cW=(type(A)=='table'and A.ok or A):gsub('[%z\\1-\\31\"\\\\]',function(cB)return string.format('\\\\u%04x',cB:byte())end)return'\"'..cW..'\"'end if not ab then local A=redis.pcall(ARGV[6],KEYS[2],unpack(ARGV,7))if type(A)=='table'and A.err then local cC=' '..(A.err:match('^%u+')or'')..' 'if not(' READONLY MASTERDOWN CLUSTERDOWN TRYAGAIN LOADING BUSY NOREPLICAS MISCONF '):find(cC,1,true)then redis.call('PEXPIRE',KEYS[1],ARGV[4])bH(('!'..A.err):sub(1,255),aA)return{'failed',a,A.err}end return A end ab=bW(A)bH(#ab<256 and ab or'',g)end if ab:find('^!')then return{'failed',a,ab:sub(2)}end return{'called',a,'='..ab}",
  replies: "called reply|failed why|stale seen#|forgotten seen#|kind kind|late",
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["a3fa5ea7b93e2d71d6f2222a4955b37facfbf0b6", "7f9269c9ccc67ec79e0ea8554acbdb48316cd7ec"];
