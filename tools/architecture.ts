/**
 * Checks the imports between folders. A package is a list of rooms, which are folders or single files (`.` for all that
 * are in no other), each with the rooms that it may import from; these precede it in the list, so all imports point one
 * way. Any other import is an error, including imports of types. `node:` and packages are allowed only where listed.
 * Biome finds import cycles.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

interface Package {
  readonly src: string;
  readonly rooms: Readonly<Record<string, readonly string[]>>;
  /**
   * External imports, by room: packages, and packages of which only types may be imported. Without an entry, everything
   * is allowed.
   */
  readonly outside?: Readonly<Record<string, { readonly packages?: RegExp; readonly types?: RegExp }>>;
}

const ENTRY = ["shared", "redis", "lease", "kinds", "fence"];
/** The folders of the SDK, for programs that bundle it. */
const SDK = [...ENTRY, "dedupe", "cron", "list", "tcp"].map((folder) => `../../src/${folder}`);
/** Modules of the gateway that the command bundles. They import nothing else of the gateway. */
const NEAREST_NAME = "../../gateway/src/shared/nearest-name.ts";
const REDIS_URL = "../../gateway/src/redis/redis-url.ts";
/** The Redis in memory that the command bundles. */
const MEMORY_REDIS = "../../testing/src/memory-redis.ts";
/** The package on which the servers in memory are built. */
const ENGINE = /^leasehold-engine(\/(rest|holding))?$/;
/** What the packages for agents use of the SDK. */
const CORE = /^leasehold(\/internal)?$/;
const COMMIT = "../../tools/product-commit.ts";
const RANDOM = "../histories/random.ts";
const ENTRIES = ["../../src/index.ts", "../../src/fence/index.ts"];
const SERVERS = ["../../tools/redis.ts", "../../tools/redis-sentinels.ts", "../../tools/redis-topologies.ts"];
const PACKAGES: readonly Package[] = [
  {
    src: "src",
    rooms: {
      shared: [],
      redis: ["shared"],
      tcp: ["shared", "redis"],
      otel: ["shared"],
      lease: ["shared", "redis"],
      kinds: ["shared", "redis", "lease"],
      fence: ["shared", "redis", "lease"],
      dedupe: ENTRY,
      hono: [...ENTRY, "dedupe"],
      http: [...ENTRY, "dedupe"],
      node: ["shared"],
      lambda: ["shared"],
      elect: ["shared", "redis", "lease", "kinds"],
      list: ["shared", "redis", "lease"],
      queue: ["shared", "redis", "lease", "kinds"],
      cron: ENTRY,
      "create-locks.ts": ["shared", "redis", "lease", "kinds"],
      internal: ["shared", "redis", "lease", "kinds", "cron"],
      "index.ts": ["shared", "redis", "lease", "kinds", "create-locks.ts"],
    },
    outside: {
      hono: { types: /^hono(\/|$)/ },
      otel: { packages: /^@opentelemetry\/api$/ },
      node: { packages: /^node:stream/, types: /^node:/ },
    },
  },
  {
    src: "agents/src",
    rooms: { turn: [], mcp: [], chat: [], "index.ts": ["turn"] },
    outside: { turn: { packages: CORE }, mcp: { packages: CORE }, chat: { packages: CORE } },
  },
  {
    src: "nest/src",
    rooms: { ".": [] },
    outside: {
      ".": {
        packages: /^(leasehold(\/internal|\/cron|\/internal\/cron)?|@nestjs\/common|node:(async_hooks|module))$/,
      },
    },
  },
  {
    src: "cli/src",
    rooms: {
      operations: SDK,
      ui: [...SDK, "operations"],
      "ui/page": [...SDK, "operations", "ui"],
      "text.ts": SDK,
      "command.ts": [...SDK, "operations", "text.ts"],
      "tcp-client.ts": [...SDK, REDIS_URL, "operations", "command.ts"],
      "duration.ts": [...SDK, "command.ts"],
      "open-target.ts": [...SDK, MEMORY_REDIS, "operations", "command.ts", "duration.ts", "tcp-client.ts"],
      "port.ts": ["command.ts"],
      "state-folder.ts": ["command.ts"],
      mcp: [...SDK, "../../src/create-locks.ts", "operations", "ui", "text.ts"],
      "entry.ts": [...SDK, "command.ts", "text.ts"],
      "changes.ts": [...SDK, "text.ts", "entry.ts"],
      "screen.ts": ["changes.ts", "command.ts", "text.ts"],
      "flags.ts": ["command.ts"],
      "progress.ts": ["command.ts", "text.ts"],
      "order.ts": [...SDK, "entry.ts"],
      "arguments.ts": [NEAREST_NAME, "command.ts", "text.ts"],
      commands: [
        ...SDK,
        "../../src/create-locks.ts",
        ...["operations", "ui", "mcp", "command.ts", "duration.ts", "port.ts", "state-folder.ts"],
        ...["open-target.ts", "text.ts"],
        ...["entry.ts", "changes.ts", "screen.ts", "flags.ts", "progress.ts", "order.ts"],
        NEAREST_NAME,
      ],
      "commands.ts": ["command.ts", "commands"],
      "help.ts": ["command.ts", "flags.ts", "open-target.ts", "text.ts"],
      "run.ts": [
        ...SDK,
        ...["operations", "command.ts", "commands.ts", "open-target.ts", "text.ts"],
        ...["arguments.ts", "flags.ts", "help.ts"],
      ],
      "main.ts": ["run.ts"],
    },
  },
  {
    src: "gateway/src",
    rooms: {
      shared: [],
      http: ["shared"],
      redis: ["shared"],
      memory: ["shared", "redis"],
      "redis/cluster": ["shared", "redis"],
      "redis/sentinel": ["shared", "redis"],
      streams: ["shared", "http", "redis"],
      access: ["shared", "http", "redis"],
      metrics: ["shared", "redis"],
      holding: ["shared", "http", "redis"],
      rest: ["shared", "http", "redis", "streams", "holding"],
      databases: ["shared", "redis", "redis/cluster", "redis/sentinel", "memory", "holding", "access", "metrics"],
      serving: ["shared", "http", "redis", "streams", "access", "metrics", "rest", "databases"],
      "index.ts": ["shared", "serving"],
      cli: ["shared", "memory", "serving"],
    },
  },
  {
    src: "engine/src",
    rooms: {
      "budget.ts": [],
      lua: ["budget.ts"],
      holding: [],
      redis: ["budget.ts", "lua", "holding"],
      rest: ["redis", "holding"],
      "index.ts": ["budget.ts", "redis"],
    },
    outside: {},
  },
  {
    src: "durable-object/src",
    rooms: {
      "object-storage.ts": [],
      "route.ts": [],
      "members.ts": [],
      "access.ts": ["members.ts"],
      "tables.ts": ["object-storage.ts"],
      "cache.ts": ["object-storage.ts", "tables.ts"],
      "alarm.ts": ["object-storage.ts", "tables.ts"],
      "server.ts": ["alarm.ts", "cache.ts"],
      "offers.ts": ["server.ts"],
      "waiting.ts": ["server.ts", "offers.ts"],
      "handler.ts": ["server.ts", "waiting.ts"],
      "object.ts": ["handler.ts"],
      "namespace.ts": ["handler.ts"],
      "port.ts": ["members.ts", "access.ts", "route.ts", "handler.ts", "namespace.ts"],
      "rest.ts": ["members.ts", "route.ts", "access.ts", "namespace.ts"],
      "environment.ts": ["members.ts", "access.ts", "namespace.ts", "rest.ts"],
      "index.ts": [
        ...["object-storage.ts", "access.ts", "server.ts", "handler.ts"],
        ...["object.ts", "namespace.ts", "port.ts", "rest.ts", "environment.ts"],
      ],
    },
    outside: {
      "tables.ts": { types: ENGINE },
      "cache.ts": { packages: ENGINE },
      "server.ts": { types: ENGINE },
      "offers.ts": { packages: ENGINE },
      "waiting.ts": { packages: ENGINE },
      "handler.ts": { packages: ENGINE },
      "port.ts": { packages: ENGINE },
      "rest.ts": { packages: ENGINE },
      "object.ts": { packages: /^cloudflare:workers$/ },
    },
  },
  {
    src: "testing/src",
    rooms: {
      time: [],
      locks: [],
      "known-options.ts": [],
      "compiled-scripts.ts": [],
      "faults.ts": ["time", "locks", "known-options.ts"],
      "memory-redis.ts": ["known-options.ts", "compiled-scripts.ts"],
      "test-redis.ts": ["time", "locks", "faults.ts", "known-options.ts", "compiled-scripts.ts"],
      "index.ts": ["time", "locks", "faults.ts", "memory-redis.ts", "test-redis.ts"],
    },
    outside: {
      locks: { packages: ENGINE },
      "compiled-scripts.ts": { packages: ENGINE },
      "memory-redis.ts": { packages: ENGINE },
      "test-redis.ts": { packages: ENGINE },
      "index.ts": { packages: ENGINE },
    },
  },
  {
    src: "verification/histories",
    rooms: {
      "random.ts": [],
      "crowd.ts": [],
      "history.ts": [],
      "refusals.ts": [],
      "proxy.ts": ["refusals.ts"],
      "clock.ts": [],
      "orders.ts": ["history.ts"],
      "checker.ts": ["history.ts"],
      models: ["history.ts", "checker.ts"],
      "workloads.ts": ["history.ts", "orders.ts", "checker.ts", "models"],
      "outcomes.ts": ["history.ts", "orders.ts", ...ENTRIES],
      "attempts.ts": [
        ...["history.ts", "orders.ts", "outcomes.ts", ...ENTRIES],
        ...["../../src/queue/index.ts", "../../src/cron/job.ts", "../../src/redis/connect.ts"],
      ],
      "client.ts": ["orders.ts", "outcomes.ts", "attempts.ts", ...ENTRIES],
      "others.ts": ["orders.ts", "outcomes.ts", "client.ts"],
      hosts: ["random.ts", "orders.ts", "client.ts", "others.ts", "../../src", "../../durable-object/test/support"],
      "clients.ts": ["orders.ts"],
      "site.ts": ["random.ts"],
      "object-site.ts": ["random.ts", "clients.ts", "site.ts"],
      "sites.ts": ["random.ts", "clock.ts", "site.ts", "object-site.ts", ...SERVERS],
      "theatre.ts": ["random.ts", "clients.ts", "site.ts", "sites.ts", ...SERVERS],
      "story.ts": ["random.ts", "history.ts", "orders.ts", "workloads.ts", "clients.ts"],
      "run.ts": ["random.ts", "crowd.ts", "checker.ts", "workloads.ts", "clients.ts", "theatre.ts", "story.ts"],
      "report.ts": ["run.ts"],
      "main.ts": ["history.ts", "workloads.ts", "clients.ts", "sites.ts", "theatre.ts", "run.ts", "report.ts", COMMIT],
    },
  },
  {
    src: "verification/failover",
    rooms: {
      "ledger.ts": [],
      "link.ts": [],
      "tap.ts": ["ledger.ts", "../../src"],
      "stage.ts": ["../../src", RANDOM, ...SERVERS],
      "single.ts": [
        "link.ts",
        "stage.ts",
        "../../src",
        RANDOM,
        ...SERVERS,
        "../histories/object-site.ts",
        "../histories/site.ts",
      ],
      "replicated.ts": ["link.ts", "stage.ts", RANDOM, ...SERVERS],
      "set-ups.ts": ["stage.ts", "single.ts", "replicated.ts"],
      "load.ts": ["ledger.ts", "tap.ts", "stage.ts", "../../src", RANDOM],
      "run.ts": ["ledger.ts", "tap.ts", "stage.ts", "set-ups.ts", "load.ts", "../../src", RANDOM],
      "table.ts": ["set-ups.ts", "run.ts"],
      "main.ts": ["set-ups.ts", "run.ts", "table.ts", "../../bench/document.ts", COMMIT],
    },
  },
];

interface Import {
  readonly specifier: string;
  readonly isType: boolean;
}

function importsOf(path: string): Import[] {
  const found = readFileSync(path, "utf8").matchAll(
    /^(?:import|export)\s+(type\s)?[^;]*?from\s+"([^"]+)"|\bimport\("([^"]+)"\)|^import\s+"([^"]+)"/gm,
  );
  return [...found].map(([, type, from, dynamic, bare]) => ({
    specifier: from ?? dynamic ?? bare ?? "",
    isType: type !== undefined,
  }));
}

/** All violations in a package, in words. */
function violationsOf({ src, rooms, outside }: Package): string[] {
  const broken: string[] = [];
  const names = Object.keys(rooms);
  for (const [room, allowed] of Object.entries(rooms))
    for (const other of allowed)
      if (!other.startsWith("..") && names.indexOf(other) >= names.indexOf(room))
        broken.push(`${src}/${room} comes before ${other}: arrows point back`);
  // The innermost room of a file.
  const roomOf = (file: string): string | undefined =>
    names
      .filter((room) => room === "." || file === room || file.startsWith(`${room}/`))
      .sort((a, b) => b.length - a.length)
      .at(0);
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  for (const file of files) {
    const room = roomOf(file);
    if (!room) {
      broken.push(`${src}/${file} is in no room: name it in tools/architecture.ts`);
      continue;
    }
    for (const { specifier, isType } of importsOf(join(src, file))) {
      if (specifier.startsWith(".")) {
        const target = posix.join(dirname(file), specifier);
        const outer: string | undefined = rooms[room]?.find((allowed) => target.startsWith(`${allowed}/`));
        const other: string = roomOf(target) ?? outer ?? target;
        if (other !== room && !rooms[room]?.includes(other))
          broken.push(`${src}/${file} imports ${target}, and no arrow leads from ${room} to ${other}`);
      } else if (outside) {
        const { packages, types } = outside[room] ?? {};
        if (!packages?.test(specifier) && !(isType && types?.test(specifier)))
          broken.push(`${src}/${file} imports ${specifier}, which this package must do without`);
      }
    }
  }
  return broken;
}

const broken = PACKAGES.flatMap(violationsOf);
for (const line of broken) console.error(line);
process.exit(broken.length > 0 ? 1 : 0);
