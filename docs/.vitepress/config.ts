import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { type DefaultTheme, defineConfig } from "vitepress";

const DOCS = resolve(import.meta.dirname, "..");
const REPOSITORY = "https://github.com/leasehold/leasehold";
const BASE = "/leasehold/";

/** The anchors that GitHub gives to headings, so that a link works there and here. */
const slugify = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** Links to files outside `docs/` lead to the repository. */
function hrefOf(page: string, href: string): string {
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const [path = "", anchor] = href.split("#");
  const file = relative(join(DOCS, ".."), resolve(DOCS, page, "..", path));
  if (file.startsWith("docs/") || !existsSync(join(DOCS, "..", file))) return href;
  return `${REPOSITORY}/blob/main/${file}${anchor === undefined ? "" : `#${anchor}`}`;
}

const group = (text: string, pages: readonly (readonly [text: string, page: string])[]): DefaultTheme.SidebarItem => ({
  text,
  items: pages.map(([title, page]) => ({ text: title, link: `/${page}` })),
});

const ENTRIES = [
  "http",
  "hono",
  "node",
  "lambda",
  "cron",
  "fence",
  "elect",
  "list",
  "queue",
  "otel",
  "ioredis",
  "node-redis",
  "bun",
];

const sidebar: DefaultTheme.SidebarItem[] = [
  group("Start", [
    ["Five minutes", ""],
    ["API", "api"],
  ]),
  group("Guides", [
    ["Lease, wait and ttl", "durations"],
    ["Webhooks", "webhooks"],
    ["Crons", "cron"],
    ["Fencing", "fencing"],
    ["One result for all callers", "one-result"],
    ["Keep-alive", "keep-alive"],
    ["Hand a lease to a queue", "hand-over"],
    ["Graceful shutdown", "shutdown"],
    ["Tests", "testing"],
    ["Redis over TCP", "tcp"],
    ["Next.js", "nextjs"],
    ["Limits of platforms", "limits"],
    ["Migrating", "migrating"],
  ]),
  group("Operate", [
    ["Operations", "operations"],
    ["Command line", "command-line"],
    ["The page", "ui"],
    ["Traces and metrics", "observability"],
  ]),
  group("Reference", [
    ["Errors", "errors"],
    ["Guarantees", "guarantees"],
    ["leasehold", "reference/leasehold"],
    ...ENTRIES.map((entry) => [`leasehold/${entry}`, `reference/leasehold/${entry}`] as const),
  ]),
  group("Research", [
    ["Proof", "proof"],
    ["Histories", "histories"],
    ["Rules broken on purpose", "mutation"],
    ["Faults of others", "faults-of-others"],
    ["Costs and benchmarks", "costs"],
    ["Scale and prices", "scale"],
  ]),
];

export default defineConfig({
  title: "leasehold",
  description: "Distributed locks for code that can freeze at any line: leases with fencing tokens in Redis.",
  lang: "en",
  base: BASE,
  cleanUrls: true,
  head: [["link", { rel: "icon", href: "data:," }]],
  lastUpdated: false,
  srcExclude: ["playground/**"],
  ignoreDeadLinks: [/^\/playground\//],
  sitemap: { hostname: `https://leasehold.github.io${BASE}` },
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark" },
    anchor: { slugify },
    config: (md) => {
      const render =
        md.renderer.rules.link_open ?? ((tokens, at, options, _env, self) => self.renderToken(tokens, at, options));
      md.renderer.rules.link_open = (tokens, at, options, env, self) => {
        const href = tokens[at]?.attrGet("href");
        if (href) tokens[at]?.attrSet("href", hrefOf(env.relativePath, href));
        return render(tokens, at, options, env, self);
      };
    },
  },
  themeConfig: {
    sidebar,
    nav: [
      { text: "Start", link: "/" },
      { text: "Reference", link: "/reference/leasehold" },
      { text: "Playground", link: "/playground/", target: "_self" },
    ],
    outline: [2, 3],
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path` },
  },
});
