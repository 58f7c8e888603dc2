/**
 * What the examples for Next.js use of it, as Next.js 16 declares it; the package itself is too large to be installed
 * for a line.
 */
declare module "next/server" {
  export function after<T>(task: Promise<T> | (() => T | Promise<T>)): void;
}
