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
  lua: clock + "\n" + fresh + "\n" + fence + "\n" + ran + "\nlocal function bU(y)if type(y)=='number'then return string.format('%.0f',y)end if not y then return'null'end if type(y)=='table'and not y.ok then local bZ={}for X,cK in ipairs(y)do table.insert(bZ,bU(cK))end return'['..table.concat(bZ,',')..']'end local cW=(type(y)=='table'and y.ok or y):gsub('[%z\\1-\\31\"\\\\]',function(cz)return string.format('\\\\u%04x',cz:byte())end)return'\"'..cW..'\"'end if not ab then local y=redis.pcall(ARGV[6],KEYS[2],unpack(ARGV,7))if type(y)=='table'and y.err then local cA=' '..(y.err:match('^%u+')or'')..' 'if not(' READONLY MASTERDOWN CLUSTERDOWN TRYAGAIN LOADING BUSY NOREPLICAS MISCONF '):find(cA,1,true)then redis.call('PEXPIRE',KEYS[1],ARGV[4])bF(('!'..y.err):sub(1,255),aB)return{'failed',a,y.err}end return y end ab=bU(y)bF(#ab<256 and ab or'',g)end if ab:find('^!')then return{'failed',a,ab:sub(2)}end return{'called',a,'='..ab}",
  replies: ["called reply", "failed why", "stale seen#", "forgotten seen#", "kind kind", "late"],
  fresh: true,
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no hashes. */
export const sha: readonly [plain: string, flagged: string] = ["22334f0b466a4de99ee16999e5b3375413e66a7f", "04e7100611fd44c5310b86cdf0ce44c827858317"];
