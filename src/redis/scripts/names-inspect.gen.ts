// Generated from lua/names-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, described, read_names, record, shapes } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NamesInspectReply =
  | { readonly status: "names"; readonly now: number; readonly entries: string; readonly probes: number };

export const namesInspect: Script<readonly [known: string | number], NamesInspectReply> = {
  lua: "local t=0\n" + clock + read_names + shapes + "local g='-           'local M,f,b,S=ARGV[1],{},0,nil for m,J in ipairs(KEYS)do if m%2==1 then S=J else local i,u,K,p=m/2,N[m-1],S,J local e=u and redis.sha1hex(u):sub(1,12)or g local d=M:sub((i-1)*12+1,i*12)==e local c=u and u:match('^%a+')or''local k=0 if q[c]then b=b+1 k=redis.pcall('ZCARD',p)end if not d or k~=0 then local d={i,e,'kind','foreign'}if not u then b=b+1 if redis.call('TYPE',K).ok=='none'then d={i,e,'none'}end elseif type(k)~='table'then\n" + record + described + "d={i,e,y()}end for m,a in ipairs(d)do d[m]=type(a)=='number'and string.format('%.0f',a)or a end table.insert(f,d)end end end return{'names',a,f[1]and cjson.encode(f)or'[]',b}",
  replies: {
    names: { entries: "text", probes: "integer" },
  },
};

/** SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them; tests compare. */
export const sha: readonly [plain: string, flagged: string] = ["6c603e1dc7ee3a777af9072fbf73b064309df73b", "ee7806fcfaec48e28a7504362efacea9aff174f8"];
