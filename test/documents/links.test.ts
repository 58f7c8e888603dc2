import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { sidebar } from "../../docs/.vitepress/sidebar.ts";
import { run } from "../support/command.ts";
import { anchorsOf, blocksOf, documents, linksOf, ROOT, textOf } from "./markdown.ts";

const isAbsolute = (link: string): boolean => /^[a-z]+:/.test(link);

/** A link's file, from the root, and its anchor. */
function targetOf(document: string, link: string): readonly [file: string, anchor: string | undefined] {
  const [path = "", anchor] = link.split("#");
  const file = path === "" ? document : normalize(join(dirname(document), path)).replace(/\/$/, "");
  return [file, anchor];
}

/** The folders of the packages beside the SDK's own, which is the root. */
const packages: readonly string[] = JSON.parse(textOf("package.json")).workspaces;

/** The files that npm would pack of each package, by its folder; that of the SDK is "". */
const packed = new Map<string, readonly string[]>();
beforeAll(async () => {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts", "--workspaces", "--include-workspace-root"];
  const packs = JSON.parse(await run("npm", args, ROOT)) as readonly { name: string; files: { path: string }[] }[];
  for (const folder of ["", ...packages]) {
    const { name } = JSON.parse(textOf(join(folder, "package.json")));
    packed.set(folder, packs.find((pack) => pack.name === name)?.files.map(({ path }) => path) ?? []);
  }
});

describe("the links of the documents", () => {
  it("lead to files that are there, and to headings in them", () => {
    const dead = documents.flatMap((document) =>
      linksOf(textOf(document))
        .filter((link) => !isAbsolute(link))
        .filter((link) => {
          const [file, anchor] = targetOf(document, link);
          if (!existsSync(join(ROOT, file))) return true;
          return anchor !== undefined && !anchorsOf(textOf(file)).includes(anchor);
        })
        .map((link) => `${document}: ${link}`),
    );
    expect(dead).toEqual([]);
  });

  it("to the site lead to pages of it, and to headings in them", () => {
    const site = "https://leasehold.github.io/leasehold/";
    const links = documents.flatMap((document) =>
      linksOf(textOf(document)).filter((link) => link.startsWith(site) && !link.startsWith(`${site}reference/`)),
    );
    expect(links.length).toBeGreaterThan(5);
    const dead = links.filter((link) => {
      const [page = "", anchor] = link.slice(site.length).split("#");
      const file = `docs/${page || "index"}.md`;
      if (!existsSync(join(ROOT, file))) return true;
      return anchor !== undefined && !anchorsOf(textOf(file)).includes(anchor);
    });
    expect(dead).toEqual([]);
  });

  it("leave the repository only by https, and lead to no registry of packages", () => {
    const registry =
      /^https:\/\/([\w-]+\.)*(npmjs|npmx|yarnpkg|jsr|unpkg|jsdelivr|esm|skypack|verdaccio)\.[a-z]+(\/|$)/;
    const wrong = documents.flatMap((document) =>
      linksOf(textOf(document))
        .filter(isAbsolute)
        .filter((link) => !/^(https:\/\/|mailto:)/.test(link) || registry.test(link))
        .map((link) => `${document}: ${link}`),
    );
    expect(wrong).toEqual([]);
  });

  it("name the dashboard and the alerts where the package has them (54.5)", () => {
    const [, folder = ""] = /in `node_modules\/leasehold\/([^`]+)`/.exec(textOf("docs/observability.md")) ?? [];
    const files = packed.get("")?.filter((path) => path.startsWith(`${folder}/`)) ?? [];
    expect([...files].sort()).toEqual([`${folder}/grafana-dashboard.json`, `${folder}/prometheus-alerts.yml`]);
  });

  // The pages of the SDK itself are not packed: npm's site resolves their relative links against the repository.
  it.each(packages)("lead to files that are packed with them: package %j", (folder) => {
    const files = packed.get(folder) ?? [];
    const inside = (path: string): boolean => files.some((file) => file === path || file.startsWith(`${path}/`));
    const texts = files.filter((file) => /\.(md|txt)$/.test(file));
    expect(texts).toContain("README.md");
    const dead = texts.flatMap((document) =>
      linksOf(textOf(join(folder, document)))
        .filter((link) => !isAbsolute(link) && !inside(targetOf(document, link)[0]))
        .map((link) => `${document}: ${link}`),
    );
    expect(dead).toEqual([]);
  });
});

describe("the map of the documents", () => {
  const pages = documents
    .filter((file) => /^docs\/[\w-]+\.md$/.test(file))
    .map((file) => file.slice("docs/".length, -3));

  it("leads from the site's sidebar to every page", () => {
    const links = sidebar.flatMap(({ items = [] }) => items.map(({ link = "" }) => link));
    const found = links.map((link) => link.slice(1) || "index");
    expect(pages.filter((page) => !found.includes(page))).toEqual([]);
  });

  it("leads from llms.txt to every page", () => {
    const found = linksOf(textOf("docs/llms.txt"));
    expect(pages.filter((page) => !found.includes(`${page}.md`))).toEqual([]);
  });

  it("has guides of at most 20 000 words, beside their code (54.7)", () => {
    const guides = sidebar.find(({ text }) => text === "Guides")?.items ?? [];
    const words = guides.map(({ link }) => {
      const text = textOf(`docs${link}.md`).replace(/^```[\s\S]*?^```$/gm, "");
      return text.trim().split(/\s+/).length;
    });
    expect(words.length).toBeGreaterThan(20);
    expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(20_000);
  });

  it("begins with a README of at most 600 words and 6 kB", () => {
    const readme = textOf("README.md");
    expect(new TextEncoder().encode(readme).length).toBeLessThanOrEqual(6_000);
    expect(readme.trim().split(/\s+/).length).toBeLessThanOrEqual(600);
  });
});

describe("the code of the documents", () => {
  const blocks = documents
    .filter((file) => /^((gateway\/)?README\.md|docs\/.*)$/.test(file))
    .flatMap((file) => blocksOf(textOf(file)).map((block) => ({ file, ...block })));

  it("is in a language that something checks, or that is a platform's, or what a command prints", () => {
    const languages = blocks.map(({ language }) => language);
    expect(
      [...new Set(languages)].filter((language) => !/^(ts|sh|js|json|yaml|text|sql|nginx|caddyfile)$/.test(language)),
    ).toEqual([]);
  });

  it("can be parsed where it cannot be run: scripts for Deno, and JSON", () => {
    for (const { file, language, text } of blocks) {
      if (language === "json") JSON.parse(text);
      if (language !== "js") continue;
      const { diagnostics } = ts.transpileModule(text, { reportDiagnostics: true, compilerOptions: { allowJs: true } });
      expect(diagnostics, file).toEqual([]);
    }
  });

  it("stands in a file word for word where it says so", () => {
    const quoted = documents.flatMap((file) => blocksOf(textOf(file)).filter(({ from }) => from !== undefined));
    expect(quoted.length).toBeGreaterThan(0);
    for (const { from, text } of quoted) expect(textOf(from ?? "")).toContain(text);
  });
});
