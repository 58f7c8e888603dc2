type Variables = Readonly<Record<string, unknown>>;
interface Environment {
  get?(name: string): unknown;
}

/** The environment of the process: `process.env`, or `Deno.env` where there is no `process`. */
const ofProcess = (): object => {
  const { process, Deno } = globalThis as { process?: { env?: object }; Deno?: { env?: object } };
  return process?.env ?? Deno?.env ?? {};
};

/**
 * Reads a variable of an environment, by default of the process. Returns undefined for one that is not set, is not
 * text, or may not be read.
 */
export function variable(name: string, env: object = ofProcess()): string | undefined {
  try {
    // `Deno.env` has a method for it.
    const value = (env as Variables)[name] ?? (env as Environment).get?.(name);
    return typeof value === "string" ? value : undefined;
  } catch {
    // Deno without the permission to read it.
    return undefined;
  }
}
