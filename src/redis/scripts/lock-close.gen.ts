// Generated from lua/lock-close.lua by tools/build-lua.ts; do not edit.
import { record } from "../record.gen.ts";
import type { Script } from "../script.ts";

export type LockCloseReply =
  | { readonly status: "closed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string };

export const lockClose: Script<readonly [id: string | number, token: string | number, retention: string | number], LockCloseReply> = {
  lua: "local key = KEYS[1]\nlocal time = redis.call('TIME')\nlocal now = time[1] * 1000000 + time[2]\n" + record + "local endings = { r = 'released', c = 'released', e = 'expired', f = 'forced' }\nlocal function ending(id, token)\nlocal over = outcome(id)\nif last > token and (not over or over == 'e') then return 'taken' end\nreturn endings[over] or 'gone'\nend\nlocal function vacate(retention, keep)\nlocal set = save(retention, redis.pcall)\nif set.err then\nif keep or next(holds) then return set end\nredis.call('DEL', key)\nend\nend\nlocal function close_elsewhere(id, retention)\nif til == math.huge then return { 'lost', now, 'gone' } end\nclose(id, 'c')\nreturn vacate(retention, true) or { 'closed', now }\nend\nlocal known = kind == 'lock' and body ~= '' and body or '  0 0'\nlocal owner, label, tenure, queue = known:match('^(%S*) (%S*) (%d+) (%d+)$')\ntenure, queue = tonumber(tenure), tonumber(queue)\nlocal function set_body()\nkind, body = 'lock', string.format('%s %s %.0f %.0f', owner, label, tenure, queue)\nend\nlocal id, token = ARGV[1], tonumber(ARGV[2])\nlocal cancel = token == 0\nlocal alive = holds[id]\nlocal before = outcome(id)\nif cancel and not before and taken('lock') then return close_elsewhere(id, ARGV[3]) end\nif not before and (cancel or alive and last == token) then\nclose(id, cancel and 'c' or 'r')\nbefore = 'r'\nif not cancel and not next(holds) then\nlocal took = now - token\ntenure = math.max(tenure == 0 and took or tenure + (took - tenure) / 8, 0)\nend\nend\nif changed and not taken('lock') then\ntil = math.min(til, math.max(survey(), now))\nset_body()\nlocal failed = vacate(ARGV[3], cancel and not alive)\nif failed then return failed end\nend\nif cancel or before == 'r' then return { 'closed', now } end\nreturn { 'lost', now, ending(id, token) }",
  sha: ["5b6c07c19e4bdc868705b12e2cd7c7cc0fb77f7c", "7edeb98366428fb3b98aa51d0e9a613cc330726a"],
  replies: ["closed", "lost reason"],
  fresh: false,
};
