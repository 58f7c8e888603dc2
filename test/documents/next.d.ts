/**
 * The part of Next.js that its examples use, as Next.js 16 declares it; the package itself is too large to be installed
 * for a line.
 */
declare module "next/server" {
  export function after<T>(task: Promise<T> | (() => T | Promise<T>)): void;
}
