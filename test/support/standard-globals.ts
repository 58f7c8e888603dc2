/** The globals of the web's standards that adapters of web servers replace. */
export const STANDARD_GLOBALS = ["Headers", "Request", "Response", "fetch"] as const;

/** Returns a function that gives these globals the values back which they have now. */
export function rememberGlobals(): () => void {
  const kept = STANDARD_GLOBALS.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  return () => {
    for (const [name, property] of kept) if (property) Object.defineProperty(globalThis, name, property);
  };
}
