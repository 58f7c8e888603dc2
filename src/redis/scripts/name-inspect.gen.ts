// Generated from lua/name-inspect.lua by tools/build-lua.ts; do not edit.
import { clock, crowded, one, record } from "../parts.gen.ts";
import type { Script } from "../script.ts";

export type NameInspectReply =
  | { readonly status: "free"; readonly now: number; readonly token: number }
  | { readonly status: "live"; readonly now: number; readonly type: string; readonly token: number; readonly remaining: number; readonly holds: number; readonly left: number; readonly body: string; readonly many: number; readonly waiting: number; readonly behind: number }
  | { readonly status: "fence"; readonly now: number; readonly token: number }
  | { readonly status: "kind"; readonly now: number; readonly kind: string };

export const nameInspect: Script<readonly [], NameInspectReply> = {
  lua: "local b=0\n" + clock + one + record + "local s=J:match('^fence 1 (%d+) ')if s then return{'fence',e,tonumber(s)}end if r==math.huge then return{'kind',e,d}end if r<=e then return{'free',e,l}end local u,a=K()\n" + crowded + "if d=='once'then local i,A=w:match('^(%d+) %S* (%S*)')w=i..(A~=''and' done'or' ')end return{'live',e,d,l,r-e,a,math.max(u-e,0),'='..w,n,i,o}",
  replies: "free token#|live type token# remaining# holds# left# body many# waiting# behind#|fence token#|kind kind",
};

/**
 * SHA-1 of the plain text and of the text with the key-locking flag. The SDK computes them, since bundles compress no
 * hashes.
 */
export const sha: readonly [plain: string, flagged: string] = ["70461126235ba6b93e267afe790dc56aa3c77bdd", "65dca93e2331f9df6ddcfcb772fec167eb284cbc"];
