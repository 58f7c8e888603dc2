/** The package managers of users, each configured with one registry and its own folders. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Installation {
  /** The program and its arguments. */
  readonly command: readonly [file: string, ...args: string[]];
  readonly env?: Readonly<Record<string, string>>;
}

/** Writes the settings of one client into a project, and returns how it installs. */
export type Client = (project: string, registry: string) => Installation;

/** Where npm packages of tools are: `node_modules` of a folder. */
export function clientsOf(tools: string, repository: string): Readonly<Record<string, Client>> {
  // Outside the project, since Jest would run the tests of the packages in it.
  const cacheOf = (project: string): string => {
    const cache = `${project}.cache`;
    mkdirSync(cache, { recursive: true });
    return cache;
  };
  return {
    npm(project, registry) {
      writeFileSync(join(project, ".npmrc"), `registry=${registry}\naudit=false\nfund=false\nignore-scripts=true\n`);
      return {
        command: ["npm", "install"],
        env: { npm_config_cache: cacheOf(project), npm_config_registry: registry },
      };
    },
    pnpm(project, registry) {
      writeFileSync(join(project, ".npmrc"), `registry=${registry}\n`);
      // Recently published packages may be installed, and no package may run scripts.
      const settings = { minimumReleaseAge: 0, ignoreScripts: true, storeDir: cacheOf(project) };
      writeFileSync(join(project, "pnpm-workspace.yaml"), JSON.stringify(settings));
      const env = { npm_config_registry: registry, COREPACK_ENABLE_STRICT: "0" };
      return { command: [join(tools, "node_modules/.bin/pnpm"), "install", "--no-frozen-lockfile"], env };
    },
    yarn(project, registry) {
      const settings = {
        npmRegistryServer: registry,
        unsafeHttpWhitelist: ["127.0.0.1"],
        nodeLinker: "node-modules",
        enableScripts: false,
        enableTelemetry: false,
        enableImmutableInstalls: false,
        enableGlobalCache: false,
        cacheFolder: cacheOf(project),
        // Its cache refers to the registry of an earlier rehearsal, which no longer exists.
        globalFolder: join(cacheOf(project), "global"),
        npmMinimalAgeGate: 0,
      };
      // JSON is YAML.
      writeFileSync(join(project, ".yarnrc.yml"), JSON.stringify(settings));
      writeFileSync(join(project, "yarn.lock"), "");
      return { command: [join(tools, "node_modules/.bin/yarn"), "install"] };
    },
    bun(project, registry) {
      writeFileSync(join(project, "bunfig.toml"), `[install]\nregistry = "${registry}"\nminimumReleaseAge = 0\n`);
      const command = [join(repository, "node_modules/.bin/bun"), "install", "--ignore-scripts"] as const;
      return { command, env: { BUN_INSTALL_CACHE_DIR: cacheOf(project) } };
    },
  };
}

/** The commands that run a package's program without installing the package. */
export type Runner = (project: string, registry: string, command: readonly string[]) => Installation;

/** The runners of the clients, under the clients' names, and Deno's. */
export function runnersOf(tools: string, repository: string): Readonly<Record<string, Runner>> {
  const clients = clientsOf(tools, repository);
  const settingsOf = (client: string, project: string, registry: string) => clients[client]?.(project, registry).env;
  return {
    npm: (project, registry, command) => ({
      command: ["npx", "--yes", ...command],
      env: { ...settingsOf("npm", project, registry) },
    }),
    pnpm: (project, registry, command) => ({
      command: [join(tools, "node_modules/.bin/pnpm"), "dlx", ...command],
      env: { ...settingsOf("pnpm", project, registry) },
    }),
    yarn: (project, registry, command) => ({
      command: [join(tools, "node_modules/.bin/yarn"), "dlx", "--quiet", ...command],
      env: { ...settingsOf("yarn", project, registry) },
    }),
    bun: (project, registry, command) => ({
      command: [join(repository, "node_modules/.bin/bunx"), ...command],
      // Otherwise it uses files of an earlier run in the folder of temporary files.
      env: {
        ...settingsOf("bun", project, registry),
        BUN_TMPDIR: project,
        TMPDIR: project,
        npm_config_registry: registry,
      },
    }),
    deno(project, registry, [name, ...rest]) {
      const options = ["--no-prompt", "--no-config", "--minimum-dependency-age=0", "--allow-all"];
      return {
        command: [join(repository, "node_modules/.bin/deno"), "run", ...options, `npm:${name}`, ...rest],
        env: { NPM_CONFIG_REGISTRY: registry, DENO_DIR: join(project, "cache") },
      };
    },
  };
}
