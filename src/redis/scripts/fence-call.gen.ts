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
  lua: clock + fresh + fence + ran + "local function j(c)if type(c)=='number'then return string.format('%.0f',c)end if not c then return'null'end if type(c)=='table'and not c.ok then local a={}for E,b in ipairs(c)do table.insert(a,j(b))end return'['..table.concat(a,',')..']'end local a=(type(c)=='table'and c.ok or c):gsub('[%z\\1-\\31\"\\\\]',function(a)return string.format('\\\\u%04x',a:byte())end)return'\"'..a..'\"'end if not I then local c=redis.pcall(ARGV[6],KEYS[2],unpack(ARGV,7))if type(c)=='table'and c.err then local b=' '..(c.err:match('^%u+')or'')..' 'if not(' READONLY MASTERDOWN CLUSTERDOWN TRYAGAIN LOADING BUSY NOREPLICAS MISCONF '):find(b,1,true)then redis.call('PEXPIRE',KEYS[1],ARGV[4])k(('!'..c.err):sub(1,255),d)return{'failed',a,c.err}end return c end I=j(c)k(#I<=255 and I or'',h)end if I:find('^!')then return{'failed',a,I:sub(2)}end return{'called',a,'='..I}",
  replies: {
    called: { reply: "text" },
    failed: { why: "text" },
    stale: { seen: "integer" },
    forgotten: { seen: "integer" },
    kind: { kind: "text" },
    late: {},
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["c0012c910093487412c80e79c8630201c443d349", "50913360af1d39bfabcb761ab16a0970129a28a7"];
