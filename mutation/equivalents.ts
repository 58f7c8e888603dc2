/** A change that breaks no rule, with the reason. */
export interface Equivalent {
  readonly file: string;
  /** The part that is changed and the part that it becomes, as the tool prints them. */
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

const of = (file: string, why: string, ...changes: readonly (readonly [from: string, to: string])[]): Equivalent[] =>
  changes.map(([from, to]) => ({ file, from, to, why }));

/** Changes that no check can tell, since nothing that anybody may rely on differs. */
export const EQUIVALENTS: readonly Equivalent[] = [
  ...of("lua/crowd-extend.lua", "Nothing is written unless the end is later.", ["ends and later > ends", "ends"]),
];
