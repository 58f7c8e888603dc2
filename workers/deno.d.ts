/** The part of Deno that the script uses, for the compiler of this project; Deno itself brings the whole. */
declare namespace Deno {
  const args: readonly string[];
  const env: { get(name: string): string | undefined };
  function exit(code: number): never;
}
