import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";

const __pageData = JSON.parse(
  '{"title":"Reference","description":"","frontmatter":{},"headers":[],"relativePath":"reference/index.md","filePath":"reference/index.md"}',
);
const _sfc_main = { name: "reference/index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="reference" tabindex="-1">Reference <a class="header-anchor" href="#reference" aria-label="Permalink to &quot;Reference&quot;">​</a></h1><h2 id="modules" tabindex="-1">Modules <a class="header-anchor" href="#modules" aria-label="Permalink to &quot;Modules&quot;">​</a></h2><ul><li><a href="./leasehold">leasehold</a></li><li><a href="./leasehold/agent">leasehold/agent</a></li><li><a href="./leasehold/bun">leasehold/bun</a></li><li><a href="./leasehold/cron">leasehold/cron</a></li><li><a href="./leasehold/elect">leasehold/elect</a></li><li><a href="./leasehold/fence">leasehold/fence</a></li><li><a href="./leasehold/hono">leasehold/hono</a></li><li><a href="./leasehold/http">leasehold/http</a></li><li><a href="./leasehold/ioredis">leasehold/ioredis</a></li><li><a href="./leasehold/lambda">leasehold/lambda</a></li><li><a href="./leasehold/list">leasehold/list</a></li><li><a href="./leasehold/mcp">leasehold/mcp</a></li><li><a href="./leasehold/nest">leasehold/nest</a></li><li><a href="./leasehold/node">leasehold/node</a></li><li><a href="./leasehold/node-redis">leasehold/node-redis</a></li><li><a href="./leasehold/otel">leasehold/otel</a></li><li><a href="./leasehold/queue">leasehold/queue</a></li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/index.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const index = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);

export { __pageData, index as default };
