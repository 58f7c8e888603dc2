type Variables = Readonly<Record<string, unknown>>;
interface Environment {
  get?(name: string): unknown;
}

/** The parts of a platform that have an environment. */
const platform = (): { readonly process?: { readonly env?: object }; readonly Deno?: { readonly env?: object } } =>
  globalThis;

/** The environment of the process: `process.env`, or `Deno.env` without a `process`. */
const ofProcess = (): object => platform().process?.env ?? platform().Deno?.env ?? {};

/** Finds a variable. `Deno.env` has a method for it; in `process.env`, `get` is another variable. */
function find(name: string, env: object): unknown {
  const value = (env as Variables)[name];
  return env === platform().process?.env ? value : (value ?? (env as Environment).get?.(name));
}

/** The state of a variable in an environment: its text, if it has one, or that the permission to read it is missing. */
export type Reading = { readonly value: string | undefined } | { readonly isDenied: true };

/** Reads a variable of an environment, by default the process's. A variable that is not text has no value. */
export function readVariable(name: string, env: object = ofProcess()): Reading {
  try {
    const value = find(name, env);
    return { value: typeof value === "string" ? value : undefined };
  } catch {
    // Deno without the permission to read it.
    return { isDenied: true };
  }
}

/** Says that variables may not be read, and what to do. */
export const whyDenied = (names: readonly string[]): string =>
  `the environment may not be read: run Deno with --allow-env (${names})`;
