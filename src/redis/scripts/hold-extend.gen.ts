// Generated from lua/hold-extend.lua by tools/build-lua.ts; do not edit.
import { record } from "../record.gen.ts";
import type { Script } from "../script.ts";

export type HoldExtendReply =
  | { readonly status: "extended"; readonly now: number; readonly remaining: number; readonly holds: number }
  | { readonly status: "lost"; readonly now: number; readonly reason: string }
  | { readonly status: "late"; readonly now: number };

export const holdExtend: Script<readonly [id: string | number, token: string | number, duration: string | number, retention: string | number], HoldExtendReply> = {
  lua: "local key = KEYS[1]\nlocal time = redis.call('TIME')\nlocal now = time[1] * 1000000 + time[2]\nif now > tonumber(ARGV[1]) then return { 'late', now } end\n" + record + "local endings = { r = 'released', c = 'released', e = 'expired', f = 'forced' }\nlocal function ending(id, token)\nlocal over = outcome(id)\nif last > token and (not over or over == 'e') then return 'taken' end\nreturn endings[over] or 'gone'\nend\nlocal id, token = ARGV[2], tonumber(ARGV[3])\nlocal ends = holds[id]\nif not ends or last ~= token then\nif changed then save(ARGV[5], redis.pcall) end\nreturn { 'lost', now, ending(id, token) }\nend\nlocal later = now + ARGV[4] * 1000\nif later > ends then\nends = later\nholds[id], til = ends, math.max(til, ends)\nsave(ARGV[5])\nend\nlocal _, count = survey()\nreturn { 'extended', now, ends - now, count }",
  sha: ["8062e506f7bc296069b20929ff2031ea9cf84b74", "1149bc6f69be683bce95de50c7f44f66b44da3da"],
  replies: ["extended remaining# holds#", "lost reason", "late"],
  fresh: true,
};
