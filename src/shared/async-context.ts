/** The part of `AsyncLocalStorage` that this library uses. */
interface AsyncContext<Store> {
  getStore(): Store | undefined;
  run<Result>(store: Store, work: () => Result): Result;
}

type Maker = new <Store>() => AsyncContext<Store>;

interface Runtime {
  /** On Vercel's edge. */
  readonly AsyncLocalStorage?: Maker;
  /** On Node, Deno and Bun, and on Workers with `nodejs_compat`. */
  readonly process?: {
    getBuiltinModule?(name: "node:async_hooks"): { readonly AsyncLocalStorage?: Maker } | undefined;
  };
}

/** Makes an asynchronous context, without an import that some runtimes lack; undefined where there is none. */
export function createAsyncContext<Store>(): AsyncContext<Store> | undefined {
  const { AsyncLocalStorage, process } = globalThis as Runtime;
  const Local = AsyncLocalStorage ?? process?.getBuiltinModule?.("node:async_hooks")?.AsyncLocalStorage;
  return Local && new Local<Store>();
}
