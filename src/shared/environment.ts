type Variables = Readonly<Record<string, unknown>>;
interface Environment {
  get?(name: string): unknown;
}

/** The environment of the process: `process.env`, or `Deno.env` without a `process`. */
const ofProcess = (): object => {
  const { process, Deno } = globalThis as { process?: { env?: object }; Deno?: { env?: object } };
  return process?.env ?? Deno?.env ?? {};
};

/** The state of a variable in an environment. */
type Reading = { readonly value: string | undefined } | { readonly isDenied: true };

/** Reads a variable of an environment, by default the process's. A variable that is not text has no value. */
export function readVariable(name: string, env: object = ofProcess()): Reading {
  try {
    // `Deno.env` has a method for it.
    const value = (env as Variables)[name] ?? (env as Environment).get?.(name);
    return { value: typeof value === "string" ? value : undefined };
  } catch {
    // Deno without the permission to read it.
    return { isDenied: true };
  }
}

/**
 * Reads a variable of an environment, by default the process's. Returns undefined if it is not set, is not text, or may
 * not be read.
 */
export function variable(name: string, env?: object): string | undefined {
  const reading = readVariable(name, env);
  return "value" in reading ? reading.value : undefined;
}
