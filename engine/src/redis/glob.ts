const ESCAPED = /[.*+?^${}()|[\]\\/-]/g;
const literal = (text: string): string => text.replace(ESCAPED, "\\$&");

/** A test for names by a Redis pattern with `*`, `?`, `[a-c]`, `[^a]` and `\`. */
export function glob(pattern: string): (name: string) => boolean {
  if (pattern === "*") return () => true;
  let source = "";
  for (let at = 0; at < pattern.length; at++) {
    const c = pattern[at] as string;
    if (c === "*") source += "[^]*";
    else if (c === "?") source += "[^]";
    else if (c === "\\" && at + 1 < pattern.length) source += literal(pattern[++at] as string);
    else if (c !== "[") source += literal(c);
    else {
      const isOut = pattern[at + 1] === "^";
      if (isOut) at++;
      let members = "";
      // A bracket without an end takes the rest of the pattern.
      for (at++; at < pattern.length && pattern[at] !== "]"; at++) {
        if (pattern[at] === "\\" && at + 1 < pattern.length) members += literal(pattern[++at] as string);
        else if (pattern[at + 1] === "-" && at + 2 < pattern.length) {
          const ends = [pattern[at] as string, pattern[at + 2] as string].sort();
          members += ends.map(literal).join("-");
          at += 2;
        } else members += literal(pattern[at] as string);
      }
      source += members === "" ? (isOut ? "[^]" : "[]") : `[${isOut ? "^" : ""}${members}]`;
    }
  }
  const compiled = new RegExp(`^${source}$`);
  return (name) => compiled.test(name);
}
