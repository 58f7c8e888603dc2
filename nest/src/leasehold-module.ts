import { type DynamicModule, type InjectionToken, Module, type ModuleMetadata } from "@nestjs/common";
import { Locks } from "./locks.ts";
import { createRuntime, type LeaseholdOptions, RUNTIME, type Runtime } from "./runtime.ts";

/** Options of `forRootAsync`: a factory, and what Nest passes to it. */
export interface LeaseholdAsyncOptions<Dependencies extends readonly unknown[] = never[]>
  extends Pick<ModuleMetadata, "imports"> {
  /** The arguments of `useFactory`. */
  readonly inject?: { readonly [At in keyof Dependencies]: InjectionToken<Dependencies[At]> };
  readonly useFactory: (...dependencies: Dependencies) => LeaseholdOptions | Promise<LeaseholdOptions>;
}

/** Makes the module from a provider of the options. It is global: every module may inject its providers. */
function moduleOf(
  imports: ModuleMetadata["imports"],
  inject: readonly InjectionToken[],
  options: (...args: never[]) => unknown,
): DynamicModule {
  const useFactory = async (...args: never[]): Promise<Runtime> =>
    createRuntime((await options(...args)) as LeaseholdOptions);
  return {
    module: LeaseholdModule,
    global: true,
    imports: imports ?? [],
    providers: [
      { provide: RUNTIME, inject: [...inject], useFactory },
      { provide: Locks, inject: [RUNTIME], useFactory: ({ locks }: Runtime) => locks },
    ],
    exports: [RUNTIME, Locks],
  };
}

/**
 * Provides {@link Locks} to all modules of a Nest application, and makes `WithLock`, `RunOnce` and `RunCron` work.
 * Import it once, in the root module.
 *
 * On a shutdown (by `app.close()`, or by a signal with `app.enableShutdownHooks()`), decorated methods that wait for a
 * lock reject with Nest's ServiceUnavailableException. Work under a lease may finish within `shutdownTimeout`, and its
 * lease is released.
 *
 * @example
 * ```ts
 * import { LeaseholdModule } from "leasehold-nest";
 * const imports = [LeaseholdModule.forRoot({ url, token, shutdownTimeout: "5s" })];
 * ```
 */
// biome-ignore lint/complexity/noStaticOnlyClass: a module of Nest is a class.
export class LeaseholdModule {
  /**
   * Accepts the options of `connect` or a connection, and the options of the shutdown. @throws TypeError or RangeError,
   * like `connect`.
   */
  static forRoot(options: LeaseholdOptions): DynamicModule {
    // Each application has its own runtime. This one is only for its errors.
    createRuntime(options);
    return moduleOf([], [], () => options);
  }

  /** Gets the options from a factory, which may need other providers. */
  static forRootAsync<const Dependencies extends readonly unknown[] = never[]>(
    options: LeaseholdAsyncOptions<Dependencies>,
  ): DynamicModule {
    const { imports, inject, useFactory } = options;
    return moduleOf(imports, (inject ?? []) as readonly InjectionToken[], useFactory as (...args: never[]) => unknown);
  }
}

Module({})(LeaseholdModule);
