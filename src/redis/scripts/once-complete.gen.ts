// Generated from lua/once-complete.lua by tools/build-lua.ts; do not edit.
import { record } from "../record.gen.ts";
import type { Script } from "../script.ts";

export type OnceCompleteReply =
  | { readonly status: "completed"; readonly now: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const onceComplete: Script<readonly [id: string | number, token: string | number, ttl: string | number, retention: string | number, result: string | number], OnceCompleteReply> = {
  lua: "local key = KEYS[1]\nlocal time = redis.call('TIME')\nlocal now = time[1] * 1000000 + time[2]\nif now > tonumber(ARGV[1]) then return { 'late', now } end\n" + record + "local endings = { r = 'released', c = 'released', e = 'expired', f = 'forced' }\nlocal function ending(id, token)\nlocal over = outcome(id)\nif last > token and (not over or over == 'e') then return 'taken' end\nreturn endings[over] or 'gone'\nend\nlocal attempts, mark, done, result = 0, '', '', ''\nif kind == 'once' and til > now then\nattempts, mark, done, result = body:match('^(%d+) (%S*) (%S*) (.*)$')\nattempts = tonumber(attempts)\nend\nlocal function set_body()\nkind, body = 'once', table.concat({ string.format('%.0f', attempts), mark, done, result }, ' ')\nend\nlocal id, token = ARGV[2], tonumber(ARGV[3])\nif done ~= id then\nlocal alive = holds[id]\nif attempts == 0 or last ~= token or not (alive or outcome(id) == 'e') then\nreturn { 'lost', now, ending(id, token) }\nend\nif alive then close(id, 'r') end\ndone, result = id, ARGV[6]\ntil = now + ARGV[4] * 1000\nset_body()\nsave(ARGV[5])\nend\nreturn { 'completed', now }",
  sha: ["e36a8b95c1f18d155cbf1f17acb931961141a5ad", "9f3324325f0b44ae628dc95270138024bdf2f498"],
  replies: ["completed", "lost reason", "late"],
  fresh: true,
};
