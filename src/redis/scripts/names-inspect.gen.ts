// Generated from lua/names-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, described, read_names, record, shapes } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NamesInspectReply =
  | { readonly status: "names"; readonly now: number; readonly entries: string; readonly probes: number };

export const namesInspect: Script<readonly [known: string | number], NamesInspectReply> = {
  lua: "local w=0\n" + clock + read_names + shapes + "local g='-           'local N,e,b,m=ARGV[1],{},0,nil for C,L in ipairs(KEYS)do if C%2==1 then m=L else local i,y,M,q=C/2,Q[C-1],m,L local d=y and redis.sha1hex(y):sub(1,12)or g local f=N:sub((i-1)*12+1,i*12)==d local c=y and y:match('^%a+')or''local t=0 if r[c]then b=b+1 t=redis.pcall('ZCARD',q)end if not f or t~=0 then local f={i,d,'kind','foreign'}if not y then b=b+1 if redis.call('TYPE',M).ok=='none'then f={i,d,'none'}end elseif type(t)~='table'then\n" + record + described + "f={i,d,z()}end for C,a in ipairs(f)do f[C]=type(a)=='number'and string.format('%.0f',a)or a end table.insert(e,f)end end end return{'names',a,e[1]and cjson.encode(e)or'[]',b}",
  replies: {
    names: { entries: "text", probes: "integer" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["05b89e284e96adb24c50b71a87e5cb7c3efdc580", "9592f9dba58fa6ae5e228dc935be49fa90edadde"];
