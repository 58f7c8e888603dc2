/**
 * Who may import what. The layers point one way: a file imports from its own layer or from those before it, never from later ones;
 * the gateway stands alone; `node:` and packages are for the gateway and the command line only.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const src = resolve("src");
const LAYERS: readonly (readonly RegExp[])[] = [
  [/^shared\//],
  [/^redis\//],
  [/^engine\//],
  [/^kinds\//],
  [/^fence\//],
  [/^(hono|cron)\//],
  [/^create-locks\.ts$/],
  [/^index\.ts$/],
];
/** Packages that an entry for users may import, and those of which it may import types only. */
const PACKAGES: readonly (readonly [within: RegExp, specifier: RegExp, typesOnly: boolean])[] = [
  [/^hono\//, /^hono(\/|$)/, true],
  [/^cron\//, /^croner$/, false],
];
const APART = /^(gateway\/|cli\.ts$)/;

const layerOf = (file: string): number =>
  LAYERS.findIndex((patterns) => patterns.some((pattern) => pattern.test(file)));

function imports(file: string): { specifier: string; typeOnly: boolean }[] {
  const text = readFileSync(join(src, file), "utf8");
  const found = text.matchAll(
    /^(?:import|export)\s+(type\s)?[^;]*?from\s+"([^"]+)"|\bimport\("([^"]+)"\)|^import\s+"([^"]+)"/gm,
  );
  return [...found].map(([, type, from, dynamic, bare]) => ({
    specifier: from ?? dynamic ?? bare ?? "",
    typeOnly: type !== undefined,
  }));
}

/** Every rule that is broken, in words. */
export function violations(): string[] {
  const broken: string[] = [];
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  for (const file of files) {
    const apart = APART.test(file);
    if (!apart && layerOf(file) < 0) broken.push(`src/${file} belongs to no layer: name it in tools/architecture.ts`);
    for (const { specifier, typeOnly } of imports(file)) {
      if (!specifier.startsWith(".")) {
        const allowed = PACKAGES.some(
          ([within, name, typesOnly]) => within.test(file) && name.test(specifier) && (typeOnly || !typesOnly),
        );
        if (!apart && !allowed)
          broken.push(`src/${file} imports ${specifier}: only the gateway and the command line may`);
        continue;
      }
      const target = relative(src, resolve(dirname(join(src, file)), specifier));
      if (apart) {
        if (!APART.test(target))
          broken.push(`src/${file} imports src/${target}: the gateway knows nothing of the rest`);
        if (file.startsWith("gateway/") && target === "cli.ts") broken.push(`src/${file} imports the command line`);
      } else if (APART.test(target)) broken.push(`src/${file} imports src/${target}: nothing of the SDK may`);
      else if (!typeOnly && layerOf(target) > layerOf(file))
        broken.push(`src/${file} imports src/${target}, a later layer`);
    }
  }
  return broken;
}

if (import.meta.main) {
  const broken = violations();
  for (const line of broken) console.error(line);
  process.exit(broken.length > 0 ? 1 : 0);
}
