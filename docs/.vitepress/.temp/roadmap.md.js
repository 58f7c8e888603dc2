import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";

const __pageData = JSON.parse(
  '{"title":"Roadmap","description":"","frontmatter":{},"headers":[],"relativePath":"roadmap.md","filePath":"roadmap.md"}',
);
const _sfc_main = { name: "roadmap.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="roadmap" tabindex="-1">Roadmap <a class="header-anchor" href="#roadmap" aria-label="Permalink to &quot;Roadmap&quot;">​</a></h1><h2 id="before-10" tabindex="-1">Before 1.0 <a class="header-anchor" href="#before-10" aria-label="Permalink to &quot;Before 1.0&quot;">​</a></h2><table tabindex="0"><thead><tr><th>what</th><th>why it is left</th></tr></thead><tbody><tr><td>A year of releases with the same record format</td><td>1.0 promises the format; nobody has run it in production yet</td></tr><tr><td>A contended fair lock at 16 commands for each acquisition at most</td><td>its scripts make some more, see <a href="./costs">costs</a></td></tr><tr><td>Smaller bundles</td><td>see the sizes in <a href="./costs">costs</a>; clear code comes first</td></tr><tr><td>A test against each provider of Redis over HTTP</td><td>only Upstash&#39;s protocol is tested, by the gateway</td></tr><tr><td>Figures of real deployments</td><td>all measurements so far are of one machine</td></tr></tbody></table><h2 id="after-it" tabindex="-1">After it <a class="header-anchor" href="#after-it" aria-label="Permalink to &quot;After it&quot;">​</a></h2><ul><li>Durable Objects of several regions, once measurements show a need.</li><li>Holders shown for multi-locks of a group, for counters, and for unfair semaphores.</li><li><code>leasehold ls</code> and <code>watch</code> on a whole cluster. Over TCP they list the names of one node today.</li></ul><h2 id="what-will-not-come" tabindex="-1">What will not come <a class="header-anchor" href="#what-will-not-come" aria-label="Permalink to &quot;What will not come&quot;">​</a></h2><table tabindex="0"><thead><tr><th>what</th><th>why, and what to use</th></tr></thead><tbody><tr><td>Renewal in the background</td><td>An invocation can freeze at any line, and so can its timer. <code>keepAlive</code> renews while your code runs, and only if you ask for it</td></tr><tr><td>A lock without an end</td><td>A crashed holder would block the name forever. Every lease ends</td></tr><tr><td>A lock without a token</td><td>It would promise what a lock over a network cannot keep</td></tr><tr><td>Postgres, MySQL or DynamoDB as the server of locks</td><td>A database that you write to anyway can lock its own rows; <a href="./fencing">fences</a> are for these</td></tr><tr><td>Rate limiting</td><td><code>@upstash/ratelimit</code> and others do it well. A <a href="./locks">semaphore</a> limits how many run at once</td></tr><tr><td>A queue of jobs</td><td>A lock decides who works, not what. Use a queue, and <code>dedupe</code> in its consumer</td></tr><tr><td>CommonJS builds</td><td><code>require</code> loads ES modules in every supported Node: <a href="./limits#commonjs">limits</a></td></tr><tr><td>Node 18 and <code>moduleResolution: &quot;node10&quot;</code></td><td><a href="./versions#which-versions-are-supported">versions</a></td></tr><tr><td>Redlock&#39;s algorithm as the default</td><td>Most users have one server, and a majority does not replace a fence. Use <code>quorumLock</code> if you have several</td></tr></tbody></table><p>A wish that is not here: <a href="https://github.com/leasehold/leasehold/discussions" target="_blank" rel="noreferrer">open a discussion</a>.</p></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("roadmap.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const roadmap = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);

export { __pageData, roadmap as default };
