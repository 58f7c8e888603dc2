import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { defineConfig } from "vitepress";
import { boostDocument, withWords } from "./search.ts";
import { sidebar } from "./sidebar.ts";

const DOCS = resolve(import.meta.dirname, "..");
const REPOSITORY = "https://github.com/leasehold/leasehold";
const BASE = "/leasehold/";

/** The anchors that GitHub gives to headings, so that a link works there and here. */
const slugify = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** Links to files that are no pages of the site lead to the repository. */
function hrefOf(page: string, href: string): string {
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const [path = "", anchor] = href.split("#");
  const file = relative(join(DOCS, ".."), resolve(DOCS, page, "..", path));
  const isOfSite = file.startsWith("docs/") && !file.startsWith("docs/deploy/");
  if (isOfSite || !existsSync(join(DOCS, "..", file))) return href;
  return `${REPOSITORY}/blob/main/${file}${anchor === undefined ? "" : `#${anchor}`}`;
}

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
        md.renderer.rules["link_open"] ?? ((tokens, at, options, _env, self) => self.renderToken(tokens, at, options));
      md.renderer.rules["link_open"] = (tokens, at, options, env, self) => {
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
    search: {
      provider: "local",
      options: {
        _render: (source, env, md) => withWords(env.relativePath, md.render(source, env)),
        miniSearch: { searchOptions: { boostDocument } },
      },
    },
    socialLinks: [{ icon: "github", link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path` },
  },
});
