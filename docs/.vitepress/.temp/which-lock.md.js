import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";

const __pageData = JSON.parse(
  '{"title":"Which lock do I need?","description":"","frontmatter":{},"headers":[],"relativePath":"which-lock.md","filePath":"which-lock.md"}',
);
const _sfc_main = { name: "which-lock.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="which-lock-do-i-need" tabindex="-1">Which lock do I need? <a class="header-anchor" href="#which-lock-do-i-need" aria-label="Permalink to &quot;Which lock do I need?&quot;">​</a></h1><p>Answer three questions. First: <strong>what happens if the work runs twice?</strong></p><table tabindex="0"><thead><tr><th>If it runs twice</th><th>Then</th></tr></thead><tbody><tr><td>it only wastes time</td><td><code>SET key value NX PX 20000</code> is enough. leasehold adds nothing that you need.</td></tr><tr><td>it writes twice, and the resource can compare a token</td><td>any lock below, with a <a href="./fencing">fence</a>. Two writers are then impossible.</td></tr><tr><td>it sends, charges or calls twice, and nothing can refuse</td><td>any lock below, and an idempotency key at the receiver. No lock alone can prevent it.</td></tr></tbody></table><p>Second: <strong>what do you protect?</strong></p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light-high-contrast github-dark vp-code" tabindex="0"><code><span class="line"><span>Does it happen because somebody calls you?</span></span>
<span class="line"><span>├─ a webhook, or a request with Idempotency-Key ......... dedupe</span></span>
<span class="line"><span>├─ a schedule ........................................... leasehold/cron</span></span>
<span class="line"><span>└─ no</span></span>
<span class="line"><span>   Should the result be remembered?</span></span>
<span class="line"><span>   ├─ yes: run once, then everybody gets the result ..... once</span></span>
<span class="line"><span>   └─ no</span></span>
<span class="line"><span>      How many may work at the same time?</span></span>
<span class="line"><span>      ├─ one ............................................ lock</span></span>
<span class="line"><span>      │  ├─ in order of arrival ......................... fairLock</span></span>
<span class="line"><span>      │  ├─ on several names at once .................... multiLock</span></span>
<span class="line"><span>      │  ├─ for as long as the process lives ............ elect</span></span>
<span class="line"><span>      │  └─ even if a whole Redis is lost ............... quorumLock</span></span>
<span class="line"><span>      ├─ one writer or many readers ..................... readWriteLock</span></span>
<span class="line"><span>      ├─ at most n</span></span>
<span class="line"><span>      │  ├─ a crash returns the share ................... semaphore</span></span>
<span class="line"><span>      │  └─ a crash keeps the share ..................... counter</span></span>
<span class="line"><span>      └─ nobody, until n parties have reported .......... latch</span></span></code></pre></div><table tabindex="0"><thead><tr><th>Name</th><th>Where</th></tr></thead><tbody><tr><td><code>dedupe</code></td><td><a href="./webhooks">Webhooks</a></td></tr><tr><td><code>leasehold/cron</code></td><td><a href="./cron">Cron jobs</a></td></tr><tr><td><code>once</code></td><td><a href="./locks#once">Once</a>, and <a href="./one-result">one result for all callers</a></td></tr><tr><td><code>elect</code></td><td><a href="./leader">Leader election</a></td></tr><tr><td>all others</td><td><a href="./locks#kinds-of-locks">Locks</a></td></tr></tbody></table><p>Third: <strong>how long does the work take?</strong></p><table tabindex="0"><thead><tr><th>The work takes</th><th>Then</th></tr></thead><tbody><tr><td>a known time</td><td><code>run</code> with a <code>lease</code> a little longer than that</td></tr><tr><td>an unknown time, in a process that stays up</td><td><code>run</code> with a short <code>lease</code> and <a href="./keep-alive"><code>keepAlive: true</code></a></td></tr><tr><td>longer than one invocation lasts</td><td><a href="./hand-over">hand the lease over</a> to a queue</td></tr></tbody></table><p>A lock is not a transaction. If all that you protect is in one Postgres or SQLite database, its own row lock or transaction is simpler and enough.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("which-lock.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const whichLock = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);

export { __pageData, whichLock as default };
