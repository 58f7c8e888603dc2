// Generated from lua/record-inspect.lua by tools/build-lua.ts; do not edit.
import { record } from "../record.gen.ts";
import type { Script } from "../script.ts";

export type RecordInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly token: number; readonly remaining: number; readonly holds: number; readonly body: string }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const recordInspect: Script<readonly [kind: string | number], RecordInspectReply> = {
  lua: "local key = KEYS[1]\nlocal time = redis.call('TIME')\nlocal now = time[1] * 1000000 + time[2]\n" + record + "if taken(ARGV[1]) then return { 'kind', now, kind } end\nif til <= now then return { 'free', now, last } end\nlocal _, count = survey()\nreturn { 'live', now, last, til - now, count, '=' .. body }",
  sha: ["68978ab3bd99982d1479724650ab52479eb97b4a", "250e61e5d7d6fcaffd4d90bfdb0ca1f1fefb5d42"],
  replies: ["free token#", "live token# remaining# holds# body", "kind kind"],
  fresh: false,
};
