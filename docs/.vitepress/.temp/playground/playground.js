(() => {
  var cn = ["A", "B"],
    Qo = (e) => (e === "A" ? "B" : "A");
  function ka() {
    const e = () => ({ phases: [], freezes: [], beliefs: [] });
    return {
      instances: { A: e(), B: e() },
      tenures: [],
      exchanges: [],
      writes: [],
      clockSteps: [],
      notes: [],
      tokens: [],
    };
  }
  var ce = ({ tokens: e }, n) => `#${e.indexOf(n) + 1}`;
  var sm = [
      ...cn.flatMap((e) => [`freeze-${e}`, `lose-${e}`, `kill-${e}`, `start-${e}`]),
      "clock-forward",
      "clock-back",
    ],
    et = 10,
    nt = 10,
    Ft = 10,
    im = 120,
    am = (e) => sm.includes(e);
  function Ra({ seed: e, deeds: n, isUnfenced: t = !1 }) {
    const r = n.map(({ action: o, tick: s }) => `${o}@${s / Ft}`);
    return `seed=${e}${r.length > 0 ? `&do=${r.join(",")}` : ""}${t ? "&fence=off" : ""}`;
  }
  function Sa(e) {
    const n = new URLSearchParams(e.replace(/^#/, "")),
      t = (n.get("do") ?? "").split(",").flatMap((o) => {
        const [s = "", i = ""] = o.split("@"),
          a = Math.round(Number(i) * Ft);
        return am(s) && i !== "" && a >= 0 ? [{ action: s, tick: a }] : [];
      }),
      r = Number(n.get("at") ?? Number.NaN);
    return {
      seed: Math.abs(Math.trunc(Number(n.get("seed")))) || 1,
      deeds: t.sort((o, s) => o.tick - s.tick),
      isUnfenced: n.get("fence") === "off",
      at: r > 0 ? Math.min(r, im) : void 0,
    };
  }
  function Z(e) {
    const n = document.getElementById(e);
    if (!n) throw new Error(`#${e} is missing`);
    return n;
  }
  function nn(e, n) {
    const t = Z(e);
    t.textContent !== n && (t.textContent = n);
  }
  var Oa = Symbol(),
    O = (e, n) => Object.defineProperty(new e(n), Oa, { value: e });
  function A(e, n) {
    try {
      return n();
    } catch (t) {
      const { [Oa]: r, message: o } = Object(t);
      throw r === void 0 ? t : new r(`${typeof e == "string" ? e : e()}: ${o}`);
    }
  }
  var Ea = 60;
  function Ce(e) {
    if (e == null) return `${e}`;
    if (Array.isArray(e)) return "a list";
    if (typeof e.then == "function") return "a Promise";
    if (typeof e == "function") return "a function";
    if (typeof e != "object") return `a ${typeof e}`;
    const { name: n } = Object(e.constructor);
    return n && n !== "Object" ? `an object (${n})` : "an object";
  }
  function N(e) {
    return typeof e == "string"
      ? JSON.stringify(e.length > Ea ? `${e.slice(0, Ea)}\u2026` : e)
      : typeof e == "number" || typeof e == "boolean" || typeof e == "bigint"
        ? `${e}`
        : Ce(e);
  }
  var ge = (e) => new TextEncoder().encode(e);
  var Ta = 864e5,
    Aa = 365,
    Ma = { ms: 1, s: 1e3, m: 6e4, h: 36e5, d: Ta },
    lm = 10,
    Ca = 100;
  function U(e, n, t = 1, r = 0) {
    const o = Math.ceil(typeof e == "number" ? e : cm(e, n)),
      s = `${n} ${N(e)}`;
    if (Number.isNaN(o)) throw O(RangeError, `${s} is not a duration: ${va}`);
    if (o < t || o > Aa * Ta) {
      const i = o < t ? "short" : "long";
      throw O(RangeError, `${s} is too ${i}: ${t} ms to ${Aa} days`);
    }
    if (typeof e == "number" && e < r) throw O(RangeError, `${s} has no unit: "${e}ms" or "${e}s"?`);
    return o;
  }
  var va = 'give milliseconds, or text such as "500ms", "30s" or "2m"';
  function cm(e, n) {
    const [, t, r] = /^(\d+(?:\.\d+)?)(ms|[smhd])$/.exec(e) ?? [],
      o = r === void 0 ? void 0 : Ma[r];
    if (o === void 0) throw O(TypeError, `${n} ${N(e)} ${dm(e)}`);
    return Number(t) * o;
  }
  function dm(e) {
    const [, n, t = ""] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(`${e}`) ?? [];
    if (n !== void 0 && t === "") return `has no unit: "${n}ms" or "${n}s"?`;
    const r = /^(ms|milli)/i.test(t) ? "ms" : t.charAt(0).toLowerCase();
    return r in Ma ? `is not a duration: "${n}${r}"?` : `is not a duration: ${va}`;
  }
  var tt = (e) => U(e, "lease", lm, Ca),
    dn = (e, n) => U(e, "ttl", n, Ca);
  function Zo(e, n) {
    const [t, r] = [e.toLowerCase(), n.toLowerCase()];
    return [...t].filter((o, s) => s > 0 && r.includes(t.slice(s - 1, s + 1))).length;
  }
  function um(e, n) {
    const t = n.find((s) => s.startsWith(`${e}>`)),
      r = t ?? n.reduce((s, i) => (Zo(e, i) > Zo(e, s) ? i : s)),
      o = t === void 0 ? 2 * Zo(e, r) : Number.POSITIVE_INFINITY;
    return { name: r.replace(/.*>/, ""), isLikely: o >= e.length - 1, isSure: o > e.length };
  }
  function D(e, n) {
    if (typeof e != "object" || e === null) throw O(TypeError, `options must be an object, not ${N(e)}`);
    const t = n.split(" ");
    for (const r of Object.keys(e)) {
      if (t.includes(r)) continue;
      const o = t.filter((l) => l in e).join() === "waitUntil",
        s = um(r, t);
      if (o && !s.isSure) continue;
      const i = t.filter((l) => !l.includes(">")).join('", "'),
        a = s.isLikely ? `did you mean "${s.name}"?` : `the options are "${i}"`;
      throw O(TypeError, `no option ${N(r)}: ${a}`);
    }
  }
  var Xo = Number.POSITIVE_INFINITY;
  function J(e = Xo, n, t = 1, r = Xo) {
    const o = r >= Number.MAX_SAFE_INTEGER ? `${t} or more` : `${t} to ${r}`,
      s = `${n} ${N(e)} must be a whole number, ${o}`;
    if (typeof e != "number") throw O(TypeError, s);
    if (!(e === Xo || Number.isSafeInteger(e)) || e < t || e > r) throw O(RangeError, s);
    return e;
  }
  function be(e, n) {
    if (typeof e != "function") throw O(TypeError, `${n} must be a function, not ${N(e)}`);
    return e;
  }
  function rt(e) {
    if (e !== void 0 && !e?.addEventListener) throw O(TypeError, `signal must be an AbortSignal, not ${N(e)}`);
    return e;
  }
  function Rr(e, n, t, r, o = "work") {
    if (typeof e == "function") return e;
    const s =
      typeof r == "function"
        ? `the options come before ${o}`
        : `${o} ${e === void 0 ? "is missing" : "must be a function"}`;
    throw new TypeError(`${n}: ${s}: ${t}`);
  }
  function ot(e, n, t = "run(options, work)") {
    if (e.length > 1) return [e[0] ?? {}, Rr(e[1], n, t, e[0])];
    const [r] = e;
    return [{}, Rr(typeof r == "object" && r !== null ? void 0 : r, n, t)];
  }
  function st(e, n, t) {
    const r = t.split(" or ");
    if (!r.includes(e)) throw O(TypeError, `${n} ${N(e)} must be ${r.map((o) => `"${o}"`).join(" or ")}`);
    return e;
  }
  function it(e) {
    return typeof e == "string" && e.isWellFormed();
  }
  function Y(e, n, t = 1, r = 512) {
    if (typeof e != "string") {
      const s = Ce(e);
      throw O(TypeError, s === "a Promise" ? `${n} is a Promise: await it` : `${n} must be text, not ${s}`);
    }
    if (!it(e)) throw O(TypeError, `${n} must be well-formed text: a surrogate in it is alone`);
    const { length: o } = ge(e);
    if (o < t) throw O(RangeError, `${n} is empty: ${t} to ${r} bytes`);
    if (o > r) throw O(RangeError, `${n} has ${o} bytes: ${t} to ${r} are allowed`);
    return e;
  }
  var es = (e) => e.replace(/[{}%]/g, encodeURIComponent);
  var fm = {
      lock_timeout: "LockTimeoutError",
      lease_lost: "LeaseLostError",
      outcome_unknown: "OutcomeUnknownError",
      unauthorized: "UnauthorizedError",
      rate_limited: "RateLimitedError",
      redis_error: "RedisError",
      malformed_answer: "MalformedAnswerError",
      wrong_kind: "WrongKindError",
      not_reentrant: "NotReentrantError",
      too_many_holds: "TooManyHoldsError",
      upgrade_refused: "UpgradeRefusedError",
      not_replicated: "NotReplicatedError",
      no_quorum: "NoQuorumError",
      no_result: "NoResultError",
      state_lost: "StateLostError",
    },
    mm = "https://leasehold.github.io/leasehold/errors",
    ns = (e) => `${mm}#${e}`,
    $ = class extends Error {
      help;
      constructor(n, t, r) {
        super(t), (this.code = n), (this.name = fm[n]), (this.help = ns(n)), Object.assign(this, r);
      }
    },
    un = class extends $ {
      constructor(n, t) {
        super("lock_timeout", n, t);
      }
    },
    Fe = class extends $ {
      constructor(n, t, r) {
        super("lease_lost", `the lease of "${n}" has ended: ${t}`, { reason: t, names: r });
      }
    },
    H = class extends $ {
      constructor(n, t, r) {
        super("outcome_unknown", `no answer about "${n}": ${t}`, { cause: r });
      }
    };
  function at(e, n) {
    let [t = "", r] = n.split("/"),
      o = `is in use as ${n}`;
    return (
      n === "foreign"
        ? (o = "has a value under its key that is not leasehold's: choose another name or prefix")
        : r === "1"
          ? (o = `has a damaged record of kind "${t}": call forceRelease, and delete its key if that fails too`)
          : r !== void 0 && (o = `has a record of a newer format, ${n}: update leasehold`),
      new $("wrong_kind", `"${e}" ${o}`, { kind: n })
    );
  }
  var Cn = class extends Error {
    code = "stale_token";
    help;
    lockName;
    token;
    seen;
    constructor({ name: n, token: t }, r) {
      super(`the token ${t} of "${n}" is stale${r === void 0 ? "" : `: ${r} was seen`}`),
        (this.name = "StaleTokenError"),
        (this.help = ns(this.code)),
        (this.lockName = n),
        (this.token = t),
        (this.seen = r);
    }
  };
  function pm(e) {
    if (e === void 0) throw O(TypeError, "token is missing: pass lease.token");
    return J(e, "token", 1, Number.MAX_SAFE_INTEGER);
  }
  function La(e) {
    const { name: n, token: t, tokens: r = {} } = e ?? {};
    if (Object.keys(r).length > 1)
      throw new TypeError(
        "fence: a lease of several names has no fence of its own: pass { name, token } of each of its tokens",
      );
    return A("fence", () => ({ name: Y(n, "lease.name"), token: pm(t) }));
  }
  var ts = (e) =>
      btoa(new Uint8Array(e).reduce((n, t) => n + String.fromCharCode(t), ""))
        .replaceAll("+", "-")
        .replaceAll("/", "_")
        .replaceAll("=", ""),
    X = () => crypto.randomUUID(),
    ym = async (e) =>
      new Uint8Array(await crypto.subtle.digest("SHA-1", ge(e))).reduce(
        (n, t) => n + (t + 256).toString(16).slice(1),
        "",
      ),
    gm = async (e) => ts(await crypto.subtle.digest("SHA-256", ge(e))),
    lt = async (e) => (await gm(e)).slice(0, 22);
  function Na(e, n) {
    let t = e.length ^ n.length;
    for (let r = 0; r < e.length; r++) t |= e.charCodeAt(r) ^ n.charCodeAt(r);
    return t === 0;
  }
  var $a = (e) => async (n) => {
      const t = { name: "HMAC", hash: "SHA-256" },
        r = await crypto.subtle.importKey("raw", ge(e), t, !1, ["sign"]);
      return ts(await crypto.subtle.sign("HMAC", r, ge(n)));
    },
    Ia = (e) => ts(ge(e)),
    Pa = new Map();
  async function _a(e) {
    const n = Pa.get(e) ?? (await ym(e));
    return Pa.set(e, n), n;
  }
  var qt = new WeakMap();
  function bm(e) {
    const n = new Set(),
      t = () => {
        qt.delete(e);
        for (const o of n) o();
      },
      r = { callbacks: n, listener: t };
    return qt.set(e, r), e.addEventListener("abort", t, { once: !0 }), r;
  }
  function Fa(e, n) {
    const t = qt.get(e) ?? bm(e),
      r = () => n();
    return (
      t.callbacks.add(r),
      () => {
        t.callbacks.delete(r),
          !(t.callbacks.size > 0) && (e.removeEventListener("abort", t.listener), qt.get(e) === t && qt.delete(e));
      }
    );
  }
  var hm = 2 ** 31 - 1;
  function vn(e, n, t, r, o) {
    const s = r?.timers ?? globalThis,
      i = s.setTimeout(t, Math.min(e, hm));
    o && i.unref?.();
    const a = n && Fa(n, t);
    return () => {
      s.clearTimeout(i), a?.();
    };
  }
  var fn = (e, n, t, r) =>
    new Promise((o) => {
      const s = (a) => {
          i(), o(a);
        },
        i = vn(n, t, () => s(), r);
      t?.aborted ? s() : e?.then(s);
    });
  async function Ge(e, n, t) {
    await fn(void 0, e, n, t), n?.throwIfAborted();
  }
  var wm = /(?=[\w%+/=-]*\d)[\w%+/=-]{20,}|[\w%+/=-]{40,}/g,
    xm = /, with args.*|\w+:\/\/\S+/gs,
    Va = (e) => Array.from(new TextEncoder().encode(e));
  function km(e) {
    const n = Va(e);
    return [0, 1, 2].flatMap((t) => {
      const r = [...Array.from({ length: t }, () => 0), ...n],
        o = btoa(String.fromCharCode(...r)),
        s = Math.ceil((t * 8) / 6),
        i = o.slice(s, Math.floor((r.length * 8) / 6));
      return [i, i.replaceAll("+", "-").replaceAll("/", "_")];
    });
  }
  function qa(e) {
    let n = JSON.stringify(e).slice(1, -1),
      t = Va(e).map((o) => o.toString(16).padStart(2, "0")),
      r = e;
    try {
      r = encodeURIComponent(e);
    } catch {}
    return [e, n, JSON.stringify(n).slice(1, -1), r, t.join("")];
  }
  var Rm = (e) =>
    e.flatMap(([n, ...t]) =>
      t.slice(/^EVAL/i.test(`${n}`) ? 1 : 0).flatMap((r) => {
        const o = `${r}`;
        return o.length < 16 ? [] : o;
      }),
    );
  function Ha(e, n = "") {
    let t = new Map(),
      r;
    function o(s) {
      r ??= {
        ofToken: n.length >= 6 ? [...qa(n), ...km(n)] : [],
        ofCommands: [...new Set([...new Set(Rm(e))].flatMap(qa))],
      };
      let i = s.length > 2e3 ? s.slice(0, 2e3).replace(/[^\s"']*$/, "\u2026") : s;
      i = i.replace(xm, "\u2026");
      for (const a of r.ofToken) i = i.replaceAll(a, "\u2026");
      for (const a of r.ofCommands) {
        const l = i.indexOf(a);
        l >= 0 && (i = `${i.slice(0, l)}\u2026`);
      }
      return i.replace(wm, "\u2026");
    }
    return (s) => {
      const i = `${s}`,
        a = t.get(i) ?? o(i);
      return t.set(i, a), a;
    };
  }
  var Ga = (e, n, t) => Ha(n, t)(e);
  function Ua(e, n, t) {
    const r = Ha(n, t),
      o = r(e.error);
    if (e.type === "refused") {
      const i = e.answers?.map((a) => (a?.error === void 0 ? a : { ...a, error: r(a.error) }));
      return { ...e, error: o, answers: i };
    }
    const { cause: s } = e;
    return { ...e, error: o, cause: s && Sm(s, r) };
  }
  function Sm(e, n) {
    const { name: t, message: r, code: o } = e;
    return Object.assign(new Error(n(r)), { name: n(`${t}`), code: o === void 0 ? o : n(`${o}`) });
  }
  var Da = { now: () => Date.now(), monotonic: () => performance.now() };
  function F(e) {
    const n = e.now(),
      t = e.monotonic();
    return () => Math.max(e.now() - n, e.monotonic() - t);
  }
  var Ln = (e, n) => e.get(n) ?? Math.min(0, ...e.values()),
    Em = 100;
  function Ba(e, n, t, r, o) {
    const s = t - r,
      i = o === void 0 ? s : Math.min(Math.max(Ln(e, n), s), t - o);
    e.size >= Em && e.clear(), e.set(n, i);
  }
  var Om = 0.99,
    rs = (e, n) => Math.min((n ?? 0) * Om, e());
  var Wa = (e) =>
    e &&
    (async (n) => {
      try {
        await e(n);
      } catch {}
    });
  var ct = (e, n, t = "", r) => (e === void 0 ? "" : t + encodeURIComponent(Y(e, n, 1, r))),
    Sr = (e) => e && `@${e}`;
  function Ue(e = "") {
    const [n, t] = e.split("@").map(decodeURIComponent);
    return { ...(n && { label: n }), ...(t && { holder: t }) };
  }
  var Am = /^([a-z\d-]+\.)*[a-z\d-]+(\.[a-z]{2,}|:\d+)(\/.*)?$/;
  function Tm(e) {
    const { protocol: n = "", host: t = "" } = URL.canParse(e) ? new URL(e) : {};
    return /^rediss?:$/.test(n) && t
      ? `"${n}//${t}" is Redis's own protocol: give the REST URL ("https://\u2026"), or a client over TCP as redis`
      : Am.test(e)
        ? `${N(e)} has no protocol: "https://${e}" or "http://${e}"?`
        : /^https?:$/.test(n)
          ? `"${n}//${t}" must be without user and password: give them as token`
          : t
            ? `"${n}//${t}" must begin with "https://" or "http://"`
            : 'is not a URL: it must begin with "https://" or "http://". It may be a token, so it is not shown';
  }
  function ja(e, n) {
    if (e === void 0 || e === "") throw O(TypeError, `${n} is missing: the https URL of the REST endpoint`);
    if (typeof e != "string") throw O(TypeError, `${n} must be text, not ${Ce(e)}`);
    const t = URL.canParse(e) ? new URL(e).href : "";
    if (/^https?:\/\/[^/@]*\//.test(t)) return t;
    throw O(TypeError, `${n} ${Tm(e)}`);
  }
  function Ka(e, n) {
    if (e === void 0 || e === "") throw O(TypeError, `${n} is missing: the API token of the endpoint`);
    if (typeof e != "string") throw O(TypeError, `${n} must be text, not ${Ce(e)}`);
    if (/\s/.test(e)) throw O(TypeError, `${n} has blanks or line ends in it: give it without`);
    if (!/^[!-~]+$/.test(e)) throw O(TypeError, `${n} has characters that no header can have`);
    return e;
  }
  function za(e) {
    if (e === null) return 0;
    const n = Number(e),
      t = Number.isNaN(n) ? Date.parse(e) - Date.now() : n * 1e3;
    return Number.isNaN(t) ? 0 : Math.max(t, 0);
  }
  function De(e, n) {
    return {
      type: "refused",
      code: /^(WRONGPASS|NOAUTH|NOPERM) /.test(e) ? "unauthorized" : "redis_error",
      error: e,
      ...n,
    };
  }
  function Vt(e) {
    const n = e.find((t) => t?.error)?.error;
    return n === void 0 ? { type: "answered", result: e[0]?.result, answers: e } : De(n, { answers: e });
  }
  var Mm = [
      ["not allowed", /notcapable|denied/i, /^bad port$|Requests to port \d+ are blocked/],
      ["not found", /enotfound/i, /dns error: (?!.*[Tt]emporary)/],
      [
        "no TLS",
        /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS_AVAILABLE|HTTP_REQUEST)$/,
        /wrong version number|TLS handshake failed|received corrupt message of type InvalidContentType/,
      ],
      [
        "not trusted",
        /^(CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/,
        /invalid peer certificate/,
      ],
      ["refused", /refused/i, /tcp connect error: Connection refused/],
      [
        "unreachable",
        /connect[ _]|eai_/i,
        /tcp connect error|dns error: |tls handshake eof|disconnected before secure TLS connection was established/,
      ],
    ],
    Cm = /\(Connect\)/,
    vm = new Set(["no TLS", "not trusted"]);
  function os(e) {
    const { syscall: n = "", code: t = "", name: r = "", message: o, errors: s } = Object(e);
    if (s?.length) {
      const l = s.map(os);
      return l.includes(void 0) ? void 0 : l[0];
    }
    const i = `${o}`;
    return Mm.find(([, l, c]) => l.test(`${t}`) || l.test(r) || l.test(`${n} `) || c.test(i))?.[0];
  }
  function Ja(e) {
    const { cause: n = e, name: t } = Object(e),
      { name: r = "Error", message: o, code: s } = Object(n),
      i = `${s ?? t ?? r}`,
      a = Object.assign(new Error(`${o}`), { name: r, code: s }),
      l = os(e) ?? os(n),
      c = Cm.test(`${o}`);
    return l !== void 0 && (!c || vm.has(l))
      ? { type: "not sent", error: i, cause: a, reason: l }
      : { type: "unknown", error: i, cause: a, looksUnreachable: c, reason: l };
  }
  function Ya(e, n, t, r, o, s) {
    const i = new AbortController();
    return new Promise((a) => {
      const l = (u) => {
          d(), a(u);
        },
        c = () => {
          i.abort(), l({ type: "unknown", error: "time-out" });
        },
        d = vn(t, r, c, o);
      r?.aborted ? c() : e(n, i.signal, s).then(l);
    });
  }
  var Qa = new Set([408, 499]),
    Lm = { 521: "refused", 523: "unreachable", 525: "no TLS", 526: "not trusted", 530: "not found" };
  function Pm(e, n) {
    const t = `HTTP ${e} without JSON`,
      r = Lm[e];
    return r !== void 0
      ? { type: "not sent", error: `HTTP ${e}`, reason: r }
      : e >= 400 && e < 500 && !Qa.has(e)
        ? De(t, { code: "malformed_answer" })
        : { type: "unknown", error: t, retryAfterMs: n };
  }
  function Nm(e, n, t) {
    const r = n.error ?? `HTTP ${e}`;
    return Qa.has(e)
      ? { type: "unknown", error: r, retryAfterMs: t }
      : e < 500
        ? De(r, { retryAfterMs: t, ...(!n.error && { code: "malformed_answer" }) })
        : { type: "unknown", error: r, retryAfterMs: t, failsAgain: e <= 501 };
  }
  function $m(e) {
    try {
      return JSON.parse(e) ?? {};
    } catch {
      return;
    }
  }
  async function Im(e, n, t) {
    const { status: r, ok: o } = e,
      s = await e.text();
    if (r === 401 || r === 403) return De("the API token was refused", { code: "unauthorized" });
    if (r === 429) return De("too many requests", { code: "rate_limited", retryAfterMs: t });
    const i = $m(s);
    return i ? (o ? Vt(n && Array.isArray(i) ? i : [i]) : Nm(r, i, t)) : Pm(r, t);
  }
  var _m = (e) => (e > 0 ? { prefer: `wait=${Math.ceil(e / 1e3)}; ms=${e}` } : {});
  function Fm({ headers: e }) {
    if (!/^wait\b/i.test(e.get("preference-applied") ?? "")) return;
    const [, n = 0] = /\bhold;dur=([\d.]+)/i.exec(e.get("server-timing") ?? "") ?? [];
    return Number(n) || 0;
  }
  function ss(e, n, t) {
    const r = e.replace(/\/?([?#].*)?$/, "/pipeline$1"),
      o = {
        method: "POST",
        headers: { authorization: `Bearer ${n}`, "content-type": "application/json" },
        ...("cache" in Request.prototype && { cache: "no-store" }),
      };
    async function s(i, a, l, c) {
      let d = 0;
      try {
        const u = { ...o.headers, ..._m(c) },
          f = await t(l ? r : e, { ...o, headers: u, body: i, signal: a });
        f.ok || (d = za(f.headers.get("retry-after")));
        const m = await Im(f, l, d);
        return m.type === "answered" && c > 0 ? { ...m, heldMs: Fm(f) } : m;
      } catch (u) {
        return { ...Ja(u), retryAfterMs: d };
      }
    }
    return async (i, a, l, c = 0) => {
      const d = JSON.stringify(l ? [i, ...l] : i),
        u = await s(d, a, l !== void 0, c);
      return u.type === "answered" ? u : Ua(u, l ? [i, ...l] : [i], n);
    };
  }
  function mn(e) {
    const { connection: n = e } = Object(e);
    return n?.retentionMs ? n : is("a connection is missing: connect makes one");
  }
  var se = (e) => 0.9 * e.requestTimeoutMs,
    Er = ({ port: e, random: n, clock: t }, r) => ({
      port: e,
      random: n,
      spreadMs: () => r,
      pause: (o, s) => Ge(o, s, t),
      leave() {},
    });
  function is(e) {
    throw O(TypeError, e);
  }
  var Za = (...e) => globalThis.fetch(...e);
  function qm({ redis: e, url: n, token: t, fetch: r }) {
    if (e !== void 0) {
      const { port: s, server: i, client: a } = Object(e);
      if (s) return [s, i];
      const { baseUrl: l = "", headers: c } = Object(a);
      return (
        c?.authorization ||
          is(
            `redis must be an @upstash/redis client with url and token, or one in its port (leasehold/ioredis, leasehold/node-redis, leasehold/bun), not ${N(e)}`,
          ),
        [ss(l, c.authorization.slice(7), Za), l]
      );
    }
    const o = ja(n, "url");
    return [ss(o, Ka(t, "token"), be(r ?? Za, "fetch")), o];
  }
  var Vm =
    "url token redis fetch prefix lease retention requestTimeout dialect holder serverId onEvent trace around ticketKey clock random";
  function Xa(e) {
    const n = e ?? {};
    D(n, Vm);
    const { prefix: t = "leasehold:", serverId: r, ticketKey: o } = n,
      [s, i] = qm(n),
      a = i.replace(/^\w+:\/\/(.*@)?|\/?([?#].*)?$/g, "");
    /[{}]/.test(Y(t, "prefix", 0)) && is(`prefix ${N(t)} must be without braces`);
    const l = U(n.requestTimeout ?? 5e3, "requestTimeout"),
      c = 2 * l,
      d = U(n.retention ?? Math.max(6e4, c), "retention");
    if (d < c) throw O(RangeError, `retention ${N(n.retention)} is too short: at least twice requestTimeout, ${c} ms`);
    return {
      prefix: t,
      port: s,
      server: a,
      serverId: r === void 0 ? void 0 : Y(r, "serverId"),
      leaseMs: tt(n.lease ?? 3e4),
      retentionMs: d,
      requestTimeoutMs: l,
      holder: ct(n.holder, "holder", "@", 200),
      clock: n.clock ?? Da,
      random: be(n.random ?? Math.random, "random"),
      sign: o === void 0 ? void 0 : $a(Y(o, "ticketKey")),
      emit: Wa(n.onEvent && be(n.onEvent, "onEvent")),
      trace: n.trace && be(n.trace, "trace"),
      around: n.around && be(n.around, "around"),
      state: {
        offsets: new Map(),
        dialect: st(
          n.dialect ?? (/\.upstash\.io([:/]|$)/.test(a) ? "flagged" : "plain"),
          "dialect",
          "plain or flagged",
        ),
        due: 0,
        uses: new Map(),
      },
    };
  }
  function de() {
    let e = 0,
      n,
      t = !1,
      r = () => 0,
      o = !1,
      s = [];
    function i() {
      return e > 0 || n !== void 0 || t || s.some((a) => a.isOpen());
    }
    return {
      isOpen: i,
      owesCancel: () => o || i(),
      ageMs: () => Math.max(n?.since() ?? 0, r()),
      sends(a, l) {
        return (
          e++,
          {
            answered(c = 0) {
              e--, n && c > n.voidAfterUs && (n = void 0);
            },
            unanswered() {
              e--, (n = { since: n?.since ?? a, voidAfterUs: Math.max(n?.voidAfterUs ?? 0, l) });
            },
          }
        );
      },
      mayHold(a) {
        !t && a && (r = a), (t = !0);
      },
      joinsQueue() {
        o = !0;
      },
      leavesQueue() {
        o = !1;
      },
      covers(a) {
        s = [...s, a];
      },
    };
  }
  var as = (e, n) => n - e.ageMs();
  var ls = /^(LOADING|READONLY|\w+DOWN|TRYAGAIN|BUSY) /,
    cs = {
      refused: {
        passes: "soon",
        says: (e, n) => `${e} refused the connection (${n}): check its port, and that the server runs`,
      },
      unreachable: { passes: "soon", says: (e, n) => `${e} cannot be reached (${n})` },
      "not found": { passes: "if known", says: (e, n) => `the host ${e} is not found (${n}): check the url` },
      "no TLS": {
        passes: "never",
        says: (e, n) => `${e} does not speak TLS (${n}): use http:// instead of https://, or its other port`,
      },
      "not trusted": {
        passes: "never",
        says: (e, n) => `the certificate of ${e} is not trusted (${n}): check the url, or trust its issuer`,
      },
      "not allowed": {
        passes: "never",
        says: (e, n) => `a connection to ${e} is not allowed (${n}): allow it (Deno: --allow-net), or use another port`,
      },
    },
    el = (e) => e.type === "not sent" || (e.type === "unknown" && !e.failsAgain),
    nl = (e) => e.type === "not sent" || (e.type === "unknown" && e.looksUnreachable === !0),
    tl = (e, { state: n }) =>
      "reason" in e && e.reason !== void 0 && cs[e.reason].passes === "if known" && n.offsets.size === 0;
  function Hm(e) {
    return e.type === "not sent"
      ? cs[e.reason].passes !== "never"
      : el(e)
        ? !0
        : (e.type === "refused" && e.code === "rate_limited") || ls.test(e.error);
  }
  function Gm(e, n) {
    const { reason: t, error: r, cause: o } = e;
    return t === void 0 ? `${r} (${n})` : cs[t].says(n, r === "TypeError" ? (o?.message ?? r) : r);
  }
  function Um(e, n, t) {
    return /^NOPERM/.test(n)
      ? `${n}: use a token that may run scripts, the read-write token of the database`
      : e === "unauthorized"
        ? `${n} by ${t}: check it`
        : e === "malformed_answer"
          ? `${t} answered ${n}: check the url, its path too`
          : n;
  }
  var ds = ({ server: e }) => e.split("/")[0] || "the server";
  function rl({ name: e, connection: n }, t, { cause: r = t.cause, isDoubted: o = !1 } = {}) {
    const { error: s, retryAfterMs: i } = t,
      a = ds(n);
    if (el(t)) {
      const d = Gm(t, a),
        u = t.type === "not sent" && !o;
      return new H(e, u ? `nothing was sent: ${d}` : d, r);
    }
    if (/^WRONGTYPE/.test(s)) return at(e, "foreign");
    const { code: l } = t.type === "refused" ? t : De(s),
      c = Um(l, s, a);
    return l === "rate_limited" ? new $(l, c, { retryAfterMs: i }) : new $(l, c);
  }
  var ol = (e) => (Hm(e) ? "passing" : "final");
  var us = ({ budgetMs: e, awayAtMs: n, insists: t }) => (n === void 0 || t ? e : Math.min(e, n + 700)),
    sl = (e, n) => Math.min(e, 0.4 * Math.max(e, n));
  function Dm({ spreadMs: e, failures: n, random: t }) {
    const r = Math.max(1, e / 50) ** 0.25;
    return (0.5 + t() / 2) * 50 * r ** n;
  }
  function Bm({ retryAfterMs: e, random: n }, t) {
    if (e === 0) return 0;
    const r = 0.8 * (t - e - 25),
      o = Math.max(0, Math.min(0.5 * e, r));
    return e + n() * o;
  }
  function Or(e) {
    const { setback: n, late: t, failures: r, made: o, most: s, elapsedMs: i, rememberedMs: a } = e,
      l = o < s,
      c = n === "unknown script" || n === "refused flag",
      d = n === "late" && t < 3;
    if (l && (c || d)) return { retry: "now" };
    const u = Math.min(us(e) - i, a),
      f = Math.max(Math.min(Dm(e), 0.8 * u), Bm(e, u)),
      m = n === "passing" || n === "late",
      p = o + 1 >= s || r + 1 === 6,
      y = u - f >= 25;
    return m && !p && y ? { retry: "later", delayMs: f } : { retry: "never" };
  }
  var Wm = 0.2,
    jm = 500,
    Km = 20;
  function il({ hold: e, mostHoldMs: n = Number.POSITIVE_INFINITY }, t) {
    if (!e || e.isOver) return 0;
    const r = Math.min(jm, t * Wm),
      o = t - (e.isSlow ? 2 * r : r),
      s = Math.ceil(Math.min(e.leftMs(), n, o));
    return s < Km ? 0 : s;
  }
  function al({ hold: e }, { holdMs: n, limitMs: t, since: r }, { heldMs: o, isAnswered: s, isUnanswered: i }) {
    if (e && (s && (e.wasHeld = o !== void 0), n > 0 && i)) {
      const a = r() >= t;
      (e.isOver = !a || e.isSlow === !0), (e.isSlow = a);
    }
  }
  var cl = `#!lua flags=allow-key-locking
`,
    ll = { integer: Number.isSafeInteger, text: (e) => typeof e == "string" };
  function dl(e, n, t = "the server") {
    const [r, o, ...s] = Array.isArray(n) ? n : [],
      i = typeof r == "string" && Object.hasOwn(e.replies, r),
      a = Object.entries((i && e.replies[r]) || {});
    if (!(i && ll.integer(o) && a.length === s.length && a.every(([, c], d) => ll[c](s[d]))))
      throw new $("malformed_answer", `${t} gave an answer that the script cannot give: check the url`);
    return { status: r, now: o, ...Object.fromEntries(a.map(([c], d) => [c, s[d]])) };
  }
  var ul = ({ now: e, clockRead: n }) => (n === 0 ? void 0 : e);
  var zm = { attempts: 0, failures: 0, late: 0, byText: !1, awayAtMs: void 0, isHopeless: !1, cause: void 0 };
  async function Jm(e, n) {
    const { target: t, record: r, script: o, args: s, call: i } = e,
      { connection: a, keys: l } = t,
      { clock: c, state: d, requestTimeoutMs: u } = a,
      { leastMs: f = 25, moreMs: m = 0, waits: p = !1 } = i,
      y = p && !n.isHopeless,
      g = d.dialect === "flagged",
      b = g ? cl + o.lua : o.lua,
      h = await _a(b);
    i.signal?.throwIfAborted();
    const w = as(e.doubt, a.retentionMs);
    if (w <= 0) throw new H(t.name, "no answer for too long");
    const k = us({ budgetMs: e.budgetMs, awayAtMs: n.awayAtMs, insists: y }) - e.elapsed(),
      L = Math.min(sl(u, e.budgetMs), Math.max(k, f)) + m,
      P = c.now(),
      z = F(c),
      V = Math.floor((P + Ln(d.offsets, r) + Math.min(L, w)) * 1e3);
    d.due = Math.max(d.due, V);
    const le = "late" in o.replies,
      Ee = n.byText ? ["EVAL", b] : ["EVALSHA", h],
      en = le ? [V] : [];
    return {
      command: [...Ee, l.length, ...l, ...en, ...s],
      isFlagged: g,
      limitMs: L,
      sentAt: P,
      since: z,
      voidAfterUs: le ? V : Number.POSITIVE_INFINITY,
      holdMs: il(i, Math.min(L, w)),
    };
  }
  function Ym({ target: e, route: n, call: t }, { command: r, limitMs: o, holdMs: s }) {
    const { port: i } = n,
      a = s > 0 ? (...l) => i(l[0], l[1], l[2], s) : i;
    return Ya(a, r, o, t.signal, e.connection.clock, t.behind);
  }
  function Qm({ script: e, target: n }, { byText: t }, { isFlagged: r }, o) {
    if (o.type === "answered") {
      const { answers: s, result: i, heldMs: a } = o,
        l = dl(e, i, ds(n.connection));
      return l.status === "late"
        ? { type: "late", reply: l, failure: De("TRYAGAIN too late") }
        : { type: "replied", reply: l, answers: s, heldMs: a };
    }
    return !t && /^NOSCRIPT/.test(o.error)
      ? { type: "unknown script", failure: o }
      : r && /in script shebang/.test(o.error)
        ? { type: "refused flag", failure: o }
        : { type: "failed", failure: o };
  }
  function Zm({ target: e, record: n, call: t, doubt: r }, { attempts: o }, s, i, a) {
    const { clock: l, state: c } = e.connection,
      { operation: d } = t,
      u = "reply" in a ? a.reply : void 0,
      f = "reply" in a ? void 0 : a.failure,
      m = u && ul(u);
    a.type === "late" || f?.type === "unknown" ? i.unanswered() : i.answered(m);
    const p = f?.error ?? "";
    e.emit?.({
      type: "request",
      operation: d,
      attempt: o + 1,
      durationMs: s.since(),
      status: u?.status,
      why: p,
      server: e.connection.server.split("/")[0] ?? "",
    });
    const y = "heldMs" in a ? a.heldMs : void 0;
    if (
      (al(t, s, { heldMs: y, isAnswered: u !== void 0, isUnanswered: f?.type === "unknown" }),
      y !== void 0 && r.joinsQueue(),
      m !== void 0)
    ) {
      const g = s.sentAt + rs(s.since, y);
      Ba(c.offsets, n, m / 1e3, l.now(), y === void 0 ? void 0 : g);
    }
  }
  async function Xm(
    { target: e, call: n, route: t, tries: r, doubt: o, budgetMs: s, elapsed: i },
    a,
    { type: l, failure: c },
  ) {
    const { connection: d, emit: u } = e,
      { signal: f, operation: m, waits: p = !1 } = n,
      y = a.isHopeless || tl(c, d),
      g = p && !y,
      b = l === "late" ? a.late + 1 : a.late,
      h = a.awayAtMs ?? (nl(c) ? i() : void 0),
      w = l === "failed" ? ol(c) : l,
      k = c.cause ?? a.cause,
      { failures: L } = a,
      P = { ...a, attempts: a.attempts + 1, late: b, awayAtMs: h, isHopeless: y, cause: k },
      z = Or({
        setback: w,
        late: b,
        failures: L,
        made: r.made,
        most: r.most,
        elapsedMs: i(),
        budgetMs: s,
        spreadMs: t.spreadMs(),
        awayAtMs: h,
        insists: g,
        random: t.random,
        rememberedMs: as(o, d.retentionMs),
        retryAfterMs: c.retryAfterMs ?? 0,
      });
    if (z.retry === "now")
      return (
        l === "refused flag" && (d.state.dialect = "plain"),
        { ...P, byText: l === "unknown script" || (l === "late" && a.byText) }
      );
    const V = rl(e, c, { cause: k, isDoubted: o.isOpen() });
    if (((w === "passing" || w === "late") && r.made++, z.retry === "never")) throw V;
    const { delayMs: le } = z;
    if ((u?.({ type: "retried", operation: m, why: c.error, delayMs: le }), await t.pause(le, f), r.made >= r.most))
      throw V;
    return { ...P, failures: L + 1 };
  }
  function ep({ target: e, call: n, tries: t }, r, { reply: o, answers: s, heldMs: i }) {
    if (o.status === "kind") throw at(e.name, o.kind);
    t.made++, n.heard?.(e, o);
    const { sentAt: a, since: l } = r,
      c = rs(r.since, i);
    return { ...o, sentAt: a + c, since: () => l() - c, wasHeld: i !== void 0, answers: s };
  }
  async function M(e, n, t, r) {
    const { connection: o, keys: s } = e,
      { doubt: i = de(), tries: a = { made: 0, most: Number.POSITIVE_INFINITY } } = r,
      { budgetMs: l = se(o), routes: c = Er } = r,
      d = {
        target: e,
        record: s[0],
        script: n,
        args: t,
        call: r,
        doubt: i,
        tries: a,
        route: c(o, l),
        budgetMs: l,
        elapsed: F(o.clock),
      };
    try {
      return await np(d);
    } finally {
      d.route.leave();
    }
  }
  async function np(e) {
    let n = zm;
    for (;;) {
      const t = await Jm(e, n),
        r = e.doubt.sends(t.since, t.voidAfterUs),
        o = await Ym(e, t),
        s = Qm(e, n, t, o);
      if ((Zm(e, n, t, r, s), s.type === "replied")) return ep(e, t, s);
      e.call.signal?.throwIfAborted(), (n = await Xm(e, n, s));
    }
  }
  var dt = `local function X(b)local a=(b or 8e15)-8e15 return a%256,math.floor(a/256)*1000 end local function ac(f,c)local a=math.floor(c/1000)*256+math.min(f,256-1)return string.format('%.0f',8e15+a)end local function aj(c)return 4e15+math.floor(c/8)+c%1 end
`,
    S = `local aq=redis.call('TIME')local a=aq[1]*1000000+aq[2]
`,
    fl = `local function d(b,a)return redis.call('ZCOUNT',KEYS[2],b,a)end local j,c=d(a,4e15),d(-4e15,-a)local b=d(-9e15,-4.5e15-a)if j>0 then local c=redis.call('ZREVRANGEBYSCORE',KEYS[2],4e15,a,'WITHSCORES','LIMIT',0,1)[2]m=math.max(m,c)end
`,
    B = `local i=KEYS[2]local function N()redis.call('PEXPIRE',i,ah())end
`;
  var Be = `local function W(b,y)if g==math.huge then return{'lost',a,'gone'}end I(b,'C',y)return Q()or{'closed',a}end
`,
    ee = `local an={R='released',C='released',E='expired',F='forced'}local function O(b,d,H,a)H=t(b)or H if e>d and(not H or H=='E')then return not H and a or'taken'end return an[H]or e==d and'released'or'gone'end
`,
    Ar = `local u,n=G:match('^%S* %S* %d+ %d+ (%d+) (%d+)')u,n=tonumber(u or 0),tonumber(n or 0)local function M()D()s=s..string.format(' %.0f %.0f',u,n)end
`,
    ut = `local A=redis.call('GET',KEYS[1])or'fence 1 0 0 0 'local i,e,n,r=A:match('^fence 1 (%d+) (%d+) (%d+) (.*)$')if not i then local b,c=A:match('^(%a+) (%d+) ')return{'kind',a,b and b..'/'..c or'foreign'}end i,e=tonumber(i),tonumber(e)local k=r:sub(n+1)
`,
    C = `if a>tonumber(ARGV[1])then return{'late',a}end
`,
    ft = `local j=h=='latch'and g>a local y,c,f=(j and s or'0 0 0'):match('^(%d+) (%d+) (%d+)$')y,c,f=tonumber(y),tonumber(c),tonumber(f)local function D()h,s='latch',string.format('%.0f %.0f %.0f',y,c,f)end
`,
    ve = `local G=h==k and s~=''and s or'  0 0'local B,E,v,C=G:match('^(%S*) (%S*) (%d+) (%d+)')v,C=tonumber(v),tonumber(C)local function D()h,s=k,string.format('%s %s %.0f %.0f',B,E,v,C)end local function P(a)v=math.max(v==0 and a or v+(a-v)/8,0)end
`,
    We = `local function aa(b)local j,B,E=b:match('^(.+)#(%d+)(.*)$')local m={not j and b or nil}for i=1,math.min(B or 0,1000)do m[i]=j..'#'..i..E end return m end local function Z(b)return b%1>0 and'F'or'E'end
`,
    mt = `local i,B,x,j=0,'','',''if h=='once'and g>a then i,B,x,j=s:match('^(%d+) (%S*) (%S*) (.*)$')i=tonumber(i)end local function D()h,s='once',string.format('%.0f %s %s %s',i,B,x,j)end
`,
    pt = `local function ag()return string.format('%.1f',a-0.5)end local function Z()local m=redis.call('ZRANGEBYSCORE',i,a+1,4e15)redis.call('ZREMRANGEBYSCORE',i,-1e16,0)redis.call('ZREMRANGEBYSCORE',i,4.5e15,1e16)for a=1,#m,2000 do local l={}for i=a,math.min(a+2000-1,#m)do table.insert(l,ag())table.insert(l,m[i])end redis.call('ZADD',i,unpack(l))end return#m>0 end
`,
    Tr = `local function ag(c,b)local e,m,H=redis.call('ZRANGEBYSCORE',i,b,a,'WITHSCORES','LIMIT',0,c),{},{}for i=1,#e,2 do local d,b=e[i],e[i+1]+0 local c,r=d:match('^([tw])(.+)')local B='t'..d:sub(1,36)if b>=-a or b<-1e18 then table.insert(m,d)if c then table.insert(m,(c=='w'and'p'or'n')..r)elseif H[#H]~=B then table.insert(H,ab(Z(b)=='F'and 4 or 5))table.insert(H,B)end end end return m,H end local function ar(f,E)return not f or f>0 and f<E end local function an()return unpack(redis.call('ZRANGEBYSCORE',i,a+1,4e15,'WITHSCORES','LIMIT',0,1))end local function ao(d)return d:match('@(.*)$')or''end local function Q(b,d)local c,f=0,0 for E,b in ipairs(redis.call('ZMSCORE',i,unpack(aa(b))))do b=tonumber(b or 0)if b>a then c,f=b,f+1 end end if f>0 then return{'granted',a,d,c-a,f}end end local function W(b,E,k,d,f,p,H)e=math.max(e+1,a)local c,l=a+d*1000,{ak(e),'t'..b:sub(1,36)}if k=='counter'then c,l[1]=0,ab(1)else for E,d in ipairs(aa(b))do table.insert(l,string.format('%.0f',c))table.insert(l,d)end end g=math.max(g,c,B and a+f*1000 or 0)if h~=k and h~='none'then redis.call('UNLINK',i)p,H={},nil end for E,m in ipairs(H or{})do table.insert(l,m)end redis.call('ZADD',i,unpack(l))if#p>0 then redis.call('ZREM',i,unpack(p))end D(k)N()w()return{'granted',a,e,(c>0 and c or g)-a,E}end
`,
    yt = `local function ae(k)return 4.5e15+k end local function ad(b)return b-4.5e15 end local function at(m,c)local a={}for E,d in ipairs(m)do local b=d:match('^w(.+)')if b~=c then table.insert(a,d)if b then table.insert(a,'p'..b)end end end if a[1]then redis.call('ZREM',i,unpack(a))end end local function aj(c,d,u,O,y)if d==0 then d,u=10000,10000 end local a=(u+500)*math.sqrt(c+1)local b=math.min(math.max(1750,55*math.sqrt(a),(O-d)/16),200000)local e=math.max(d-O,0)+c*(d+2000)+b-a return math.floor(math.min(math.max(e,b),2000000,c>0 and 2000000 or y+1000))end local function am(a,k,d,...)g=math.max(g,d)return redis.call('ZADD',i,'LT',-d,'w'..a,ae(k),'p'..a,...)end local function al(a)redis.call('ZREM',i,'p'..a,'w'..a)end local function aw()return-(redis.call('ZRANGEBYSCORE',i,-4e15,-a,'LIMIT',0,1,'WITHSCORES')[2]or 0)end local function as()return redis.call('ZCOUNT',i,-4e15,string.format('(%.0f',-a))end
`,
    Mr = `local b,d=ARGV[2],tonumber(ARGV[3])local g,G,f={},nil,1 while f<=tonumber(n)do local d=f+36+16 local a=d+3 local c=a+r:sub(d,a-1)-1 table.insert(g,r:sub(f,c))if r:sub(f,f+36-1)==b then G=r:sub(a,c)end f=c+1 end if not G then local j=tonumber(ARGV[5])if j>a or(j<=e and e<=a)then return{'forgotten',a,i}end if d<i then return{'stale',a,i}end end local function l(c)return c:sub(36+1,36+16)end local function j(c,h)table.insert(g,string.format('%s%016.0f%03d',b,a,#c)..c)while#g>64 or l(g[1])<string.format('%016.0f',a-60000000)do e=math.max(e,l(table.remove(g,1)))end local d=table.concat(g)local f=string.format('fence 1 %.0f %.0f %d ',h,e,#d)..d..k redis.call('SET',KEYS[1],f,'PX',ARGV[4])end
`,
    T = `local K=KEYS[1]local A=redis.call('GET',K)
`,
    gt = `local J=redis.call('MGET',unpack(KEYS))
`,
    Cr = `if z(ARGV[1])then return{'kind',a,h}end if g<=a then return{'free',a,e}end local m,f=L()
`,
    E = `A=A or'none 1 0 0   'local h,e,g,F,U,s=A:match('^(%a+) 1 (%d+) (%d+) ()')local Y=F and A:find(' ',F,true)local r=Y and A:find(' ',Y+1,true)if r and(' none lock fair rw once semaphore counter latch '):find(' '..h..' ',1,true)then F,U,s=A:sub(F,Y-1),A:sub(Y+1,r-1),A:sub(r+1)else h=(A:match('^(%a+ %d+) ')or'foreign'):gsub(' ','/')e,g,F,U,s=0,math.huge,'','',''end e,g=tonumber(e),tonumber(g)local l,T={}local function I(b,t,y)local c=b:sub(25,36)..t l[b],T=nil,true if y==0 then local P=F:find(';',1,true)or#F+1 F=(F:sub(1,P-1)..c):sub(-64*13)..F:sub(P)else local b,e=string.format(';%.0f:',math.ceil((y or a+q*1000)/1000000))F,e=F:gsub(b,'%0'..c)if e==0 then F=F..b..c end end end for b,c in U:gmatch('([^:,]+):(%d+)')do l[b]=tonumber(c)if l[b]<=a then I(b,'E')end end local function t(b)local f=F:find(b:sub(25,36),1,true)return f and F:match('^%u',f+13-1)end local function z(k)return h~=k and g>a end local function L()local m,f=0,0 for E,c in pairs(l)do m,f=math.max(m,c),f+1 end return m,f end local function af()local m={}for b in pairs(l)do table.insert(m,b)end table.sort(m)return m end local function V(a)for E,b in ipairs(af())do I(b,a)end end local function ah()return math.ceil(math.max(g-a,e-a,0)/1000)+q end local function w(c)local U=''for E,b in ipairs(af())do U=U..string.format('%s:%.0f,',b,l[b])end if F:find(';',1,true)then F=F:gsub(';(%d+)[^;]*',function(y)if y*1000000<a then return''end end)end local d=string.format('%s 1 %.0f %.0f %s %s ',h,e,g,F,U)return(c or redis.call)('SET',K,d..s,'PX',ah(),'GET')end
`,
    Le = `local function ak(d)return string.format('%.0f',d*1024)end local function ab(t)local ag=math.floor((a+q*1000)/10)*10 return string.format('%.0f',-(ag+t)*1024)end local function S(b)b=tonumber(b or 0)/1024 if b<0 then return 0,-b%10,-b end return b end local function ap(t)return('R CFE'):sub(t,t)end
`,
    bt = `local G=h=='rw'and s~=''and s or'0   0 0 'local n,B,E,v,x=G:match('^(%d+) (%S*) (%S*) (%d+) (%d+) $')n,v,x=tonumber(n),tonumber(v),tonumber(x)local function D()h,s='rw',string.format('%.0f %s %s %.0f %.0f ',n,B,E,v,x)end local function ae()return tonumber(redis.call('ZREVRANGEBYSCORE',i,4e15,a+1,'WITHSCORES','LIMIT',0,1)[2]or 0)end local function ad(d)return-4.5e15-d end local function am(b)return-4.5e15-b end local function M()local m=redis.call('ZRANGEBYSCORE',i,-9e15,ad(a+1),'WITHSCORES','LIMIT',0,1)return m[2]and am(m[2])or 0 end local function al(b)local m=n>a and redis.call('ZRANGEBYSCORE',i,-4e15,-a-1,'WITHSCORES','LIMIT',0,2)or{}n=math.max(0,-(m[m[1]=='w'..b and 4 or 2]or 0))end
`,
    ml = `local C,O,u,p={},{},{},{[o]=0}local function Q(k,b)local f,m=X(b)if f>p[k]then table.insert(O,ac(f-p[k],m))table.insert(O,'o'..k)else table.insert(C,'o'..k)end end local function aa()local J,f={b,'r'..j,'o'..o,'w'..j},{}local e=redis.call('ZRANGEBYSCORE',i,-a,a,'WITHSCORES','LIMIT',0,50)for i=1,#e,2 do local d,c=e[i],e[i+1]+0 local k=d:match('^%x')and d:match('^[^@]*',36+1)if k and not p[k]then p[k]=0 table.insert(J,'o'..k)table.insert(f,k)end if k then p[k]=p[k]+1 end if k and d:find('@',36+1,true)then table.insert(C,'t'..d:sub(1,36))end if k and c>a-q*1000 then table.insert(O,string.format('%.1f',aj(c)))table.insert(O,d)elseif d~='w'..j then table.insert(C,d)end end u=redis.call('ZMSCORE',i,unpack(J))for i,k in ipairs(f)do Q(k,u[i+4])end end local function ai(c,l)if d then redis.call('UNLINK',i)C,O={},{}end local b={c}for E,m in ipairs(O)do table.insert(b,m)end for E,m in ipairs(l)do table.insert(b,m)end redis.call('ZADD',i,unpack(b))if#C>0 then redis.call('ZREM',i,unpack(C))elseif not d then redis.call('ZREMRANGEBYSCORE',i,4e15,aj(a-q*1000))end D()N()w()end
`,
    pn = `local G=(h=='semaphore'or h=='counter')and s~=''and s or' 0 0 0 0'local B,v,C,R,n=G:match('^(%S*) (%d+) (%d+) (%d+) (%d+)$')B,v,C=g>a and tonumber(B)or nil,tonumber(v),tonumber(C)R,n=tonumber(R),tonumber(n)local function D(k)local b=B and string.format('%.0f',B)or''h,s=k,string.format('%s %.0f %.0f %.0f %.0f',b,v,C,R,n)end local function av(f)return string.format('%.0f',f*1152921504606846976)end local function au(b)return(b or 0)/1152921504606846976 end local function X()return-1024*a end local function ac()local m=redis.call('ZRANGEBYSCORE',i,X(),-1e18,'LIMIT',0,25)for i=1,#m do table.insert(m,'n'..m[i]:sub(2))end return m end local function ai()return redis.call('ZCOUNT',i,a+1,4e15)end
`;
  var ne = `local function Q(d)local b=w(redis.pcall)if b and b.err and b.err:find('OOM',1,true)then redis.call('PEXPIRE',K,ah())b=w(redis.pcall)end if b and b.err then if not d or next(l)then return b end redis.call('DEL',K)end end
`,
    vr = `local function M(b)if g>0 then C=math.max(C+math.min((b-C)/8,3*v)+g-a,0)end end
`;
  var Pn = {
    lua:
      `local q=tonumber(ARGV[5])
` +
      S +
      C +
      T +
      E +
      ee +
      B +
      We +
      Le +
      dt +
      "local b,d=ARGV[2],tonumber(ARGV[3])local j,k,n=b:sub(1,36),b:match('^[^@]*',36+1),a+ARGV[4]*1000 local c,f,o,H=l[j],0,{},nil if c then f=select(2,L())if e~=d then c=nil end if c and n>c then l[j]=n end elseif h=='semaphore'or h=='rw'then local m=aa(b)local e=h~='semaphore'local u=redis.call('ZMSCORE',i,e and'o'..k or't'..j,unpack(m))local g=table.remove(u,1)for i,b in ipairs(u)do local d=tonumber(b or 0)if d>a and d<4e15 then c,f=math.min(c or d,d),f+1 table.insert(o,string.format('%.0f',math.max(d,n)))table.insert(o,m[i])elseif b then H=Z(d)end end if e and not s:find(' '..ARGV[3]..' ',1,true)then c=nil end if e and g and c then local a,m=X(g)f=math.max(f,a)table.insert(o,ac(f,math.max(m,c,n)))table.insert(o,'o'..k)elseif not e then local ad,a=S(g)if ad~=d then c=nil end if a then H=ap(a)end end end if not c then return{'lost',a,O(j,h=='semaphore'and math.huge or d,H),''}end if n>c then c,g=n,math.max(g,n)if#o>0 then redis.call('ZADD',i,unpack(o))N()end w()end return{'extended',a,c-a,f}",
    replies: {
      extended: { remaining: "integer", holds: "integer" },
      lost: { reason: "text", names: "text" },
      late: {},
    },
  };
  var tn = {
    lua:
      `local q=tonumber(ARGV[4])
` +
      S +
      C +
      T +
      E +
      ne +
      B +
      pt +
      "local b,k=ARGV[2],ARGV[3]if z(k)then return{'kind',a,h}end if not t(b)then local c=k=='fair'and next(l)and redis.call('ZRANGEBYSCORE',i,-4e15,-a,'WITHSCORES','LIMIT',0,1)[2]local d if k=='latch'then redis.call('ZCARD',i)elseif not c then d=Z()end local f=g>a and(k~='fair'and k~='rw'or next(l)or d)V('F')I(b,f and'F'or'N')h,e,g,s=k,math.max(e+1,a),c and-c or 0,c and s or''Q(true)if k=='latch'then redis.call('UNLINK',i)else N()end end return{'forced',a,e,t(b)=='F'and 1 or 0}",
    replies: { forced: { token: "integer", had: "integer" }, kind: { kind: "text" }, late: {} },
  };
  var ms = {
    lua:
      `local q=0
` +
      S +
      T +
      E +
      Cr +
      fl +
      "return{'live',a,e,g-a,f,math.max(m-a,0),'='..s,j,c,b}",
    replies: {
      free: { token: "integer" },
      live: {
        token: "integer",
        remaining: "integer",
        holds: "integer",
        left: "integer",
        body: "text",
        many: "integer",
        waiting: "integer",
        behind: "integer",
      },
      kind: { kind: "text" },
    },
  };
  var ps = {
    lua:
      `local q=tonumber(ARGV[4])
` +
      S +
      C +
      T +
      E +
      B +
      `local k='fair'
` +
      ve +
      Ar +
      yt +
      "local b,o,x=ARGV[2],ARGV[5],tonumber(ARGV[8])if z(k)then return{'kind',a,h}end if t(b)then return{'closed',a}end local m,f=L()local y,O=math.max(m-a,0),math.max(a-e,0)local c,H=l[b],{'held',a,y,O,v,0,1,0}if not c then if f>0 and o~=''and o==B then if ARGV[7]=='0'then return{'not_reentrant',a,y}end if f==64 then return{'too_many_holds',a}end else local j,c,e='p'..b,0,{}local function d()local c=redis.call('ZREVRANGEBYSCORE',i,ae(x),4.5e15,'WITHSCORES','LIMIT',0,100+1)return c[1]==j and ad(c[2])==x and#c/2-1 end if x>0 then c=d()if not c then return H end if c>0 and f==0 then e=redis.call('ZRANGEBYSCORE',i,-a,a,'LIMIT',0,8)if e[1]then at(e,b)c=d()end end elseif n>a and(x==0 or f==0)then c=as()end if f>0 or c>0 then local J=0 if x>=0 then J=#e==8 and 20000 or aj(c,v,u,O,y)local d,P=a+J+ARGV[9]*1000,x==0 local f=P and c==0 or d>math.min(n,g)if P then x=math.max(C+1,a)end if am(b,x,d)>1 then C=x elseif P then x,c=ad(redis.call('ZSCORE',i,j)),math.max(c-1,0)end if f then n=math.max(n,2*d-a)g=math.max(g,n)redis.call('PEXPIRE',i,math.ceil((n-a)/1000)+q)end if P or f or T then M()w()end end return{'held',a,y,O,v,c,J,x}end if x==C then n=0 end end if f==0 then e,B,E=math.max(e+1,a),o,ARGV[6]end c=a+ARGV[3]*1000 l[b],g,f=c,math.max(g,c),f+1 M()if x>0 or f>1 then al(b)end w()end return{'granted',a,e,c-a,f}",
    replies: {
      granted: { token: "integer", remaining: "integer", holds: "integer" },
      held: {
        remaining: "integer",
        age: "integer",
        tenure: "integer",
        ahead: "integer",
        back: "integer",
        ticket: "integer",
      },
      not_reentrant: { remaining: "integer" },
      too_many_holds: {},
      closed: {},
      kind: { kind: "text" },
      late: {},
    },
  };
  var ys = {
    lua:
      `local q,y=tonumber(ARGV[3]),tonumber(ARGV[4])
` +
      S +
      T +
      E +
      ee +
      ne +
      Be +
      B +
      `local k='fair'
` +
      ve +
      Ar +
      yt +
      "local b,d=ARGV[1],tonumber(ARGV[2])local p=d==0 local f=l[b]local o=t(b)if p and not o and z(k)then return W(b,y)end if not o and(p or f and e==d and not z(k))then I(b,p and'C'or'R',y)o='R'if p then al(b)n=aw()elseif not next(l)then u=u+(math.abs(a-d-v)-u)/8 P(a-d)end end if T and not z(k)then g=math.min(g,math.max(L(),n,a))M()local c=Q(f)if c then return c end end if p or o=='R'then return{'closed',a}end return{'lost',a,O(b,d,nil,'unknown')}",
    replies: { closed: {}, lost: { reason: "text" } },
  };
  var gs = {
    lua:
      S +
      C +
      ut +
      Mr +
      `local function h(c)if type(c)=='number'then return string.format('%.0f',c)end if not c then return'null'end if type(c)=='table'and not c.ok then local a={}for E,b in ipairs(c)do table.insert(a,h(b))end return'['..table.concat(a,',')..']'end local a=(type(c)=='table'and c.ok or c):gsub('[%z\\1-\\31"\\\\]',function(a)return string.format('\\\\u%04x',a:byte())end)return'"'..a..'"'end if not G then local c=redis.pcall(ARGV[6],KEYS[2],unpack(ARGV,7))if type(c)=='table'and c.err then local b=' '..(c.err:match('^%u+')or'')..' 'if not(' READONLY MASTERDOWN CLUSTERDOWN TRYAGAIN LOADING BUSY NOREPLICAS MISCONF '):find(b,1,true)then redis.call('PEXPIRE',KEYS[1],ARGV[4])j(('!'..c.err):sub(1,255),i)return{'failed',a,c.err}end return c end G=h(c)j(#G<=255 and G or'',d)end if G:find('^!')then return{'failed',a,G:sub(2)}end return{'called',a,'='..G}`,
    replies: {
      called: { reply: "text" },
      failed: { why: "text" },
      stale: { seen: "integer" },
      forgotten: { seen: "integer" },
      kind: { kind: "text" },
      late: {},
    },
  };
  var bs = {
    lua: S + ut + "return{'seen',a,i,'='..k}",
    replies: { seen: { token: "integer", value: "text" }, kind: { kind: "text" } },
  };
  var hs = {
    lua: S + C + ut + Mr + "if not G then if ARGV[6]~=''then k=ARGV[6]:sub(2)end j('',d)end return{'written',a}",
    replies: {
      written: {},
      stale: { seen: "integer" },
      forgotten: { seen: "integer" },
      kind: { kind: "text" },
      late: {},
    },
  };
  var ws = {
    lua:
      S +
      C +
      gt +
      `local q=tonumber(ARGV[4])local k,b,o='lock',ARGV[2],ARGV[5]local c=a+ARGV[3]*1000 local d,p,n,j,u,H,x=0,c,0,{},{}for i,K in ipairs(KEYS)do local A=J[i]
` +
      E +
      ve +
      vr +
      "if z(k)then return{'kind',a,h}end if t(b)then return{'closed',a}end local m,f=L()local y=l[b]if f==0 then d=math.max(d,e+1,a)elseif y or o~=''and o==B then if not y then if ARGV[7]=='0'then return{'not_reentrant',a,m-a}end if f==64 then return{'too_many_holds',a}end H=true end d=math.max(d,e)table.insert(j,e)else x=x or{'held',a,m-a,math.max(a-e,0),v,C,1,E,i}end n=math.max(n,y and f or f+1)if y then p=math.min(p,y)elseif not x then table.insert(u,J[i]and#u+1 or 1,function()if f==0 then M(ARGV[8]*1000)B,E=o,ARGV[6]D()end e,l[b],g=d,c,math.max(m,c)return w(redis.pcall),K end)end end if x then return H and{'not_reentrant',a,0}or x end for E,e in ipairs(j)do if e~=d or#j<#KEYS then return{'not_reentrant',a,0}end end local e={}for E,w in ipairs(u)do local b,K=w()if b and b.err then for E,a in ipairs(e)do redis.call('DEL',a)end return b end table.insert(e,K)end return{'granted',a,d,p-a,n}",
    replies: {
      granted: { token: "integer", remaining: "integer", holds: "integer" },
      held: {
        remaining: "integer",
        age: "integer",
        tenure: "integer",
        queue: "integer",
        clockRead: "integer",
        note: "text",
        blocked: "integer",
      },
      not_reentrant: { remaining: "integer" },
      too_many_holds: {},
      closed: {},
      kind: { kind: "text" },
      late: {},
    },
  };
  var xs = {
    lua:
      S +
      gt +
      `local b,d,q,y=ARGV[1],tonumber(ARGV[2]),tonumber(ARGV[3]),tonumber(ARGV[4])local p=d==0 local k,j,c,H='lock',nil,nil,''for i,K in ipairs(KEYS)do local A=J[i]
` +
      E +
      ee +
      ne +
      ve +
      "local f=l[b]local o=t(b)local m=z(k)if not o and(p or f and e==d and not m)and g<math.huge then I(b,p and'C'or'R',y)o='R'if not p and not next(l)then P(a-d)end end if T and(p or not m)then if not m then g=math.min(g,math.max(L(),a))D()end c=Q(f and not m)or c end if g==math.huge or not p and o~='R'then j=j or O(b,d,nil,'unknown')H=H..i..' 'end end if c then return c end if j then return{'lost',a,j,H}end return{'closed',a}",
    replies: { closed: {}, lost: { reason: "text", names: "text" } },
  };
  var ks = {
    lua:
      S +
      C +
      gt +
      `local b,d,q=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])local n=a+ARGV[4]*1000 local p,f,j,H,u=math.huge,0,nil,'',{}for i,K in ipairs(KEYS)do local A=J[i]
` +
      E +
      ee +
      "local c=l[b]if not c or e~=d then j=j or O(b,d)H=H..i..' 'if T then w(redis.pcall)end else if n>c then c=n l[b],g=c,math.max(g,c)table.insert(u,w)end p=math.min(p,c)f=math.max(f,select(2,L()))end end if j then return{'lost',a,j,H}end for E,w in ipairs(u)do w()end return{'extended',a,p-a,f}",
    replies: {
      extended: { remaining: "integer", holds: "integer" },
      lost: { reason: "text", names: "text" },
      late: {},
    },
  };
  var rn = {
    lua:
      `local b,d,q=ARGV[2],tonumber(ARGV[3]),tonumber(ARGV[5])
` +
      S +
      C +
      T +
      E +
      ee +
      "local c=l[b]if not c or e~=d then if T then w(redis.pcall)end return{'lost',a,O(b,d)}end local n=a+ARGV[4]*1000 if n>c then c=n l[b],g=c,math.max(g,c)w()end return{'extended',a,c-a,select(2,L())}",
    replies: { extended: { remaining: "integer", holds: "integer" }, lost: { reason: "text" }, late: {} },
  };
  var Rs = {
    lua:
      `local q=tonumber(ARGV[5])
` +
      S +
      C +
      T +
      E +
      ft +
      B +
      "local d,b='z'..ARGV[2],tonumber(ARGV[3])if z('latch')then return{'kind',a,h}end if not j or b<f or b>e then return{'lost',a}end if b<e then return{'left',a,0}end if y>0 and redis.call('ZADD',i,'NX',0,d)==1 then y,g=y-1,math.max(g,a+ARGV[4]*1000)D()local b=w(redis.pcall)if b and b.err then redis.call('ZREM',i,d)return b end N()end return{'left',a,y}",
    replies: { left: { left: "integer" }, lost: {}, kind: { kind: "text" }, late: {} },
  };
  var Ss = {
    lua:
      `local q=tonumber(ARGV[5])
` +
      S +
      C +
      T +
      E +
      ft +
      "local b,o=ARGV[2],t(ARGV[2])if z('latch')then return{'kind',a,h}end if o=='N'then return{'refused',a}end if o or l[b]then return{'set',a}end if y>0 then I(b,'N')w()return{'refused',a}end redis.call('ZCARD',KEYS[2])V('S')e=math.max(e+1,a)g=math.max(g,a+ARGV[4]*1000)y,c,l[b]=ARGV[3],ARGV[3],g if not j then f=e end D()w()redis.call('UNLINK',KEYS[2])return{'set',a}",
    replies: { set: {}, refused: {}, kind: { kind: "text" }, late: {} },
  };
  var Es = {
    lua:
      `local q=0
` +
      S +
      C +
      T +
      E +
      ft +
      "local i=tonumber(ARGV[3])if z('latch')then return{'kind',a,h}end if not j then if i>0 then return{'lost',a}end return{'counting',a,0,0}end if i>0 and f>i then return{'lost',a}end if y==0 or i>0 and e>i then return{'open',a}end return{'counting',a,e,g-a}",
    replies: {
      counting: { generation: "integer", remaining: "integer" },
      open: {},
      lost: {},
      kind: { kind: "text" },
      late: {},
    },
  };
  var Ht = {
    lua:
      `local q=tonumber(ARGV[4])local k='lock'local b,o=ARGV[2],ARGV[5]local K=KEYS[1]local A=redis.call('GET',K)local i,J=ARGV[1]+0,tonumber(ARGV[9])local j,c,d,n=(A or''):match('^lock 1 (%d+) %S+ %S* [^:]+:(%d+), .- (%d+) (%d+)$')if J and J<i and(c or 0)-i>0 and o==''and not A:find(b:sub(25),1,true)then local a=J return{'held',a,c-J,J-j,d+0,n+0,0}end
` +
      S +
      C +
      E +
      ve +
      vr +
      "if z(k)then return{'kind',a,h}end if t(b)then return{'closed',a}end local m,f=L()local c=l[b]if not c then if f==0 then M(ARGV[8]*1000)e,B,E=math.max(e+1,a),o,ARGV[6]D()elseif o==''or o~=B then return{'held',a,m-a,math.max(a-e,0),v,C,1}elseif ARGV[7]=='0'then return{'not_reentrant',a,m-a}elseif f==64 then return{'too_many_holds',a}end f,c=f+1,a+ARGV[3]*1000 l[b],g=c,math.max(m,c)w()end return{'granted',a,e,c-a,f}",
    replies: {
      granted: { token: "integer", remaining: "integer", holds: "integer" },
      held: { remaining: "integer", age: "integer", tenure: "integer", queue: "integer", clockRead: "integer" },
      not_reentrant: { remaining: "integer" },
      too_many_holds: {},
      closed: {},
      kind: { kind: "text" },
      late: {},
    },
  };
  var ht = {
    lua:
      `local q,y=tonumber(ARGV[3]),tonumber(ARGV[4])local k='lock'
` +
      S +
      T +
      E +
      ee +
      ne +
      Be +
      ve +
      "local b,d=ARGV[1],tonumber(ARGV[2])local p=d==0 local f=l[b]local o=t(b)if p and not o and z(k)then return W(b,y)end if not o and(p or f and e==d and not z(k))then I(b,p and'C'or'R',y)o='R'if not p and not next(l)then P(a-d)end end if T and not z(k)then g=math.min(g,math.max(L(),a))D()local c=Q(f)if c then return c end end if p or o=='R'then return{'closed',a}end return{'lost',a,O(b,d,nil,'unknown')}",
    replies: { closed: {}, lost: { reason: "text" } },
  };
  var Os = {
    lua:
      `local q=tonumber(ARGV[4])
` +
      S +
      C +
      T +
      E +
      "local c,d=l[ARGV[2]],tonumber(ARGV[3])if not c or d>a+86400000000 then return{'lost',a}end if e>d then return{'behind',a,e}end if e<d then e=d w()end return{'committed',a,c-a}",
    replies: { committed: { remaining: "integer" }, behind: { token: "integer" }, lost: {}, late: {} },
  };
  var As = {
    lua:
      `local q=tonumber(ARGV[5])
` +
      S +
      C +
      T +
      E +
      `if h=='once'and g>tonumber(ARGV[8])then g=math.max(g,a+1)end
` +
      mt +
      "local b,d,f=ARGV[2],tonumber(ARGV[6]),ARGV[7]if z('once')then return{'kind',a,h}end if t(b)then return{'closed',a}end if B==''then B=f elseif f~=''and f~=B then return{'mismatch',a}end if x~=''then return{'done',a,e,'='..j}end local k,c=next(l)if not k then if i>=d then return{'exhausted',a,i}end i,j=i+1,ARGV[9]c=a+ARGV[3]*1000 l[b],e=c,math.max(e+1,a)g=math.max(a+ARGV[4]*1000,c)D()w()elseif k~=b then return{'running',a,c-a}end return{'granted',a,e,c-a,i}",
    replies: {
      granted: { token: "integer", remaining: "integer", attempt: "integer" },
      running: { remaining: "integer" },
      done: { token: "integer", result: "text" },
      exhausted: { attempts: "integer" },
      mismatch: {},
      closed: {},
      kind: { kind: "text" },
      late: {},
    },
  };
  var Ts = {
    lua:
      `local q,y=tonumber(ARGV[3]),tonumber(ARGV[4])
` +
      S +
      T +
      E +
      ee +
      ne +
      Be +
      mt +
      "local b,d=ARGV[1],tonumber(ARGV[2])local p=d==0 local f=l[b]local o=t(b)if p and not o and z('once')then return W(b,y)end if not o and(p or f and e==d and not z('once'))then if p and f then i=i-1 end I(b,p and'C'or'R',y)if not p and y>0 then I(b,'R',0)end o='R'end if T and not z('once')then D()if i==0 then g,s=0,''end local c=Q(f)if c then return c end end if p or o=='R'then return{'closed',a}end return{'lost',a,O(b,d)}",
    replies: { closed: {}, lost: { reason: "text" } },
  };
  var Ms = {
    lua:
      `local q=tonumber(ARGV[5])
` +
      S +
      C +
      T +
      E +
      ee +
      ne +
      mt +
      "local b,d=ARGV[2],tonumber(ARGV[3])if x~=b then local H=t(b)if i==0 or e~=d or H and H~='E'then return{'lost',a,O(b,d)}end if l[b]then I(b,'R',0)end x,j=b,ARGV[6]g=a+ARGV[4]*1000 D()if j==''then local c=Q()if c then return c end else w()end end return{'completed',a}",
    replies: { completed: {}, lost: { reason: "text" }, late: {} },
  };
  var Gt = {
    lua:
      `local q=tonumber(ARGV[4])
` +
      S +
      C +
      T +
      E +
      ne +
      "local b=ARGV[2]if z(ARGV[3])then return{'kind',a,h}end if not t(b)then V('F')I(b,g>a and'F'or'N')h,e,g,s=ARGV[3],math.max(e+1,a),0,''Q(true)end return{'forced',a,e,t(b)=='F'and 1 or 0}",
    replies: { forced: { token: "integer", had: "integer" }, kind: { kind: "text" }, late: {} },
  };
  var Nn = {
    lua:
      `local q=0
` +
      S +
      T +
      E +
      Cr +
      "return{'live',a,e,g-a,f,math.max(m-a,0),'='..s}",
    replies: {
      free: { token: "integer" },
      live: { token: "integer", remaining: "integer", holds: "integer", left: "integer", body: "text" },
      kind: { kind: "text" },
    },
  };
  var Cs = {
    lua:
      `local q=tonumber(ARGV[4])
` +
      S +
      C +
      T +
      E +
      B +
      pt +
      dt +
      bt +
      Le +
      `local b,f=ARGV[2],ARGV[5]local j,o,R=b:sub(1,36),b:match('^([^@]*)@?(.*)$',36+1)local c,J=a+ARGV[3]*1000,ARGV[7]*1000 if z('rw')then return{'kind',a,h}end if t(j)then return{'closed',a}end local m,H=L()if l[j]then return{'granted',a,v,l[j]-a,H}end local y,k=o~=''and o==B,g>a or h=='none'local P=H>0 and y local d=h~='rw'and h~='none'
` +
      ml +
      "local function W(b,c)if J>0 and c then local y=a+J+1000000 g=math.max(g,y)if c=='w'then n=math.max(n,y)end if p[o]>0 then Q(o,u[3])end local d=tonumber(u[c=='r'and 2 or 4]or 0)local b=c=='r'and ad(y)or-y ai(#O==0 and'LT'or nil,{string.format('%.0f',math.min(b,d)),c..j})end return{'held',a,b-a,math.max(a-e,0),J}end if f=='read'then aa()local B,k=tonumber(u[1]or 0),tonumber(u[2]or 0)local h,q=X(u[3])h=math.max(h-p[o],0)local r=(H==0 or P)and ae()>0 local f=r and q>a and h or 0 local Q=B>0 or P or f>0 local d=Q and y and v>0 and v or x if B>0 then if B<=a or B>4e15 or d==0 then return{'closed',a}end return{'granted',a,d,B-a,math.max(f,1)}end if Q and ARGV[6]=='0'then return{'not_reentrant',a,g-a}end if f>=64 then return{'too_many_holds',a}end if H>0 and not P then for E,d in ipairs(redis.call('ZRANGEBYSCORE',i,ad(a),-4.5e15,'LIMIT',0,math.max(50-#C,0)))do if d~='r'..j then table.insert(C,d)end end return W(m,'r')end if not Q then if n>a and k>=ad(a)then return W(g)end if not r then x=0 end if y or not r then v=0 end d=x end if d==0 then e=math.max(e+1,a)d,x=e,e end if k<0 then table.insert(C,'r'..j)end g=math.max(g,c)local l={string.format('%.0f',c),b}if o~=''then l[3],l[4]=ac(h+1,math.max(q,c)),'o'..o end if R~=''then table.insert(l,ak(a))table.insert(l,'t'..j)end ai(nil,l)return{'granted',a,d,c-a,f+1}end if f=='steal'then if not d then Z()end V('F')H,n=0,0 elseif H>0 then if not y then if J>0 then aa()end return W(m,'w')end if ARGV[6]=='0'then return{'not_reentrant',a,m-a}end if H==64 then return{'too_many_holds',a}end elseif k then local c=ae()if c>0 then aa()local x,q=X(u[3])if q>a and x>p[o]then return{'upgrade_refused',a}end return W(c,'w')end local b=M()if b>0 then return W(b,'w')end end if f~='steal'then al(j)end if H==0 then e=math.max(e+1,a)v,x,B,E=e,0,o,R end l[j],g=c,math.max(g,c)D()w()if d then redis.call('UNLINK',i)elseif k then redis.call('ZREM',i,'w'..j)N()end return{'granted',a,v,c-a,H+1}",
    replies: {
      granted: { token: "integer", remaining: "integer", holds: "integer" },
      held: { remaining: "integer", age: "integer", back: "integer" },
      not_reentrant: { remaining: "integer" },
      too_many_holds: {},
      upgrade_refused: {},
      closed: {},
      kind: { kind: "text" },
      late: {},
    },
  };
  var vs = {
    lua:
      `local q,y=tonumber(ARGV[3]),tonumber(ARGV[4])
` +
      S +
      T +
      E +
      ee +
      ne +
      Be +
      B +
      We +
      dt +
      bt +
      "local b,d=ARGV[1],tonumber(ARGV[2])local j,k=b:sub(1,36),b:match('^[^@]*',36+1)local p=d==0 local o=t(j)if p and not o and z('rw')then return W(j,y)end local u=redis.call('ZMSCORE',i,b,'w'..j,'o'..k)local c,f,m=tonumber(u[1]or 0),X(u[3])local C=c>a and c<4e15 if not o and(p or l[j]and e==d or C and(d==v or d==x))then local P,d={'w'..j,'r'..j},l[j]or C I(j,p and'C'or'R',y)o='R'if u[2]then al(j)end if C then f=f-1 table.insert(P,b)table.insert(P,'t'..j)if f<=0 then table.insert(P,'o'..k)end end if f<=0 and k==B and not next(l)then v=0 end redis.call('ZREM',i,unpack(P))if C and f>0 then redis.call('ZADD',i,ac(f,m),'o'..k)end local r=ae()g=math.min(g,math.max(a,L(),r,n,M()))if h=='rw'then D()end N()local c=Q(d and r==0)if c then return c end end if p or o=='R'then return{'closed',a}end return{'lost',a,O(j,d,c>0 and not C and Z(c),'unknown')}",
    replies: { closed: {}, lost: { reason: "text" } },
  };
  var Ls = {
    lua:
      `local q=tonumber(ARGV[4])
` +
      S +
      C +
      T +
      E +
      ne +
      B +
      pt +
      bt +
      "local b,f=ARGV[2],false if z('rw')then return{'kind',a,h}end if not t(b)then local r=ae()if ARGV[3]=='read'then f=r>0 if not next(l)then v=0 end if f then Z()r,n,x=0,0,0 end else f=next(l)~=nil V('F')if r==0 then v=0 end end I(b,f and'F'or'N')if not next(l)then e=math.max(e+1,a)end if not(f and ARGV[3]=='read')then r=math.max(r,n,M())end g=math.min(g,math.max(a,L(),r))D()N()local c=Q(r<=a)if c then return c end end return{'forced',a,e,t(b)=='F'and 1 or 0}",
    replies: { forced: { token: "integer", had: "integer" }, kind: { kind: "text" }, late: {} },
  };
  var Ps = {
    lua:
      `local q=tonumber(ARGV[7])
` +
      S +
      C +
      T +
      E +
      B +
      We +
      Le +
      pn +
      Tr +
      "local b,k=ARGV[2],ARGV[3]local j,E=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 local c=k=='semaphore'if z(k)then return{'kind',a,h}end local d,o=S(redis.call('ZSCORE',i,'t'..j))if t(j)or o==3 or c and o then return{'closed',a}end if o then return{'granted',a,e,g-a,E}end if d>0 then return Q(b,d)or{'closed',a}end C=math.max(C-math.max(a-e-v,0),0)local f=B or tonumber(ARGV[5])if c and ar(f,E)then return{'short',a,f or 0}end f=f or 0 local x=ai()local m=f-x if m<E then if x==0 then return{'held',a,0,math.max(math.min(a-e,ARGV[8]*1000),0),v,C,''}end local P,c=an()local j=S(redis.call('ZSCORE',i,'t'..P:sub(1,36)))local m=math.ceil(v/math.max(math.floor(x/E),1))return{'held',a,c-a,m-v+a-j,m,C,ao(P)}end C=math.max(C+math.min((ARGV[8]*1000-C)/8,3*v),0)if c then return W(b,E,k,ARGV[4],ARGV[6],ag(E+25,X()))end if not B then R,n=a,0 end B,n=f-E,n+E return W(b,E,k,ARGV[4],ARGV[6],ac())",
    replies: {
      granted: { token: "integer", remaining: "integer", holds: "integer" },
      held: { remaining: "integer", age: "integer", tenure: "integer", queue: "integer", note: "text" },
      short: { permits: "integer" },
      closed: {},
      kind: { kind: "text" },
      late: {},
    },
  };
  var Lr = {
    lua:
      S +
      `local q=math.max(ARGV[3],math.ceil((ARGV[4]-a)/1000))
` +
      T +
      E +
      ee +
      ne +
      Be +
      B +
      We +
      Le +
      pn +
      "local am,ae,al=ARGV[1]:match('^([^,]+),([^,]+),(.+)$')local b,d=am or ARGV[1],tonumber(ARGV[2])local j,aj=b:sub(1,36),ae or ARGV[1]:sub(1,36)local p,k=d==0,h=='semaphore'or h=='counter'local o=t(j)if not k and h~='none'then if p then return o and{'closed',a}or W(j,ARGV[4]+0)end return{'lost',a,O(j,d)}end local m,M,c=aa(b),{},0 local J,P={'t'..j,'t'..aj},{}for i in(al or''):gmatch('%d+')do M[tonumber(i)],c=true,c+1 end for i,d in ipairs(m)do J[i+2]=d end local u=redis.call('ZMSCORE',i,unpack(J))local ad=S(u[1])local E,x,ag=S(u[2])local f,H=0,x and ap(x)for i,d in ipairs(m)do local c=tonumber(u[i+2]or 0)if c>a then f=f+1 if M[i]then table.insert(P,d)end elseif c>0 then H=H or Z(c)end end local y=ae and f-c or 0 if p and x==1 and h=='counter'then if B and ag-ARGV[3]*1000+10>=R then local a=tonumber(b:match('^%d+',36+2))if(unpack(ARGV,5)or'')~=''then a=math.min(a,n)end B,n=math.min(B+a,9007199254740991),math.max(n-a,0)end x=nil end x=x or not ae and o and 3 or nil if not x and(p or f>0 and ad==d and#P==c)then x=1 local l={ab(p and 3 or 1),'t'..aj}if y==0 then P=m for c in('tpw'):gmatch('.')do table.insert(P,c..j)end l[3],l[4]=l[1],'t'..j if f>0 and not p then local b=a-d v=math.max(v==0 and b or v+(b-v)/8,0)end end for E,d in ipairs(ac())do table.insert(P,d)end redis.call('ZREM',i,unpack(P))local c=redis.pcall('ZADD',i,unpack(l))if h=='semaphore'and not B then local m=redis.call('ZREVRANGEBYSCORE',i,4e15,a+1,'WITHSCORES','LIMIT',0,1)g=math.min(g,math.max(a,m[2]or 0,n))end if k then D(h)end N()local b=w(redis.pcall)if f==0 then for E,c in ipairs({c,b})do if type(c)=='table'and c.err then return c end end end end if p or x==1 then return{'closed',a}end return{'lost',a,O(j,math.huge,H)}",
    replies: { closed: {}, lost: { reason: "text" } },
  };
  var Ns = {
    lua:
      `local q=tonumber(ARGV[6])
` +
      S +
      C +
      T +
      E +
      B +
      We +
      Le +
      pn +
      Tr +
      yt +
      "local b,x=ARGV[2],tonumber(ARGV[7])local j,E=b:sub(1,36),tonumber(b:match('^%d+',36+2))or 1 if z('semaphore')then return{'kind',a,h}end local u=redis.call('ZMSCORE',i,'t'..j,'p'..j)local d,o=S(u[1])if t(j)or o then return{'closed',a}end if d>0 then return Q(b,d)or{'closed',a}end local f=B or tonumber(ARGV[4])if ar(f,E)then return{'short',a,f or 0}end local k=u[2]and ad(u[2])if x>0 and k~=x then return{'held',a,0,0,0,0,1,0,''}end local M,p,H=0,{},{}if n>a then if x<0 then M=as()else M=redis.call('ZCOUNT',i,4.5e15,string.format('(%.0f',k and ae(k)or 8e15))end end if M>0 and x>=0 then p,H=ag(8,-a)if#p>0 then redis.call('ZREM',i,unpack(p))end end if M==0 and f-ai()>=E then if k then p={'p'..j,'w'..j}elseif n<=a then p,H=ag(E+25,X())end return W(b,E,'semaphore',ARGV[3],ARGV[5],p,H)end local y,O,P,c=0,math.max(a-e,0),'',nil if#p==0 then P,c=an()if c then y=c-a end end local m=math.ceil(v/math.max(math.floor(f/E),1))local J=0 if x>=0 then J=#p>0 and 20000 or aj(M,m,m/4,O,c and y or 2000000)R=k and R or math.max(R+1,a)k=k or R local d=a+J+ARGV[8]*1000 n=math.max(n,d)if h~='semaphore'and h~='none'then redis.call('UNLINK',i)end am(j,k,d,unpack(H))D('semaphore')N()w()end return{'held',a,y,O,m,M,J,k or 0,ao(P or'')}",
    replies: {
      granted: { token: "integer", remaining: "integer", holds: "integer" },
      held: {
        remaining: "integer",
        age: "integer",
        tenure: "integer",
        ahead: "integer",
        back: "integer",
        ticket: "integer",
        note: "text",
      },
      short: { permits: "integer" },
      closed: {},
      kind: { kind: "text" },
      late: {},
    },
  };
  var $s = {
    lua:
      `local q=tonumber(ARGV[8])
` +
      S +
      C +
      T +
      E +
      B +
      Le +
      pn +
      "local b,k,d=ARGV[2],ARGV[3],ARGV[4]if z(k)then return{'kind',a,h}end local u=redis.call('ZMSCORE',i,'t'..b,'n'..b)local E,x=S(u[1])local c=au(u[2])if not x then local f,j,o=B or tonumber(ARGV[6]),tonumber(ARGV[5]),B x=1 local m=d=='give'if m and not B then x=2 elseif m and k=='counter'and ARGV[6]~=''and j>n then x=2 elseif d=='try'and B then x=2 elseif d=='drain'then c=math.max((f or 0)-ai(),0)if c>0 then B=f-c end elseif d=='add'or m then B=math.max(math.min((f or 0)+j,9007199254740991),-9007199254740991)else B=j end if B then g=math.max(g,a+ARGV[7]*1000)end if k=='counter'and B and(not o or d=='set')then R,n=a,0 end if k=='counter'and m and x==1 then n=math.max(n-j,0)end if k=='counter'then e=math.max(e+1,a)end if h==k or h=='none'then redis.call('ZREM',i,'t'..b,unpack(ac()))else redis.call('UNLINK',i)end local l={ab(x),'t'..b}if c>0 then l[3],l[4]=av(c),'n'..b end redis.call('ZADD',i,unpack(l))D(k)N()w()end if x==2 then return{'refused',a}end return{'done',a,c}",
    replies: { done: { count: "integer" }, refused: {}, kind: { kind: "text" }, late: {} },
  };
  function $n(e, n, t, r) {
    const o = r === void 0 ? void 0 : es(Y(r, "group")),
      s = t.map((a) => {
        const l = es(Y(a, "name"));
        return e.prefix + (o === void 0 ? `{${l}}` : `{${o}}/${l}`);
      }),
      i = t.join(", ");
    return {
      connection: e,
      kind: n,
      name: i,
      names: t,
      group: r,
      keys: s,
      emit: e.emit && ((a) => e.emit?.({ kind: n, name: i, ...a })),
    };
  }
  var pl = { fair: "fairLock", rw: "readWriteLock", multi: "multiLock", quorum: "quorumLock" },
    yl = (e, n) => (typeof n == "string" ? `${pl[e] ?? e}(${N(n)})` : (pl[e] ?? e)),
    G = ({ kind: e, name: n, names: t }) => yl(t.length > 1 ? "multi" : e, n),
    je = (e) => ({ ...e, keys: [...e.keys, `${e.keys[0]}%crowd`] });
  function he(e, n, t, r, o) {
    return A(
      () => yl(n, t),
      () => {
        const s = mn(e);
        return D(r, o), $n(s, n, [t], r.group);
      },
    );
  }
  function wt(e) {
    const { clock: n, state: t, requestTimeoutMs: r } = e.connection,
      o = Ln(t.offsets, e.keys[0]);
    return Math.max(t.due, Math.ceil((n.now() + o + r) * 1e3));
  }
  var gl = 256 * 1024,
    tp = 1,
    rp = 10,
    op = 6e4;
  function sp(e) {
    if (!it(e)) throw new TypeError(`fence.write: value must be well-formed text, not ${Ce(e)}`);
    const { length: n } = ge(e);
    if (n > gl) throw new RangeError(`fence.write: value has ${n} bytes: at most ${gl} are stored`);
    return e;
  }
  function bl(e, n) {
    const { group: t } = n ?? {},
      [r, o] = A(
        "redisFence",
        () => (D(n, "ttl group lease>ttl"), t !== void 0 && Y(t, "group"), [mn(e), dn(n.ttl ?? "30d", op)]),
      );
    function s(l) {
      const c = $n(r, "fence", [l], t);
      return { ...c, keys: [`${c.keys[0]}%fence`] };
    }
    async function i(l, c) {
      const d = La(l),
        u = s(d.name),
        f = X();
      for (let m = 1; ; m++) {
        const p = de(),
          y = r.clock.now() + Ln(r.state.offsets, u.keys[0]),
          g = Math.floor((y - tp) * 1e3),
          b = await c(u, [f, d.token, o, g], p).catch((w) => {
            throw !p.isOpen() || !(w instanceof $) || w instanceof H ? w : new H(d.name, w.message);
          }),
          { seen: h = 0 } = b;
        if (b.status === "stale" || (b.status === "forgotten" && !p.isOpen() && h > d.token))
          throw (u.emit?.({ type: "stale", token: d.token, seen: h }), new Cn(d, h));
        if (b.status !== "forgotten") return b;
        if (p.isOpen()) throw new H(d.name, "the operation may have run");
        if (m === rp) throw new $("redis_error", `too many writes at once under "${d.name}"`);
      }
    }
    async function a(l, c, d) {
      await i(l, (u, f, m) => M(u, hs, [...f, c], { operation: d, doubt: m }));
    }
    return {
      operate: i,
      claim: (l) => a(l, "", "claim"),
      write: async (l, c) => a(l, `=${sp(c)}`, "write"),
      async read(l) {
        const { token: c, value: d } = await M(s(l), bs, [], { operation: "read" });
        return c === 0 ? null : { token: c, value: d.slice(1) };
      },
    };
  }
  var hl = 4e3;
  function ip(e, n, t) {
    if (typeof e != "string" || !/^[a-z]+(\.[a-z]+)?$/i.test(e))
      throw new TypeError(`fence.call: command must be a word such as "HSET", not ${N(e)}`);
    if (!it(n) || n === "") throw new TypeError(`fence.call: key must be well-formed text, not ${N(n)}`);
    if (t.length > hl) throw new RangeError(`fence.call: ${t.length} arguments are too many: at most ${hl}`);
    for (const r of t)
      if (!(typeof r == "number" ? Number.isFinite(r) : it(r)))
        throw new TypeError(`fence.call: arguments must be text or numbers, not ${Ce(r)}`);
  }
  function xt(e, n = {}) {
    const { operate: t, ...r } = bl(e, n);
    return {
      ...r,
      async call(o, s, i, ...a) {
        ip(s, i, a);
        const l = await t(o, (c, d, u) => {
          if (c.keys.includes(i)) throw new TypeError("fence.call: key is the fence's own: take another");
          const f = { ...c, keys: [...c.keys, i] };
          return M(f, gs, [...d, s, ...a], { operation: "call", doubt: u });
        });
        if (l.status === "failed") throw new $("redis_error", Ga(l.why, [[s, i, ...a]]));
        if (l.reply === "=") throw new H(o.name, "the command ran, and its reply is lost");
        return JSON.parse(l.reply.slice(1));
      },
    };
  }
  var wl = {
      acquire: "request for the lock",
      extend: "extension",
      release: "release",
      claim: "claim",
      write: "write",
      other: "request",
    },
    on = (e) => `${e.toFixed(1)} s`,
    yn = (e) => ({ text: e, tone: "plain" });
  function ap(e, n) {
    const [t, r] = e.split("-"),
      o = n?.who === r;
    switch (t) {
      case "freeze":
        return `You freeze ${r} for ${et} s. ${o ? "It runs no code and no timers, so it cannot notice that its lease ends." : `${r} does not hold the lock, so nobody waits for it.`}`;
      case "lose":
        return `The next answer to ${r} will be lost: the server does what it is asked, and ${r} never learns of it.`;
      case "kill":
        return `You kill ${r}. ${o ? `Nobody is left to release the lock, but the lease expires in ${on(n.remaining)}.` : `${r} did not hold the lock.`}`;
      case "start":
        return `You start ${r} again. It remembers nothing.`;
    }
    return e === "clock-forward"
      ? `You step the server's clock ${nt} s forward: a lease can expire there before its holder knows.`
      : `You step the server's clock ${nt} s back: a lease lasts longer there than its holder thinks.`;
  }
  function lp(e, n, t) {
    const [r = 0, o = 0] = t.slice(2).map(Number),
      s = e.tokens.at(-2),
      a =
        s !== void 0 && r === s + 1
          ? " The server's clock is behind the last token, so this one is the last plus 1."
          : "";
    return yn(`${n} gets the lock for ${Math.round(o / 1e6)} s, under token ${ce(e, r)}.${a}`);
  }
  function cp(e, { exchange: n, operation: t, token: r = 0, value: o, reply: s }) {
    const { who: i, verdict: a } = n,
      l = ce(e, r);
    switch (a) {
      case "stale": {
        const c = Number(s[2]),
          d = e.tenures.find((f) => f.token === c)?.who ?? Qo(i),
          u = `its token ${l} is lower than ${ce(e, c)}, which the resource has seen from ${d}`;
        return { text: `The fence refuses ${i}'s ${t}: ${u}. Nothing is overwritten.`, tone: "bad" };
      }
      case "forgotten":
        return {
          text: `The fence refuses ${i}'s ${t} for now: it began later than the server's clock says. ${i} repeats it with the right time.`,
          tone: "server",
        };
      case "written": {
        const c = e.writes.findLast((u) => u.who === i)?.overwrote,
          d = e.writes.findLast((u) => u.token === c && u.value !== void 0);
        return o !== void 0 && c !== void 0 && d
          ? {
              text: `Nothing checks the token: ${i} writes \u201C${o}\u201D under ${l}, and \u201C${d.value}\u201D of ${ce(e, c)} is lost.`,
              tone: "bad",
            }
          : o === void 0
            ? yn(`${i} claims the resource: from now on it refuses tokens lower than ${l}.`)
            : {
                text: `${i} writes \u201C${o}\u201D under ${l}. No higher token was seen, so the fence accepts.`,
                tone: "good",
              };
      }
    }
  }
  function dp(e, n) {
    const t = {},
      r = new Set(),
      o = new Set();
    function s(i) {
      const { exchange: a, operation: l, reply: c } = i,
        { who: d, verdict: u } = a,
        f = t[d];
      if ((delete t[d], u === "late"))
        return o.has(d)
          ? void 0
          : (o.add(d),
            {
              text: `Redis refuses a request of ${d}: it carries a deadline, which has passed by the server's clock. ${d} learns the time and retries.`,
              tone: "server",
            });
      if (f?.operation === l && f.exchange.verdict === u)
        return yn(`${d} retries its ${wl[l]} under the same ID: it takes effect once, and the response is the same.`);
      if (l === "release")
        return yn(u === "closed" ? `${d} releases the lock.` : `${d} has nothing to release: its lease had ended.`);
      if (l !== "acquire") return cp(e, i);
      if (u === "granted") return r.delete(d), lp(e, d, c);
      if (!(u !== "held" || r.has(d)))
        return r.add(d), yn(`${d} asks for the lock. ${Qo(d)} holds it, so ${d} waits and polls.`);
    }
    return {
      arrived(i) {
        const a = s(i);
        a && n(a);
      },
      lost(i) {
        const { who: a } = i.exchange;
        t[a] = i;
        const l = `whether its ${wl[i.operation]} took effect`;
        n({ text: `The answer to ${a} is lost. ${a} cannot know ${l}.`, tone: "bad" });
      },
      clockStepped: () => o.clear(),
      started(i) {
        r.delete(i), delete t[i];
      },
    };
  }
  function xl(e, n, t) {
    const r = ({ text: l, tone: c }) => {
        e.notes.push({ at: n(), tone: c, text: l });
      },
      { arrived: o, lost: s, clockStepped: i, started: a } = dp(e, r);
    return {
      deed(l, c) {
        l.startsWith("clock") && i(), l.startsWith("start") && a(l.slice(-1)), r({ text: ap(l, c), tone: "you" });
      },
      arrived: o,
      lost: s,
      told(l, c) {
        if (
          (c.type === "unanswered" && r(yn(`${l} gets no response to its ${c.operation}, and continues.`)),
          c.type !== "lost")
        )
          return;
        const u =
          e.instances[l].freezes.at(-1)?.to === n() ? " only now, since no timer fired while it was frozen" : "";
        r(yn(`${l}'s signal is aborted${u}: its lease has ended (${c.reason}).`));
      },
      failed(l, c) {
        const u = c instanceof Cn ? "a StaleTokenError and stops the work" : `an error: ${Object(c).message ?? c}`;
        r(yn(`${l}'s code gets ${u}.`));
      },
      woke(l) {
        const c = e.tenures.findLast(({ to: f }) => f === void 0),
          u = c !== void 0 && c.who !== l ? ` By now ${c.who} holds the lock, under ${ce(e, c.token)}.` : "";
        r({ text: `${l} wakes up, and continues as if nothing had happened.${u}`, tone: "you" });
      },
      expired({ who: l }) {
        const { state: c, lease: d } = t(l),
          u = `${l}'s lease has expired by the server's clock: the lock is free.`;
        c === "frozen"
          ? r({ text: `${u} ${l} is frozen and does not know.`, tone: "server" })
          : c === "runs" && d && d.remaining > 0.2
            ? r({ text: `${u} ${l} still believes that it has ${on(d.remaining)} left.`, tone: "server" })
            : r({ text: u, tone: "server" });
      },
    };
  }
  function up({ state: e, lease: n }, t) {
    if (!n) return "believes that it holds nothing";
    const r = on(n.remaining);
    return e === "frozen"
      ? `when it froze: ${r} of its lease ${t} left`
      : n.over === "released"
        ? `releases its lease ${t}`
        : n.over
          ? `knows that its lease ${t} has ended`
          : `believes that it holds ${t} for ${r} more`;
  }
  function kl(e, n) {
    const t = e.instance(n),
      { state: r, lease: o, isLosing: s } = t,
      i = e.history.instances[n].phases.at(-1)?.what,
      l =
        r === "runs" && i
          ? { asks: "waits", works: "works", rests: "rests", dead: "killed" }[i]
          : { absent: "starts", frozen: "frozen", dead: "killed", runs: "" }[r];
    nn(`state-${n}`, l),
      (Z(`state-${n}`).dataset.state = l),
      nn(`belief-${n}`, r === "dead" ? "believes nothing" : up(t, o ? ce(e.history, o.token) : ""));
    const c = o ? `signal: ${o.over ? `aborted (${o.over})` : "not aborted"}` : "it has no lease, and so no signal";
    nn(`signal-${n}`, s ? `${c} \xB7 its next answer will be lost` : c);
  }
  function Rl(e) {
    const {
      server: { holder: n, fence: t, ahead: r },
      history: o,
    } = e;
    nn("holder", n ? `held by ${n.who} for ${on(n.remaining)} more` : "free");
    const s = r === 0 ? "" : ` \xB7 clock ${r > 0 ? "+" : "\u2212"}${Math.abs(r)} s`,
      i = o.tokens.at(-1),
      a = `${n ? "" : "last "}token ${i === void 0 ? "none yet" : `${ce(o, i)} = ${i}`}`;
    nn("token", a + s), nn("rule", e.isUnfenced ? "takes every write" : "checks the token");
    const l = e.isUnfenced ? "last written under" : "highest token seen:";
    nn("seen", t ? `${l} ${ce(o, t.token)}` : "no token seen yet"),
      nn("value", t?.value ? `value: \u201C${t.value}\u201D` : "no value yet");
  }
  function Sl(e, n) {
    for (const t of e) {
      const [r, o] = [t.dataset.action, t.dataset.else],
        s = o !== void 0 && n.allows(o);
      if (o) {
        const i = r.slice(-1);
        fp(t, s ? "Start again" : "Kill", s ? `Start ${i} again` : `Kill ${i}`);
      }
      t.disabled = !s && !n.allows(r);
    }
  }
  function fp(e, n, t) {
    e.textContent !== n && ((e.textContent = n), e.setAttribute("aria-label", t));
  }
  var In = ["A", "lock", "resource", "B"],
    mp = { A: "Instance A", lock: "The lock", resource: "The resource", B: "Instance B" },
    pp = 30,
    kt = 28,
    yp = 9,
    gp = 14,
    Ol = 7,
    Al = ({ pitch: e }) => In.length * e + pp,
    bp = (e) => e.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
    W = (e) => e.toFixed(1);
  function _n(e, n, t, r, o = "start") {
    return `<text x="${W(e)}" y="${W(n)}" class="${r}" text-anchor="${o}">${bp(t)}</text>`;
  }
  function Tl({ left: e, right: n }, t, r) {
    const [o, s] = [Math.max(t, e), Math.min(r, n)];
    return s > o ? [o, s] : void 0;
  }
  function Rt(e, n, t, r, o, s = "", i = kt) {
    const a = Tl(e, t, r);
    if (!a) return "";
    const [l, c] = a.map(e.x),
      d = c - l,
      u = e.y(n) - i / 2,
      f = `<rect x="${W(l)}" y="${W(u)}" width="${W(d)}" height="${i}" rx="4" class="${o}"/>`;
    return s.length * Ol + 6 > d ? f : f + _n(l + d / 2, e.y(n) + 4.5, s, `on ${o}`, "middle");
  }
  function Ml(e, n, t) {
    const [r, o] = [W(e - 5), W(t === "good" ? n : n - 5)],
      s = `d="M${r} ${o}${t === "good" ? "l3.5 4l6.5 -8" : "l10 10m0 -10l-10 10"}"`;
    return `<path ${s} class="mark"/><path ${s} class="mark ${t}"/>`;
  }
  function El(e, n, t) {
    const r = e.y(t) > e.y(n) ? 1 : -1;
    return e.y(n) + (r * kt) / 2;
  }
  function hp(e, { who: n, to: t, sentAt: r, arrivedAt: o, answeredAt: s, lostAt: i, verdict: a }) {
    const { now: l, x: c } = e;
    if (r > e.right || (s ?? i ?? l) < e.left || r > l) return "";
    const [d, u] = [El(e, n, t), El(e, t, n)],
      f = Math.min(o ?? l, l),
      m = Math.min(1, (f - r) / 0.2),
      p = a === "stale" ? "stale" : a === "held" || a === "late" || a === "forgotten" ? "faint" : "",
      y = `<path d="M${W(c(r))} ${W(d)}L${W(c(f))} ${W(d + (u - d) * m)}" class="call ${p}"/>`;
    if (o === void 0 || o > l) return y;
    const g = Math.min(s ?? i ?? l, l),
      b = Math.min(1, (g - o) / 0.2),
      h = u + (d - u) * b,
      w = `<path d="M${W(c(o))} ${W(u)}L${W(c(g))} ${W(h)}" class="answer ${p}"/>`;
    return y + w + (i !== void 0 && i <= l ? Ml(c(i), h, "bad") : "");
  }
  var wp = { asks: "waits", works: "works", rests: "", dead: "killed" };
  function xp(e, n, { phases: t, freezes: r, beliefs: o }, s) {
    const { now: i } = e,
      a = ({ to: d = i }) => Math.min(d, i),
      l = t
        .filter(({ what: d }) => d !== "rests")
        .map((d) => {
          const u = d.what === "asks" || d.what === "dead" ? 18 : kt;
          return Rt(e, n, d.from, a(d), `${d.what} of-${n}`, wp[d.what], u);
        });
    for (const d of r) {
      const u = (f, m = "") => Rt(e, n, d.from, a(d), f, m);
      l.push(u("ground") + u("frozen", "frozen"));
    }
    const c = e.y(n) + (n === "A" ? -1 : 1) * (kt / 2 + 9);
    for (const { from: d, to: u, until: f, token: m } of o) {
      const p = Tl(e, d, Math.min(u ?? f, f));
      if (!p) continue;
      const [y, g] = p.map(e.x),
        b = Math.min(Math.max(e.x(i), y), g),
        h = (w, k, L) => (k > w ? `<path d="M${W(w)} ${W(c)}H${W(k)}" class="belief of-${n} ${L}"/>` : "");
      l.push(h(y, b, ""), h(b, g, "ahead")),
        !e.isNarrow && u === void 0 && l.push(_n(g + 6, c + 4, `as ${n} thinks (${ce(s, m)})`, "small"));
    }
    return l.join("");
  }
  function kp(e, n) {
    const { now: t } = e,
      r = n.tenures.map(({ who: o, token: s, from: i, to: a, until: l }) => {
        const c = Math.min(a ?? l, Math.max(l, i)),
          d = `${o} \xB7 ${ce(n, s)}`,
          u = Rt(e, "lock", i, Math.min(c, t), `tenure of-${o}`, d);
        return (c > t ? Rt(e, "lock", Math.max(t, i), c, `tenure ahead of-${o}`) : "") + u;
      });
    for (const { at: o, by: s } of n.clockSteps) {
      if (o < e.left || o > e.right) continue;
      const [i, a] = [e.x(o), e.y("lock")];
      r.push(`<path d="M${W(i)} ${W(a - 26)}V${W(a + 26)}" class="step"/>`),
        r.push(_n(i + 5, a - 20, `clock ${s > 0 ? "+" : "\u2212"}${Math.abs(s)} s`, "small haloed"));
    }
    return r.join("");
  }
  function Rp(e, n) {
    const { now: t } = e,
      r = n.writes.filter(({ refusedFor: i, value: a }) => i === void 0 && a !== void 0),
      o = Rt(e, "resource", 0, Math.min(r[0]?.at ?? t, t), "empty", "empty"),
      s = r.map(({ at: i, who: a, value: l }, c) =>
        Rt(e, "resource", i, Math.min(r[c + 1]?.at ?? t, t), `value of-${a}`, l),
      );
    return s.push(o), s.join("") + Sp(e, n);
  }
  function Sp(e, n) {
    const { x: t, y: r, left: o, right: s } = e,
      i = { A: 0, B: 0 },
      a = [];
    for (const { at: l, who: c, token: d, value: u, refusedFor: f, overwrote: m } of n.writes) {
      if (l < o || l > s) continue;
      const p = ce(n, d),
        y = c === "A" ? -1 : 1,
        [g, b] = [r("resource") + (y * kt) / 2, r("resource") + y * (kt / 2 + 12)],
        h = f !== void 0,
        w = h || m !== void 0,
        k = h ? "refused" : u === void 0 ? "claim" : "write",
        [L, P] = h
          ? [`refused: ${p} < ${ce(n, f)}`, k]
          : m === void 0
            ? [`${k} ${p}`, p]
            : [`overwrites ${ce(n, m)}`, "overwrites"],
        z = e.isNarrow ? P : L,
        V = t(l) + 9;
      a.push(Ml(t(l), g, w ? "bad" : "good")),
        !(V < i[c]) && ((i[c] = V + z.length * Ol), a.push(_n(V, b + 4, z, w ? "bad haloed" : "small haloed")));
    }
    return a.join("");
  }
  function Ep(e) {
    const { left: n, right: t, now: r, x: o, pitch: s, isNarrow: i } = e,
      a = In.length * s,
      l = [];
    for (let c = Math.max(0, Math.ceil(n / 5) * 5); c <= t; c += 5)
      l.push(`<path d="M${W(o(c))} 0V${a}" class="grid"/>`),
        Math.abs(c - r) > (i ? 2.5 : 1.5) && l.push(_n(o(c), a + 20, `${c} s`, "small", "middle"));
    return l.push(...In.map((c) => `<path d="M0 ${e.y(c)}H${e.width}" class="lane"/>`)), l.join("");
  }
  var Op = ({ now: e, x: n, pitch: t, right: r }) =>
    e > r
      ? ""
      : `<path d="M${W(n(e))} 0V${In.length * t + 6}" class="now"/>` +
        _n(n(e), In.length * t + 20, `${e.toFixed(1)} s`, "time", "middle");
  function Cl(e, n) {
    const t = n.isNarrow ? 17 : Math.min(36, Math.max(24, n.width / 34)),
      r = n.width / t,
      o = Math.max(-gp / t, n.shown - Math.max(2, r - yp - 0.5)),
      s = { ...n, left: o, right: o + r, x: (a) => (a - o) * t, y: (a) => (In.indexOf(a) + 0.5) * n.pitch },
      i = In.map((a) => _n(6, s.y(a) - n.pitch / 2 + 12, mp[a], "name haloed"));
    return [
      Ep(s),
      ...e.exchanges.map((a) => hp(s, a)),
      Op(s),
      ...cn.map((a) => xp(s, a, e.instances[a], e)),
      kp(s, e),
      Rp(s, e),
      ...(n.isNarrow ? i : []),
    ].join("");
  }
  var gn = Z("log");
  function vl() {
    gn.replaceChildren();
    const e = Z("caption");
    e.replaceChildren(), delete e.dataset.note;
  }
  function Ll(e, n, t) {
    const r = document.createElement("time");
    (r.textContent = on(n)), e.replaceChildren(r, t);
  }
  function Pl({ history: { notes: e } }) {
    const n = gn.childElementCount;
    if (e.length === n) return;
    const t = gn.scrollTop + gn.clientHeight > gn.scrollHeight - 24;
    for (const { at: r, tone: o, text: s } of e.slice(n)) {
      const i = document.createElement("p");
      i.className = o;
      const a = document.createElement("span");
      (a.textContent = s), Ll(i, r, ""), i.append(a), gn.append(i);
    }
    t && (gn.scrollTop = gn.scrollHeight);
  }
  function Nl({ seconds: e, history: { notes: n } }) {
    const t = (s, i) => n.findLast((a) => a.tone === s && a.at > e - i),
      r = t("bad", 4) ?? t("you", 3) ?? n.at(-1),
      o = Z("caption");
    !r ||
      o.dataset.note === String(n.indexOf(r)) ||
      ((o.dataset.note = String(n.indexOf(r))), (o.className = `caption ${r.tone}`), Ll(o, r.at, r.text));
  }
  var j = () => {};
  function me(e, n = e) {
    const t = e.waitUntil ? e : n;
    if (t.waitUntil)
      return (
        be(t.waitUntil, "waitUntil"),
        (r) => {
          try {
            t.waitUntil?.(r);
            return;
          } catch {
            return r;
          }
        }
      );
  }
  var Ut = (e, n) => (n ? n(e) : e),
    Ap = 200;
  async function Pr(e, n, t) {
    const r = Ut(e, n);
    if (!r) return;
    const o = await fn(r, Number.POSITIVE_INFINITY, t);
    return t?.aborted ? fn(r, Ap) : o;
  }
  var sn = 0.75,
    _s = 0.01,
    Fs = 2,
    bn = (e) => (e / 1e3) * (1 - _s) - Fs,
    Dt = 2;
  function we(e, { extend: n, close: t }) {
    const { retentionMs: r } = e.connection;
    return {
      extend: (o, s, i, a) => M(e, n, [o, s, i, r], a),
      close(o, s, i) {
        const a = s === 0 || i.doubted ? wt(e) : 0;
        return M(e, t, [o, s, r, a], i);
      },
    };
  }
  async function Nr({ target: e, id: n, close: t }, r, o, s, i) {
    const a = t(n, 0, { operation: "cancel", budgetMs: o, tries: { made: 0, most: Dt } }).then(
      ({ status: l }) => (l === "closed" ? "closed" : "unanswered"),
      () => (e.emit?.({ type: "unanswered", operation: r }), "unanswered"),
    );
    return (await Pr(a, s, i)) ?? "pending";
  }
  function Tp({ target: { emit: e, connection: n }, token: t }, r) {
    let o = 0,
      s,
      i = j;
    function a() {
      i(), s?.abort(r.over());
    }
    function l() {
      if ((i(), !r.left || r.over())) return;
      const c = r.remaining();
      c <= o && ((o = 0), e?.({ type: "expiring", token: t, remainingMs: c })), (i = vn(c - o, void 0, l, n.clock, !0));
    }
    return {
      end: a,
      moved(c) {
        (o = e ? c / 5 : 0), s && l();
      },
      read() {
        const c = r.over() !== void 0;
        return s || ((s = new AbortController()), c ? a() : l()), s.signal;
      },
    };
  }
  function $l(e, n) {
    const { target: t, token: r } = e,
      { name: o, emit: s, connection: i } = t,
      a = {
        left: void 0,
        lost: void 0,
        finished: !1,
        told: !1,
        heldMs: F(i.clock),
        remaining: () => (a.left && !a.lost && !a.finished ? Math.max(0, a.left()) : 0),
        learn({ remaining: c, holds: d, sentAt: u, since: f }) {
          n.holds = d;
          const m = bn(c);
          (a.left && m - f() < a.remaining()) ||
            ((a.left = () => m - f()), (n.expiresAt = Math.floor(u + m)), l.moved(m));
        },
        lose(c, d) {
          a.lost ||
            ((a.lost = new Fe(o, c, d)), s?.({ type: "lost", token: r, reason: c, heldMs: a.heldMs() }), l.end());
        },
        finish() {
          (a.told = a.finished = !0), l.end();
        },
        noticeLoss() {
          return a.left && !a.finished && a.remaining() <= 0 && a.lose("expired"), a.lost;
        },
        over: () => a.noticeLoss() ?? (a.finished ? new Fe(o, "released") : void 0),
        signal: () => l.read(),
      },
      l = Tp(e, a);
    return a;
  }
  var qs = new WeakSet();
  function Mp(e, { target: n, token: t, heldMs: r }, o, s) {
    let i,
      a = () => ((i ??= o()), i),
      { kind: l, name: c } = n,
      d = async () => {
        await a().then(j, j), await Promise.all(s);
      };
    return (async () => e({ kind: l, name: c, token: t, heldMs: r() }, d))().catch(j), a();
  }
  function $r(e, n) {
    const { lease: t, target: r } = e,
      { around: o } = r.connection;
    if (!o || qs.has(t)) return n(j);
    const s = new Set();
    return (
      qs.add(t),
      Mp(
        o,
        e,
        async () => {
          try {
            return await n((a) => s.add(a.catch(j)));
          } finally {
            qs.delete(t);
          }
        },
        s,
      )
    );
  }
  var Cp = 50;
  async function Vs(e, n, t, r) {
    const { lease: o } = e,
      s = e.over();
    if (s) throw s;
    let i;
    e.works++;
    try {
      (i = await n(o)), e.noticeLoss();
    } finally {
      const l = --e.works ? void 0 : o.release().catch(j);
      l && (r(l), await Ut(l, t));
    }
    const a = e.noticeLoss();
    if (a) throw a;
    return i;
  }
  function hn(e, n) {
    if (!e) return;
    const t = e === !0 ? {} : e;
    return (
      D(t, "maxHold maxExtends"),
      { maxHoldMs: U(t.maxHold ?? (n ? "25s" : "1h"), "maxHold"), maxExtends: J(t.maxExtends, "maxExtends", 0) }
    );
  }
  function vp(e, n, t, r, o) {
    let { lease: s, leaseMs: i, clock: a } = e,
      { maxExtends: l } = r,
      c = F(a),
      d = new AbortController(),
      { signal: u } = d;
    (async () => {
      for (; l > 0 && !e.over(); ) {
        await Ge(Math.max(s.remaining / 3, Cp), u, a);
        const p = r.maxHoldMs - c();
        if (s.remaining > p * 0.97) return;
        e.extending ||
          s.remaining > i * 0.8 ||
          ((e.extending = !0),
          await s.extend(Math.min(i, p), { signal: u, waits: !0 }).then(() => {
            l = p > i ? l - 1 : 0;
          }, j),
          (e.extending = !1));
      }
    })().catch(j);
    const m = Vs(e, async () => (s.expiresAt === 0 && (await s.extend(i, {})), n(s)), t, o).finally(() => d.abort());
    return t?.(m.catch(j)), m;
  }
  function Ir(e, n, t, r) {
    return e.over() ? Vs(e, n, t, j) : $r(e, (o) => (r ? vp(e, n, t, r, o) : Vs(e, n, t, o)));
  }
  var Lp = 125,
    Il = ({ close: e, id: n, token: t, doubted: r }, o) => e(n, t, { operation: "release", doubted: r, ...o });
  function Pp(e, n) {
    const { target: t, id: r, token: o } = e,
      s = se(t.connection),
      { clock: i } = t.connection,
      a = () => n.left !== void 0 && n.remaining() <= Lp;
    async function l(c) {
      for (; !n.over() && a() && !c?.aborted; ) await fn(void 0, n.remaining(), c, i);
      return n.noticeLoss() !== void 0;
    }
    return async (d, u, f) => {
      if (n.over()) return !1;
      const m = u > 0,
        p = de(),
        y = F(i),
        g = m ? sn * s : s,
        b = f?.waits ? Number.POSITIVE_INFINITY : g,
        h = Math.min(n.left ? n.remaining() : s, b);
      async function w() {
        const k = Math.max(s - y(), s - g);
        m && (await Il(e, { budgetMs: k, tries: { made: 0, most: Dt }, routes: f?.routes }));
      }
      try {
        const k = await e.extend(r, o, u, { operation: d, budgetMs: h, doubt: p, ...f });
        k.status === "extended"
          ? (n.learn(k), n.lost && (await w()))
          : ((n.told = t.names.every((L) => k.lost?.includes(L) ?? !0)), n.finished || n.lose(k.reason, k.lost));
      } catch (k) {
        if (!(m ? p.isOpen() && a() : await l(f?.signal))) throw k;
        n.finished ||
          (n.lose("expired"),
          await w().catch(() => {
            throw k;
          }));
      }
      return !n.over();
    };
  }
  function Np(e, n) {
    let { target: t, token: r } = e,
      { connection: o, emit: s } = t,
      i = de(),
      a = !1;
    return async () => {
      if (n.told) return !1;
      i.ageMs() >= o.retentionMs && ((i = de()), (a = !1));
      const c = !n.lost && n.left !== void 0 && n.left() > 0;
      (a ||= c), n.finish();
      try {
        const d = await Il(e, { doubt: i }),
          f = d.status === "lost" && /unknown|released/.test(d.reason) && a && i.isOpen();
        return d.status === "closed" || f
          ? (s?.({ type: "released", token: r, heldMs: n.heldMs() }), !0)
          : (n.lose(d.reason === "unknown" ? "taken" : d.reason, d.lost), !1);
      } catch (d) {
        throw ((n.told = !1), s?.({ type: "unanswered", operation: "release" }), d);
      }
    };
  }
  function _l(e, n) {
    const { target: t, token: r } = e,
      o = Pp(e, n);
    return {
      verify: (s) => o("verify", 0, s),
      async extend(s, i) {
        if (!(await o("extend", s, i))) throw n.over();
        t.emit?.({ type: "extended", token: r, remainingMs: n.remaining() });
      },
      release: Np(e, n),
    };
  }
  var Hs = 3;
  function _r({ target: e, id: n, token: t, leaseMs: r, mode: o, trace: s = e.connection.trace?.() }) {
    const { kind: i, names: a, group: l = null, connection: c } = e,
      d = () => Ia(JSON.stringify([Hs, i, a, l, n, t, r, s, o]));
    return c.sign
      ? c.sign(d()).then((u) => {
          const f = `${d()}.${u}`;
          return () => f;
        })
      : d;
  }
  function Bt(e) {
    const [, n] = /^.{36}#([1-9]\d{0,2}|1000)(@|$)/.exec(e) ?? [];
    return n === void 0 ? void 0 : Number(n);
  }
  function Fl({ kind: e, names: n, group: t }, r, o) {
    const s = n.map((a) => `"${a}"`).join(", "),
      i = t === void 0 ? s : `${s} in the group "${t}"`;
    return e === "rw"
      ? `the ${o ?? "read or write"} side of the read-write lock ${i}`
      : e === "semaphore"
        ? `${Bt(r)} permits of the semaphore ${i}`
        : e === "fair"
          ? `a fair lock of ${i}`
          : e === "quorum"
            ? `a quorum lock of ${i}`
            : e === "once"
              ? `an attempt of ${i}`
              : `a lock of ${i}`;
  }
  var $p = Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose");
  async function Fr(e, n, t, r, o) {
    const { target: s, token: i } = e,
      { waitedMs: a, polls: l } = n;
    try {
      const c = o ? await o : n;
      return s.emit?.({ type: "acquired", token: i, waitedMs: a, polls: l }), Gs(e, c, await _r(e));
    } catch (c) {
      const d = await Nr(e, "acquire", (1 - sn) * se(s.connection), t, r);
      throw (r?.throwIfAborted(), d === "unanswered" ? new H(s.name, "it may have been granted", c) : c);
    }
  }
  var Ip = (e, n) => (e === void 0 ? n : A("lease.extend", () => U(e, "duration")));
  function Gs(e, n, t) {
    const { target: r, token: o, leaseMs: s, works: i = 0 } = e,
      { name: a } = r,
      l = {
        name: a,
        token: o,
        tokens: { [a]: o },
        holds: 0,
        expiresAt: 0,
        get remaining() {
          return c.noticeLoss(), c.remaining();
        },
        get signal() {
          return c.signal();
        },
        throwIfEnded() {
          const f = c.over();
          if (f) throw f;
        },
        extend: async (f, m) => u.extend(Ip(f, s), m),
        verify: (f) => u.verify(f),
        release: () => u.release(),
        keepAlive(f, m, p = {}) {
          if (typeof f == "function") return l.keepAlive({}, f, m);
          Rr(m, "lease.keepAlive", "keepAlive({ waitUntil }, work, limits)");
          const [y, g] = A("lease.keepAlive", () => {
            D(f, "waitUntil maxHold>limits");
            const b = me(f);
            return [b, hn(p, b)];
          });
          return Ir(d, m, y, g);
        },
        ticket: t,
        toJSON: () => ({ name: a, token: l.token, holds: l.holds, expiresAt: l.expiresAt }),
      };
    l[$p] = () => l.release().then(j, j);
    const c = $l(e, l),
      d = Object.assign(c, { lease: l, target: r, token: o, leaseMs: s, clock: r.connection.clock, works: i }),
      u = _l(e, c);
    return Object.assign(l, e.adds?.(e, l, c.learn)), n && c.learn(n), d;
  }
  var _p = {
      "without a group": "Give this lock the group too, or leave the group out everywhere",
      "by a multi-lock in a group": "Leave the group out here, or give it to every lock of the name",
      "on one server": "Lock the name by a quorum lock everywhere",
      "on a majority of servers": "Lock the name by a quorum lock everywhere",
    },
    Us = (e, n, t) => ({ connection: e.connection, name: e.names[n], subject: `key ${e.keys[n]}`, way: t }),
    ql = ({ connection: e }, n, t) => ({ connection: e, name: n, subject: `name ${n}`, way: t });
  function wn(e) {
    return [
      ...(e.group === void 0 ? e.names : []).map((t) => ql(e, t, "without a group")),
      ...e.names.map((t, r) => Us(e, r, "on one server")),
    ];
  }
  var qr = (e) => [
      ...e.names.map((n) => ql(e, n, "by a multi-lock in a group")),
      ...e.names.map((n, t) => Us(e, t, "on one server")),
    ],
    Vl = (e) =>
      e.flatMap((n) => [
        ...wn(n).filter(({ way: t }) => t === "without a group"),
        Us(n, 0, e.length === 1 ? "on one server" : "on a majority of servers"),
      ]);
  function St(e) {
    for (const { connection: n, name: t, subject: r, way: o } of e) {
      const s = n.state.uses.get(r);
      if (s !== void 0 && s !== o)
        throw new TypeError(
          `"${t}" was locked ${s} over this connection, and is now locked ${o}: these are two locks, and neither excludes the other. ${_p[o]}`,
        );
    }
  }
  function Vr(e) {
    for (const { connection: n, subject: t, way: r } of e) {
      const { uses: o } = n.state;
      o.delete(t), o.set(t, r);
      const [s] = o.keys();
      o.size > 2e3 && o.delete(s);
    }
  }
  function Et(e, { extend: n, close: t }) {
    const { names: r } = e,
      o = (s) =>
        s.status === "lost" && r.length > 1
          ? { ...s, lost: r.filter((i, a) => s.names?.split(" ").includes(`${a + 1}`)) }
          : s;
    return {
      adds: ({ token: s }) => ({ tokens: Object.fromEntries(r.map((i) => [i, s])) }),
      extend: async (...s) => o(await n(...s)),
      close: async (...s) => o(await t(...s)),
    };
  }
  var Fp = 27e4,
    qp = /^Wz[\w-]/,
    Vp = 43;
  function Hl(e) {
    try {
      const n = Uint8Array.from(atob(e.replace(/-/g, "+").replace(/_/g, "/")), (o) => o.charCodeAt(0)),
        t = { fatal: !0 },
        r = JSON.parse(new TextDecoder("utf-8", t).decode(n));
      return Array.isArray(r) ? r : void 0;
    } catch {
      return;
    }
  }
  function Gl(e) {
    return qp.test(e) ? "is truncated or changed: pass it on whole" : "is none: lease.ticket() makes one";
  }
  function Ke(e) {
    throw new TypeError(`resume: this ticket ${e}`);
  }
  async function Hp(e, { sign: n }) {
    if (typeof e != "string") throw new TypeError(`resume: ticket must be text, not ${Ce(e)}`);
    if (e.length > Fp) return Ke("is too long to be one");
    const [t = "", r, ...o] = e.split(".");
    if (n && r === void 0) return Ke(Hl(t) ? "is not signed, and ticketKey asks for it" : Gl(t));
    if (n && !Na(await n(t), r ?? "")) {
      const i = (r ?? "").length < Vp;
      return Ke(`has no valid signature: ${i ? "it is truncated" : "another ticketKey made it"}`);
    }
    const s = Hl(t);
    return !s || o.length > 0 ? Ke(Gl(t)) : !n && r !== void 0 ? Ke("is signed, and there is no ticketKey") : s;
  }
  var Gp = (e, n) => e.kind === n.kind && e.group === n.group && JSON.stringify(e.names) === JSON.stringify(n.names);
  async function Hr(e, n, t, r) {
    return (await Up(e, n, t, r)).lease;
  }
  async function Up(e, n, t, r) {
    const o = A("resume", () => mn(e)),
      [s, i, a, l, c, d, u, f, m] = await Hp(n, o);
    if ((s !== Hs && Ke("is of another release of leasehold"), !Array.isArray(a) || !a.length))
      return Ke("is not one of ours");
    const p = t.find((z) => z.kind === i && !z.several == a.length < 2);
    if (!p && !r) return Ke("is of another release of leasehold");
    if (
      typeof c != "string" ||
      !/^[\da-f-]{36}[\w#-]{0,24}(@[\w.!~*'()%@-]{1,2200})?$/.test(c) ||
      !Number.isSafeInteger(d) ||
      d < 1 ||
      typeof u != "number" ||
      (r && i === "semaphore" && Bt(c) === void 0) ||
      ![void 0, null, "read", "write"].includes(m)
    )
      return Ke("is not one of ours");
    const y = A("resume: in this ticket", () => {
        const z = l === null ? void 0 : Y(l, "group");
        return $n(o, i, a, z);
      }),
      g = p?.crowd ? je(y) : y,
      b = A("resume: in this ticket", () => U(u, "lease", 10)),
      h = m ?? void 0,
      w = { id: c, token: d, leaseMs: b, mode: h };
    r && !(Gp(y, r.target) && h === r.mode) && Ke(`is for another lock: it stands for ${Fl(y, c, h)}`);
    const k = r ?? we(g, p);
    p && i !== "once" && Vr(p.several ? qr(y) : wn(y));
    const L = typeof f == "string" ? f : void 0;
    g.emit?.({ type: "resumed", token: w.token, trace: L });
    const { lease: P } = Gs(
      { target: g, ...k, ...Et(g, k), ...w, doubted: !0, works: i === "once" ? 1 : 0 },
      void 0,
      () => n,
    );
    return { lease: P, id: c };
  }
  var Ds = 1e3,
    Dp = 20;
  function Bp({ backoff: e, waitMs: n = 0 }, t) {
    const r = n - t.waitedMs,
      { backMs: o = r } = t;
    return Math.min(Math.max(Number(e?.(t)), 1), o, r) || r;
  }
  async function Gr({ connection: e, emit: n }, t, r, o) {
    let { waitMs: s = 0, maxPolls: i = Number.POSITIVE_INFINITY, blockedBy: a } = t,
      { signal: l, operation: c, doubt: d } = r,
      { clock: u, random: f, requestTimeoutMs: m } = e,
      p = s > 0,
      y = F(u),
      g = p ? { waits: !0, leastMs: Math.min(Ds, m / 2), hold: { leftMs: () => s - y(), isOver: !1, isSlow: !1 } } : {},
      b = { made: 0, most: i },
      h,
      w = !1,
      k = !1,
      L = (P) => n?.({ type: "ended", operation: c, status: P, waitedMs: y(), polls: b.made, waited: w || k });
    try {
      for (;;) {
        const P = y(),
          z = { ...t, waitedMs: Math.round(P), polls: b.made, before: h },
          V = await o(z, { ...r, ...g, budgetMs: r.budgetMs - P, tries: b });
        h = V;
        const le = a?.(V),
          Ee = y();
        k = V.wasHeld === !0 && Ee - P >= Dp;
        const en = b.made;
        le && p && d?.joinsQueue();
        const ha = s - Ee <= 0 || en >= i;
        if ((le && ha && n?.({ type: "refused", polls: en, remainingMs: le.remainingMs }), !le || ha))
          return L(V.status), { ...V, polls: en, waitedMs: Ee };
        const { remainingMs: wa } = le,
          xa = k ? 0 : Bp(t, { ...le, polls: en, waitedMs: Ee, roundTripMs: V.since(), random: f });
        w || n?.({ type: "waiting", operation: c, remainingMs: wa }),
          (w = !0),
          n?.({ type: "polled", polls: en, remainingMs: wa, delayMs: xa }),
          k || (await Ge(xa, l, u));
      }
    } catch (P) {
      throw (L(l?.aborted ? "aborted" : `${P.code}`), P);
    }
  }
  var jp = /^(held|running|not_reentrant)$/;
  function Kp(e, n) {
    const t = (n / 1e3) * (1 + _s) + Fs,
      r = e.monotonic();
    return () => t - (e.monotonic() - r);
  }
  function zp() {
    let e = [];
    return {
      heard({ connection: n, keys: [t] }, { status: r, remaining: o = 0 }) {
        const s = jp.test(r) && o > 0;
        (!s && r !== "granted") ||
          ((e = e.filter((i) => i.connection !== n || i.record !== t)),
          s && e.push({ connection: n, record: t, leftMs: Kp(n.clock, o) }));
      },
      remainingMs: () => Math.max(0, ...e.map(({ leftMs: n }) => n())),
    };
  }
  async function Ur(e) {
    let { target: n, terms: t } = e,
      { clock: r } = n.connection,
      o = zp(),
      { waitMs: s = 0, maxPolls: i = Number.POSITIVE_INFINITY } = t;
    for (;;) {
      const a = F(r),
        l = { id: X() + (e.suffix ?? ""), doubt: de(), refusals: o, elapsed: a },
        c = await Jp({ ...e, terms: { ...t, waitMs: s, maxPolls: i } }, l);
      if (c.type === "ended") return c.answer;
      if (((s -= a() + 50), (i -= c.polls), s <= 0 || i <= 0)) return Bl(new H(n.name, "the grant came too late"), o);
      await Ge(50, t.signal, r);
    }
  }
  async function Jp(e, n) {
    let { target: t, terms: r } = e,
      { doubt: o } = n,
      s;
    try {
      s = await Yp(e, n);
    } catch (u) {
      const f = await Ul(e, n, n.id);
      return { type: "ended", answer: Qp(e, n, u, f) };
    }
    const i = { id: n.id, ...s, doubted: o.isOpen() },
      a = s.status === "granted",
      l = s.status === "closed";
    if (a && s.since() < bn(s.remaining ?? 0) && !r.signal?.aborted) return { type: "ended", answer: i };
    (a || (l && t.names.length > 1)) && o.mayHold();
    const d = await Ul(e, n, i.id);
    if ((r.signal?.throwIfAborted(), d === "unanswered" && o.isOpen())) throw Dl(e, n);
    return a || l ? { type: "missed", polls: s.polls } : { type: "ended", answer: i };
  }
  function Yp({ target: e, operation: n, terms: t, ask: r }, { id: o, doubt: s, refusals: i }) {
    const { signal: a, waitMs: l = 0, leaseMs: c } = t,
      d = sn * se(e.connection),
      u = l > 0 ? Math.max(l, d) : Math.min(c, d),
      f = { operation: n, signal: a, budgetMs: u, doubt: s, heard: i.heard };
    return Gr(e, { ...t, id: o }, f, r);
  }
  async function Ul({ target: e, operation: n, terms: t, close: r }, { doubt: o, elapsed: s }, i) {
    if (!o.owesCancel()) return;
    const { signal: a, waitUntil: l, waitMs: c = 0 } = t,
      d = se(e.connection),
      u = Math.max(c + d - s(), (1 - sn) * d),
      f = await Nr({ target: e, id: i, close: r }, n, Math.min(u, d), l, a);
    return a?.throwIfAborted(), f;
  }
  function Qp(e, n, t, r) {
    const { doubt: o, refusals: s } = n;
    if (t instanceof H && r === "closed") return Bl(t, s);
    throw (t instanceof H ? r !== void 0 : r === "unanswered") && o.isOpen()
      ? Dl(e, n, t)
      : t instanceof $
        ? Object.assign(t, Bs(s))
        : t;
  }
  function Dl({ target: e, terms: n }, { refusals: t }, r) {
    const o = `it may have been granted, for ${n.leaseMs} ms`,
      s = r instanceof $ ? `${o}: ${r.message}` : o,
      i =
        r instanceof H
          ? Object.assign(new H(e.name, s, r.cause), { message: `${r.message}; ${o}` })
          : new H(e.name, s, r);
    return Object.assign(i, Bs(t));
  }
  function Bs(e) {
    const n = Math.ceil(e.remainingMs());
    return n > 0 ? { remainingMs: n } : {};
  }
  var Bl = (e, n) => ({ status: "unanswered", cause: e, ...Bs(n) });
  var Zp = 500;
  async function Xp({ target: e, waitMs: n, maxPolls: t, signal: r, elapsed: o, look: s }, i) {
    const a = Math.min(Zp, n + se(e.connection) - o());
    if (!s || i >= t || a < 25) return {};
    try {
      return await s({ operation: "inspect", budgetMs: a, signal: r, tries: { made: 0, most: 1 } });
    } catch {
      return r?.throwIfAborted(), {};
    }
  }
  function ey({ note: e, blocked: n }, { kind: t, names: r }) {
    const o = n === void 0 ? void 0 : r[n - 1],
      s = o === void 0 || r.length === 1 ? void 0 : G({ kind: t, name: o, names: [o] });
    try {
      return { part: s, ...Ue(e) };
    } catch {
      return { part: s };
    }
  }
  function ny({ label: e, holder: n, waiters: t, available: r, part: o }, s) {
    if (r !== void 0) return `: ${r} available`;
    const i = [e !== void 0 && N(e), n !== void 0 && `on ${N(n)}`].filter(Boolean),
      a = s > 0 ? `for up to ${Math.ceil(s)} ms more` : "",
      l = [o, "held", i.length > 0 && `by ${i.join(" ")}`, a].filter(Boolean).join(" "),
      c = t ? `, ${t} waiting` : "";
    return i.length + s + (t ?? 0) > 0 ? `: ${l}${c}` : "";
  }
  async function Wt(e, n) {
    const { target: t, waitMs: r, elapsed: o } = e,
      s = Math.round(o()),
      i = `${G(t)} was not acquired within ${r} ms`,
      a = { kind: t.kind, lockName: t.name, waitedMs: s };
    if ("cause" in n) {
      const { remainingMs: p, cause: y } = n;
      return new un(`${i}: ${y.message}`, { ...a, remainingMs: p, cause: y });
    }
    const l = n.wasHeld ? n.since() : 0,
      { part: c, ...d } = { ...ey(n, t), ...(await Xp(e, n.polls)) },
      u = Math.max(0, n.remaining / 1e3 - l),
      f = Object.fromEntries(Object.entries(d).filter(([, p]) => p !== void 0)),
      m = { ...a, ...f, remainingMs: u || void 0 };
    return new un(i + ny({ part: c, ...d }, u), m);
  }
  var Wl = { operation: "inspect" },
    Fn = (e, n, t = Wl) => M(e, Nn, [e.kind], { ...t, routes: n?.routes }),
    qn = (e, n, t = Wl) => M(e, ms, [e.kind], { ...t, routes: n?.routes }),
    ze = ({ body: e }) => e.slice(1);
  function Je({ name: e, kind: n }, t) {
    try {
      return t();
    } catch (r) {
      throw r instanceof URIError ? at(e, `${n}/1`) : r;
    }
  }
  async function Pe(e, n, t = Gt) {
    const r = [X(), e.kind, e.connection.retentionMs],
      { had: o } = await M(e, t, r, { operation: "forceRelease", routes: n?.routes });
    return o === 1;
  }
  var jl = 262144;
  function ty(e, n) {
    const t = typeof e;
    if (/^(bi|f|sy)/.test(t)) return `a ${t}`;
    if (t === "undefined") return n ? "undefined in an array" : void 0;
    if (t === "number") return Number.isFinite(e) ? void 0 : `${e}`;
    if (t !== "object" || !e || Array.isArray(e)) return;
    const r = Object.getPrototypeOf(e);
    return r && Object.getPrototypeOf(r) ? `an instance of ${e.constructor?.name}` : void 0;
  }
  function ry(e, n) {
    const t = ty(n, Array.isArray(this));
    if (t) throw new TypeError(`the result is not JSON: ${t}${e && ` at "${e}"`}`);
    return n;
  }
  function oy(e) {
    try {
      return e instanceof TypeError && e.message.startsWith("the result is not JSON")
        ? e
        : new TypeError("the result cannot be written as JSON", { cause: e });
    } catch {
      return new TypeError("the result cannot be written as JSON");
    }
  }
  function Kl(e) {
    let n;
    try {
      n = JSON.stringify(e ?? null, ry);
    } catch (o) {
      return { why: "not_json", error: oy(o) };
    }
    if (n === void 0)
      return { why: "not_json", error: new TypeError("the result is not JSON: its toJSON returns undefined") };
    const t = ge(n).length;
    return t <= jl
      ? { text: n }
      : { why: "too_large", error: new RangeError(`the result has ${t} bytes of JSON; at most ${jl} are stored`) };
  }
  var sy = 1e15,
    iy = 9e15,
    Dr = { kind: "once", extend: rn, close: Ts },
    ay = (e) => e instanceof $ && e.code !== "lease_lost" && e.code !== "outcome_unknown";
  function Br({ emit: e }, n, t, r) {
    e?.({ type: "turn", status: n, token: r?.lease.token, attempt: t, heldMs: r?.heldMs() });
  }
  async function zl({ target: e, ttlMs: n }, t, r) {
    const { kept: o, id: s, token: i, attempt: a } = t,
      l = [s, i, n, e.connection.retentionMs, r],
      c = await M(e, Ms, l, { operation: "complete" });
    if ((Br(e, c.status, a, o), c.status === "lost")) throw new Fe(e.name, c.reason);
    o.finish();
  }
  async function ly(e, n, t) {
    const r = async (s, i) => (
        await zl(e, n, ""), e.target.emit?.({ type: "unstored", token: n.token, why: s }), { stored: !1, error: i }
      ),
      o = Kl(t);
    if (o.text === void 0) return r(o.why, o.error);
    try {
      await zl(e, n, o.text);
    } catch (s) {
      if (!ay(s)) throw s;
      return r(s.code, s);
    }
    return { stored: !0, result: JSON.parse(o.text) };
  }
  function cy(e, n) {
    const { kept: t, attempt: r } = n,
      { lease: o } = t;
    return {
      status: "started",
      lease: o,
      attempt: r,
      complete: (s) => ly(e, n, s),
      async fail() {
        const s = await o.release();
        return s && Br(e.target, "failed", r, t), s;
      },
    };
  }
  var dy = (e) =>
    e.status === "running" ? { remainingMs: e.remaining / 1e3, ageMs: 0, tenureMs: 0, queueMs: 0 } : void 0;
  async function uy(e, n, t, r) {
    const { target: o, leaseMs: s, ttlMs: i, mostAttempts: a, fingerprint: l } = e,
      { retentionMs: c, holder: d } = o.connection,
      u = await (l === void 0 ? "" : lt(l));
    return Ur({
      target: o,
      operation: "begin",
      close: n,
      terms: { ...r, leaseMs: s, signal: t.signal, waitUntil: me(t), blockedBy: dy },
      async ask({ id: f, before: m }, p) {
        const y = m?.now ?? iy,
          b = await M(o, As, [f, s, i, c, a, u, y, d], p);
        return b.status !== "running" && p.doubt?.leavesQueue(), b;
      },
    });
  }
  function fy(e) {
    return e.status === "live" ? Ue(ze(e).split(" ", 4)[3]) : {};
  }
  function Ws(e, n) {
    D(e, n), rt(e.signal), me(e);
  }
  function my(e, { lease: n, ttl: t, maxAttempts: r, fingerprint: o }) {
    return (
      o !== void 0 && Y(o, "fingerprint", 0, Number.POSITIVE_INFINITY),
      {
        target: e,
        leaseMs: tt(n ?? `${e.connection.leaseMs}ms`),
        ttlMs: dn(t ?? "24h"),
        mostAttempts: Math.min(J(r, "maxAttempts"), sy),
        fingerprint: o,
      }
    );
  }
  function Jl(e, n, t) {
    const r = he(e, Dr.kind, n, t, "lease ttl maxAttempts fingerprint group"),
      o = A(
        () => G(r),
        () => my(r, t),
      ),
      { leaseMs: s } = o,
      i = we(r, Dr);
    return {
      target: r,
      async begin(a = {}, l) {
        const { waitMs: c } = l ?? {};
        l ||
          A(
            () => `${G(r)}.begin`,
            () => Ws(a, "signal waitUntil"),
          );
        const d = {
            target: r,
            waitMs: c ?? 0,
            maxPolls: l?.maxPolls ?? Number.POSITIVE_INFINITY,
            signal: a.signal,
            elapsed: F(r.connection.clock),
            look: async (m) => fy(await Fn(r, void 0, m)),
          },
          u = await uy(o, i.close, a, l ?? {});
        if (u.status === "unanswered") throw await Wt(d, u);
        const { status: f } = u;
        if (f === "granted") {
          const { id: m, doubted: p, token: y, attempt: g } = u,
            b = { target: r, ...i, id: m, token: y, leaseMs: s, doubted: p, works: 1 },
            h = await Fr(b, { ...u, holds: 1 }, me(a), a.signal);
          return Br(r, "started", g, h), cy(o, { kept: h, id: m, token: y, attempt: g });
        }
        if ((Br(r, f), f === "running")) {
          if (c !== void 0) throw await Wt(d, u);
          return { status: f, retryAfterMs: Math.ceil(u.remaining / 1e3) };
        }
        if (f === "done") {
          const m = u.result.slice(1);
          return m === ""
            ? { status: f, stored: !1, result: void 0, token: u.token }
            : { status: f, stored: !0, result: JSON.parse(m), token: u.token };
        }
        return f === "exhausted" ? { status: f, attempts: u.attempts } : { status: f };
      },
    };
  }
  var Yl = 5,
    js = 2e3,
    Ql = (e) => {
      const { polls: n, random: t, roundTripMs: r, ageMs: o, queueMs: s, waitedMs: i } = e;
      if (e.ahead !== void 0) return (e.backMs ?? js) - r;
      const a = e.tenureMs || 50,
        l = a + r + 1,
        c = Math.max(0, a - o),
        d = 0.9 * s - i - c,
        u = i > 1.5 * s + l ? 0 : Math.min(150, 16 * n),
        f = Math.floor((d > u ? d : u * t()) / l),
        m = 0.5 + t() ** 2 * Math.max(5, Math.min(250, a / 10), (o - a) / 2),
        p = c - r + f * l + m;
      return Math.min(Math.max(Yl, p), js, e.remainingMs + 1);
    },
    Wr =
      (e = Yl * 10, n = js, t = 2) =>
      ({ polls: r, random: o, remainingMs: s }) =>
        Math.min(e + (Math.min(e * t ** r, n) - e) * o(), s + 1);
  var qe = "lease reentryKey label signal waitUntil replicas ttl>lease owner>reentryKey",
    jt = "backoff wait timeout>wait maxPolls attempts>maxPolls",
    Kt = `${qe} ${jt}`,
    xn = `${Kt} reentrant group`,
    zt = (e, n) =>
      n
        .split(" ")
        .filter((t) => t !== e && !t.endsWith(`>${e}`))
        .join(" "),
    Jt = (e) => zt("replicas", e),
    jr = (e) => e && lt(e);
  function py(e) {
    if (e)
      return (
        D(e, "min timeout"),
        { min: J(e.min ?? 0, "replicas.min", 1, 100), timeoutMs: U(e.timeout ?? "1s", "replicas.timeout") }
      );
  }
  function Ks(e, n, t, r = !0) {
    const o = e.reentryKey ?? n.reentryKey,
      s = e.lease ?? n.lease;
    return {
      reentryKey: o === void 0 ? "" : Y(o, "reentryKey"),
      leaseMs: s === void 0 ? t.leaseMs : tt(s),
      waitMs: r ? U(e.wait ?? n.wait ?? 1e4, "wait", 0) : 0,
      maxPolls: J(e.maxPolls ?? n.maxPolls, "maxPolls"),
      backoff: be(e.backoff ?? n.backoff ?? Ql, "backoff"),
      note: ct(e.label ?? n.label, "label") + t.holder,
      signal: rt(e.signal ?? n.signal),
      waitUntil: me(e, n),
      replicas: py(e.replicas ?? n.replicas),
    };
  }
  var Kr = (e) => st(e.onUnavailable ?? "refuse", "onUnavailable", "refuse or run") === "run";
  function zs(e) {
    if (!(e instanceof $)) return !1;
    switch (e.code) {
      case "outcome_unknown":
      case "rate_limited":
      case "no_quorum":
        return !0;
      case "lock_timeout":
        return zs(e.cause);
      case "redis_error":
        return ls.test(e.message);
      default:
        return !1;
    }
  }
  function yy(e) {
    if (!zs(e)) return !1;
    const n = e.cause instanceof Fe,
      t = e.remainingMs !== void 0;
    return !n && !t;
  }
  async function zr(e, n, t) {
    return t().catch((r) => {
      if (!n) throw r;
      if (!yy(r)) throw zs(r) ? gy(e, r) : r;
      e.emit?.({ type: "unprotected", why: r.code });
    });
  }
  function gy({ kind: e, name: n }, t) {
    if (t instanceof un || t.remainingMs === void 0) return t;
    const r = `"${n}" was held by another client when the server last answered`;
    return new un(r, { kind: e, lockName: n, remainingMs: t.remainingMs, cause: t });
  }
  var Jr = Symbol();
  function by(e) {
    if (e.status === "held")
      return {
        remainingMs: e.remaining / 1e3 || Number.POSITIVE_INFINITY,
        ageMs: (e.age ?? 0) / 1e3,
        tenureMs: (e.tenure ?? 0) / 1e3,
        queueMs: (e.queue ?? 0) / 1e3,
        ahead: e.ahead,
        backMs: e.back && e.back / 1e3,
      };
  }
  var Js = ({ answers: e }) => Number(e?.[1]?.result) || 0;
  async function hy({ target: e, id: n, token: t, leaseMs: r, extend: o }, { min: s, timeoutMs: i }, a, l) {
    let c = 0;
    try {
      const u = await o(n, t, r, {
        operation: "replicate",
        behind: [["WAIT", s, i]],
        moreMs: i,
        signal: a,
        budgetMs: sn * se(e.connection) - l,
      });
      (c = Js(u)), a?.throwIfAborted();
      const { reason: f = "expired", remaining: m } = u;
      if (!(u.since() < bn(m))) throw new Fe(e.name, f);
      if (c >= s) return u;
    } catch (d) {
      if (!(d instanceof H)) throw d;
    }
    throw new $("not_replicated", `${c} of ${s} replicas had "${e.name}" within ${i} ms`);
  }
  function wy({ takes: e = qe }) {
    const n = `${e} ${jt}`;
    return {
      once: { call: "tryAcquire", waits: !1, options: e },
      waiting: { call: "acquire", waits: !0, options: n },
      running: { call: "run", waits: !0, options: `${n} keepAlive onUnavailable` },
    };
  }
  async function xy(e, n, t, r, o) {
    const { target: s, suffix: i, anew: a } = e,
      l = e.mode === void 0 ? "" : `.${e.mode}`,
      c = () => `${G(s)}${l}.${r.call}`,
      [d, u] = A(c, () => {
        if (!r.waits && "wait" in Object(n))
          throw O(TypeError, 'no option "wait": it does not wait, acquire({ wait }) does');
        return D(n, r.options), [Ks(n, t, s.connection, r.waits), e.own?.(n)];
      }),
      { leaseMs: f, waitMs: m, waitUntil: p, signal: y, replicas: g } = d,
      b = { ...d, reentryKey: await jr(d.reentryKey), own: u, blockedBy: by };
    St(o), Vr(o);
    const h = a?.() ?? e,
      w = F(s.connection.clock),
      k = await Ur({ target: s, operation: "acquire", suffix: i?.(b), terms: b, ask: h.ask, close: h.close });
    if (k.status === "granted") {
      const { id: P, token: z, doubted: V, waitedMs: le } = k,
        Ee = { ...h, id: P, token: z, leaseMs: f, doubted: V },
        en = g && hy(Ee, g, y, Math.max(le - m, 0));
      return Fr(Ee, k, p, y, en);
    }
    if (!(k.status === "held" || k.status === "unanswered")) throw new $(k.status, `this reentry key has "${s.name}"`);
    if (r.waits) throw await Wt({ ...d, target: s, elapsed: w, look: h.look }, k);
    return null;
  }
  function Oe(e, n) {
    const { target: t, parts: r } = e,
      o = wy(e),
      s = (r ?? [e]).flatMap((a) => a.uses ?? wn(a.target));
    A(
      () => G(t),
      () => Ks({}, n, t.connection),
    ),
      St(s);
    const i = (a, l = {}) => xy(e, l, n, a, s);
    return {
      [Jr]: () => r ?? [{ ...e, defaults: n }],
      tryAcquire: async (a) => (await i(o.once, a))?.lease ?? null,
      acquire: async (a) => (await i(o.waiting, a)).lease,
      async run(...a) {
        const l = `${G(t)}.run`,
          [c, d] = ot(a, l),
          u = d,
          [f, m, p] = A(l, () => {
            const g = me(c, n);
            return [g, hn(c.keepAlive, g), Kr(c)];
          }),
          y = await zr(t, p, () => i(o.running, c));
        return y ? Ir(y, u, f, m) : u(void 0);
      },
    };
  }
  function Yr(e, n) {
    return e === 0 ? -1 : n?.status === "held" ? (n.ticket ?? 0) : 0;
  }
  var Ot = 2 ** 53 - 1,
    ky = "permits ttl group wait maxPolls backoff signal waitUntil limit>permits max>permits timeout>wait",
    Ys = { kind: "semaphore", extend: Pn, close: Lr, crowd: !0 };
  async function Zl(e, n, t, r) {
    const o = await qn(e, t, r);
    if (o.status !== "live") {
      const a = Number(n);
      return {
        token: o.token,
        permits: a,
        available: a,
        acquired: 0,
        remaining: 0,
        waiters: 0,
        set: !1,
        remembered: 0,
      };
    }
    const [s = ""] = ze(o).split(" ", 1),
      i = Number(s === "" ? n : s);
    return {
      token: o.token,
      permits: i,
      available: i - o.many,
      acquired: o.many,
      remaining: o.left / 1e3,
      waiters: o.waiting,
      set: s !== "",
      remembered: o.remaining / 1e3,
    };
  }
  function Ry(e, n, t, r) {
    const o = (s, i, a) =>
      A(
        () => `${G(e)}.${s}`,
        () => J(i, "count", a, Ot),
      );
    return {
      name: n,
      async setPermits(s) {
        await t("setPermits", "set", o("setPermits", s, 0));
      },
      async trySetPermits(s) {
        return (await t("trySetPermits", "try", o("trySetPermits", s, 0))).status === "done";
      },
      async addPermits(s) {
        await t("addPermits", "add", o("addPermits", s, -Ot));
      },
      async drain() {
        const s = await t("drain", "drain", 0);
        return s.status === "done" ? s.count : 0;
      },
      available: async () => (await r()).available,
      forceRelease: (s) => Pe(e, s, tn),
    };
  }
  var Sy = (e, n, t) =>
    new RangeError(n > 0 ? `"${e}" has ${n} permits, not ${t}` : `"${e}" needs permits, or setPermits`);
  function Ey(e, { permits: n }) {
    if (n === void 0) return "";
    if (n === 0 && e === "semaphore")
      throw O(RangeError, "permits 0 would let nobody in: give 1 or more. For a pause call setPermits(0)");
    return J(n, "permits", e === "semaphore" ? 1 : 0, Ot);
  }
  function Oy(e, n, t) {
    return async (r) => {
      const { waiters: o, available: s } = await Zl(e, t, void 0, r);
      return n === "counter" ? { available: s } : { waiters: o };
    };
  }
  function Qr(e, n, t, r, o = "") {
    const s = je(he(e, n, t, r, ky + o)),
      [i, a] = A(
        () => G(s),
        () => [Ey(n, r), dn(r.ttl ?? "7d")],
      ),
      l = [i, a, s.connection.retentionMs],
      c = (p, y, g) => M(s, $s, [X(), n, y, g, ...l], { operation: p }),
      d = (p) => Zl(s, i, p),
      u = async ({ id: p, leaseMs: y, waitMs: g, waitedMs: b, before: h, own: w }, k, L) => {
        const P = L > 0 ? await M(s, Ns, [p, y, ...l, Yr(g, h), L], k) : await M(s, Ps, [p, n, y, ...l, b], k);
        if (P.status === "short") throw Sy(t, P.permits, w);
        return P;
      },
      f = we(s, Ys),
      m = (p, y, g) => M(s, Lr, [p, y, s.connection.retentionMs, wt(s), i], g);
    return {
      members: Ry(s, t, c, d),
      changed: async (...p) => (await c(...p)).status === "done",
      inspect: d,
      acquirable: (p, y, g = 0) =>
        Oe(
          {
            target: s,
            ...f,
            ...(n === "counter" && { close: m }),
            ...y,
            own: ({ permits: b = 1 }) => J(b, "permits", 1, p),
            again: (b) => ({ permits: Bt(b) }),
            suffix: ({ own: b, note: h }) => `#${b}${Sr(h)}`,
            ask: (b, h) => u(b, h, g),
            ...((g > 0 || n === "counter") && { look: Oy(s, n, i) }),
          },
          r,
        ),
    };
  }
  function Xl(e, n, t = {}) {
    const { members: r, acquirable: o, changed: s, inspect: i } = Qr(e, "counter", n, t),
      a = o(Ot, { takes: "permits signal waitUntil" });
    return {
      ...r,
      tryAcquire: async (l) => (await a.tryAcquire(l)) !== null,
      async acquire(l) {
        await a.acquire(l);
      },
      release: async (l = 1) =>
        s(
          "release",
          "give",
          A(`counter(${N(n)}).release`, () => J(l, "count", 1, Ot)),
        ),
      async inspect() {
        const { set: l, available: c, remembered: d } = await i();
        return { state: l ? "set" : "free", available: c, remaining: d };
      },
    };
  }
  var Zr = { kind: "lock", extend: rn, close: ht },
    Ay = "",
    Ty = 8;
  function Vn(e) {
    if (e.status === "free" || !e.holds) return { state: "free", token: e.token };
    const { token: n, left: t, holds: r } = e,
      [o, s] = ze(e).split(" ");
    return { state: "held", token: n, remaining: t / 1e3, holds: r, ...(o && { reentryKey: o }), ...Ue(s) };
  }
  function Yt(e) {
    const { label: n, holder: t } = e;
    return { label: n, holder: t };
  }
  var Hn = ({ reentrant: e }) => (e === !1 ? 0 : 1);
  function My(e, n, t = we(e, Zr), r = !0) {
    const { retentionMs: o, clock: s } = e.connection,
      i = Hn(n);
    return Oe(
      {
        target: e,
        ...t,
        ask({ id: a, leaseMs: l, reentryKey: c, note: d, waitedMs: u, polls: f, before: m }, p) {
          const g = m !== void 0 && !m.wasHeld && f % Ty !== 0 ? m.now + (s.now() - m.sentAt) * 1e3 : Ay;
          return M(e, Ht, [a, l, o, c, d, i, u, g], p);
        },
        ...(r && { look: async (a) => Yt(Vn(await Fn(e, void 0, a))) }),
      },
      n,
    );
  }
  function Xr(e, n, t = {}) {
    const r = he(e, Zr.kind, n, t, xn);
    return {
      name: n,
      ...My(r, t),
      async inspect(o) {
        St(wn(r));
        const s = await Fn(r, o);
        return Je(r, () => Vn(s));
      },
      async forceRelease(o) {
        return St(wn(r)), Pe(r, o);
      },
    };
  }
  var eo = { kind: "fair", extend: Pn, close: ys, crowd: !0 };
  function ec(e, n, t = {}) {
    const r = je(he(e, eo.kind, n, t, `${xn} grace`)),
      { retentionMs: o } = r.connection,
      s = Hn(t),
      i = A(
        () => G(r),
        () => U(t.grace ?? 1e3, "grace"),
      );
    return {
      name: n,
      ...Oe(
        {
          target: r,
          ...we(r, eo),
          ask({ id: a, leaseMs: l, reentryKey: c, note: d, waitMs: u, before: f }, m) {
            const p = Yr(u, f);
            return M(r, ps, [a, l, o, c, d, s, p, i], m);
          },
          look: async (a) => {
            const l = await qn(r, void 0, a),
              c = l.status === "free" ? 0 : l.waiting;
            return { ...Yt(Vn(l)), waiters: c };
          },
        },
        t,
      ),
      async inspect(a) {
        const l = await qn(r, a);
        return { ...Je(r, () => Vn(l)), waiters: l.status === "free" ? 0 : l.waiting };
      },
      forceRelease: (a) => Pe(r, a, tn),
    };
  }
  var nc = 2 ** 53 - 1,
    Cy = 8;
  function vy(e) {
    const { token: n } = e,
      t = e.status === "live" ? ze(e) : "";
    if (e.status !== "live" || t === "") return { state: "free", generation: n, count: 0, of: 0, remaining: 0 };
    const [r = 0, o = 0] = t.split(" ").map(Number);
    return { state: r > 0 ? "counting" : "open", generation: n, count: r, of: o, remaining: e.remaining / 1e3 };
  }
  async function Ly(e, n, t) {
    let {
        waitMs: r,
        maxPolls: o,
        backoff: s,
        signal: i,
      } = A(
        () => `${G(e)}.wait`,
        () => (
          D(n, "wait maxPolls backoff signal timeout>wait"),
          {
            waitMs: U(n.wait ?? 1e4, "wait", 0),
            maxPolls: J(n.maxPolls, "maxPolls"),
            backoff: be(n.backoff ?? Wr(), "backoff"),
            signal: rt(n.signal),
          }
        ),
      ),
      a = X(),
      l = 0,
      c = (u) => {
        if (u.status === "lost") throw t();
        if (u.status !== "open")
          return (l = u.generation), { remainingMs: l > 0 ? u.remaining / 1e3 : r, ageMs: 0, tenureMs: 0, queueMs: 0 };
      },
      { status: d } = await Gr(
        e,
        { waitMs: r, maxPolls: o, backoff: s, blockedBy: c },
        { operation: "wait", budgetMs: Math.max(r, Ds), signal: i },
        (u, f) => M(e, Es, [a, l], f),
      );
    return d === "open";
  }
  function tc(e, n, t = {}) {
    const r = he(e, "latch", n, t, "ttl group"),
      o = je(r),
      s = (d, u) => A(() => `${G(o)}${d}`, u),
      i = s("", () => dn(t.ttl ?? "7d")),
      { retentionMs: a } = o.connection,
      l = async (d) => vy(await M(r, Nn, [o.kind], d)),
      c = () => new $("state_lost", `the generation of "${n}" is gone`);
    return {
      name: n,
      async trySetCount(d) {
        const u = s(".trySetCount", () => J(d, "count", 1, nc)),
          f = [X(), u, i, a];
        return (await M(o, Ss, f, { operation: "trySetCount" })).status === "set";
      },
      async countDown(d, u = {}) {
        const { generation: f } = u;
        s(".countDown", () => {
          D(u, "generation"), d !== void 0 && Y(d, "party"), f !== void 0 && J(f, "generation", 1, nc);
        });
        const m = F(o.connection.clock),
          p = { operation: "countDown", tries: { made: 0, most: Cy } },
          y = d === void 0 ? X() : await lt(d),
          g = f === void 0 ? await l(p) : void 0;
        if (g?.count === 0) return 0;
        const b = g?.generation ?? f,
          h = { ...p, budgetMs: se(o.connection) - m() },
          w = await M(o, Rs, [y, b, i, a], h);
        if (w.status === "lost") throw c();
        return w.left;
      },
      count: async () => (await l({ operation: "count" })).count,
      wait: (d = {}) => Ly(r, d, c),
      inspect: () => l({ operation: "inspect" }),
      forceRelease: () => Pe(o, void 0, tn),
    };
  }
  var Py = 1e3,
    Ny = 5e5,
    rc = (e) => ge(JSON.stringify(e)).length + 1;
  function $y(e) {
    let n = [],
      t = [],
      r = new Set(),
      o = 0,
      s = ({ command: i, sha: a }) => (i[0] === "EVAL" && a !== void 0 && r.has(a) ? ["EVALSHA", a, ...i.slice(2)] : i);
    for (const i of e) {
      let a = s(i),
        l = rc(a);
      (t.length === Py || (t.length > 0 && o + l > Ny)) &&
        (n.push(t), ([t, r, o] = [[], new Set(), 0]), (a = i.command), (l = rc(a))),
        a[0] === "EVAL" && i.sha !== void 0 && r.add(i.sha),
        t.push({ parcel: i, command: a }),
        (o += l);
    }
    return t.length > 0 && n.push(t), n;
  }
  async function Iy(e, n) {
    let t = new AbortController(),
      r = n.length,
      o = () => {
        --r === 0 && t.abort();
      };
    for (const { parcel: f } of n) f.signal.addEventListener("abort", o);
    const [s = [], ...i] = n.map(({ command: f }) => f),
      a = n[0]?.parcel.behind ?? [],
      l = await e(s, t.signal, [...i, ...a]);
    for (const { parcel: f } of n) f.signal.removeEventListener("abort", o);
    const c = l.type === "answered" || l.type === "refused" ? (l.answers ?? []) : [];
    if (c.length < n.length + a.length) {
      const f = l.type === "answered" ? Vt([]) : l;
      for (const { parcel: m } of n) m.resolve(f);
      return;
    }
    const d = c.slice(n.length),
      u = [];
    for (const [f, { parcel: m, command: p }] of n.entries()) {
      const y = c[f];
      p !== m.command && /^NOSCRIPT/.test(y.error ?? "") ? u.push({ ...m, sha: void 0 }) : m.resolve(Vt([y, ...d]));
    }
    Qs(e, u);
  }
  function Qs(e, n) {
    for (const t of $y(n)) Iy(e, t);
  }
  function Fy(e) {
    let n = 1,
      t = [],
      r = 0;
    function o() {
      const i = t;
      if (((t = []), i.length !== 0)) {
        if ((r++, r <= 8)) {
          Qs(e, i);
          return;
        }
        for (const { resolve: a } of i)
          a({ type: "not sent", reason: "unreachable", error: `no answer to ${8} requests` });
      }
    }
    function s() {
      n--, n === 0 && o();
    }
    return (
      queueMicrotask(s),
      {
        expect() {
          n++;
        },
        arrive: s,
        add(i) {
          t.push(i);
        },
        sendSoon() {
          t.length === 1 && setTimeout(o);
        },
      }
    );
  }
  function qy({ port: e, random: n, clock: t }) {
    let r = Fy(e),
      o = 0,
      s,
      i = new Set();
    function a() {
      s = void 0;
      const l = [...i];
      i.clear();
      for (const c of l) c();
    }
    return (l) => {
      o = Math.max(o, l);
      let c,
        d = !0;
      r.expect();
      const u = () => {
        d && ((d = !1), r.arrive());
      };
      return {
        port: (f, m, p = []) =>
          new Promise((y) => {
            f[0] === "EVALSHA" && (c = `${f[1]}`),
              r.add({ command: f, behind: p, sha: c, signal: m, resolve: y }),
              d ? u() : r.sendSoon();
          }),
        spreadMs: () => o,
        random() {
          return (s ??= n()), s;
        },
        async pause(f, m) {
          let p = j,
            y = new Promise((g) => {
              p = () => {
                (d = !0), r.expect(), g();
              };
            });
          i.add(p), await fn(y, f, m, t), m?.aborted ? i.delete(p) : i.has(p) && a(), m?.throwIfAborted();
        },
        leave: u,
      };
    };
  }
  function Gn() {
    const e = new Map();
    return (n, t) => {
      if (n.port.isSingle) return Er(n, t);
      const r = e.get(n) ?? qy(n);
      return e.set(n, r), r(t);
    };
  }
  var [Vy, Hy] = [1 / 3, 1 / 20],
    no = ({ remaining: e = 0, since: n }) => e / 1e3 - n();
  function sc({ doubt: e }) {
    const n = de();
    return e?.covers(n), n;
  }
  function Gy(e, n) {
    let t = [],
      r = 0;
    for (const [o, { part: s }] of e.entries()) {
      const i = n[o],
        a = i?.names?.match(/\d+/g) ?? ["1"];
      i?.status === "lost" && t.push(...a.map((l) => r + Number(l))), (r += s.target.names.length);
    }
    return t.join(" ");
  }
  async function ic(e, n, t) {
    const { tries: r, routes: o = Gn() } = n,
      s = e.map(() => r && { made: r.made, most: r.most }),
      i = await Promise.allSettled(e.map((f, m) => t(f, { ...n, routes: o, tries: s[m], doubt: sc(n) })));
    r && (r.made = Math.max(r.made, ...s.map((f) => f?.made ?? 0)));
    const a = i.map((f) => {
        if (f.status === "rejected") throw f.reason;
        return f.value;
      }),
      l = Gy(e, a),
      c = ({ status: f }) => +(f === "lost"),
      [d] = [...a].sort((f, m) => c(m) - c(f) || no(f) - no(m)),
      u = { result: Math.min(...a.map(Js)) };
    return { ...d, names: l, answers: [{}, u] };
  }
  var ac = (e, n, t) =>
      ic(e, t, async (r, o) => {
        const s = await r.part.extend(r.id, r.grant?.token ?? 0, n, o);
        return s.status === "extended" && (r.grant = { ...r.grant, ...s, status: "granted" }), s;
      }),
    Uy = (e, n, t) =>
      ic(
        e.filter(({ doubt: r, refused: o }) => r.isOpen() || o),
        t,
        (r, o) => r.part.close(r.id, n === 0 ? 0 : (r.grant?.token ?? 0), o),
      );
  async function Dy(e, n, t, r) {
    const { defaults: o } = e,
      s = n.reentryKey || (await jr(o.reentryKey ?? "")),
      a = n.note !== "" && !n.note.startsWith("@") ? n.note : ct(o.label, "label") + n.note,
      l = e.own?.({}),
      c = e.suffix?.({ reentryKey: s, note: a, own: l }) ?? "";
    return { part: e, own: l, id: n.id + c, reentryKey: s, note: a, startMs: t, doubt: sc(r) };
  }
  async function By(e, n, t, r) {
    const { part: o, id: s, reentryKey: i, note: a, own: l, before: c, doubt: d, startMs: u } = e,
      f = Math.round(t - u),
      m = await o.ask({ ...n, id: s, reentryKey: i, note: a, own: l, before: c, waitedMs: f }, { ...r, doubt: d });
    return (
      (e.before = m),
      (e.refused ||= m.status === "held" && n.waitMs > 0),
      m.status === "granted" && ((e.grant = m), (e.id = m.id ?? s), d.mayHold()),
      m
    );
  }
  async function Wy(e, n, t, r) {
    const o = n * (t ? Hy : Vy),
      s = e.filter(({ grant: a }) => a && a.since() > o);
    if (s.length === 0) return;
    const i = await ac(s, n, { ...r, operation: "extend" });
    return i.status === "lost" ? i : void 0;
  }
  var oc = (e) => ({ ...e, status: "closed" });
  function lc(e, n) {
    let t = { id: "", asked: [] },
      r;
    async function o(i, a) {
      const { leaseMs: l, waitedMs: c } = i;
      i.id !== t.id && (t = { id: i.id, asked: [] });
      const { tries: d, budgetMs: u = 0 } = a,
        f = F(e.connection.clock),
        m = () => ({ ...a, budgetMs: u - f() });
      for (;;) {
        const p = t.asked.flatMap(({ grant: z }) => z ?? []),
          y = n[p.length],
          g = await Wy(t.asked, l, y === void 0, m());
        if (g) return oc(g);
        if (!y) return s(l);
        const b = p.at(-1),
          h = f() >= u || (d !== void 0 && d.made >= d.most);
        if (b && h) return oc(b);
        const w = t.asked[p.length] ?? (await Dy(y, i, c + f(), a));
        t = { id: i.id, asked: [...t.asked.slice(0, p.length), w] };
        const k = b ? { mostHoldMs: l / 3 } : {},
          L = await By(w, i, c + f(), { ...m(), ...k }),
          P = (l * 1e3) / 3;
        if (L.status === "held" && b) return { ...L, back: Math.min(L.back ?? P, P) };
        if (L.status !== "granted") return L;
      }
    }
    async function s(i) {
      const { asked: a } = t;
      r = await Promise.all(
        a.map(({ part: c, id: d, grant: u }) =>
          _r({ target: c.target, mode: c.mode, id: d, token: u?.token ?? 0, leaseMs: i }),
        ),
      );
      const [l] = a.map(({ grant: c }) => c).sort((c, d) => no(c) - no(d));
      return { ...l, id: t.id, token: Number.NaN };
    }
    return {
      target: e,
      ask: o,
      async look(i) {
        const a = t.asked.find(({ before: l }) => l?.status === "held")?.part;
        return a ? { ...(await a.look?.(i)), part: G(a.target) } : {};
      },
      ...Et(e, { extend: (i, a, l, c) => ac(t.asked, l, c), close: (i, a, l) => Uy(t.asked, a, l) }),
      adds: () => jy(e, t, () => r.map((i) => i())),
    };
  }
  function jy({ names: e }, { asked: n }, t) {
    const r = n.flatMap(({ part: o, grant: s }) => o.target.names.map(() => s?.token));
    return {
      token: void 0,
      tokens: Object.fromEntries(e.map((o, s) => [o, r[s]])),
      tickets: t,
      ticket() {
        throw new TypeError("one ticket cannot stand for several slots: hand over tickets()");
      },
    };
  }
  var cc = 64,
    to = ({ orderKey: e, target: n }) => e ?? n.keys[0],
    Qt = ({ target: e }) => e.connection.serverId ?? "";
  function dc(e, n) {
    return e < n ? -1 : e > n ? 1 : 0;
  }
  var Ky = (e, n) => dc(to(e), to(n)) || dc(Qt(e), Qt(n)),
    uc = ({ target: e }, { target: n }) =>
      e.connection === n.connection || (e.connection.server !== "" && e.connection.server === n.connection.server);
  function zy(e, n) {
    const [t, r] = [e.target, n.target],
      o = `"${t.name}" and "${r.name}"`;
    if (to(e) === to(n)) {
      if (e.isSpread || n.isSpread || uc(e, n))
        throw O(TypeError, `${o} overlap: give each lock once, and names of one group in one multi-lock`);
      if (!Qt(e) || Qt(e) === Qt(n))
        throw O(
          TypeError,
          `"${t.name}" is locked on several servers, which every client must acquire in one order: give each connection the serverId of its server, or lock the name on a majority by quorumLock, or use different names`,
        );
    }
    if (
      t.group !== void 0 &&
      t.group === r.group &&
      t.connection.prefix === r.connection.prefix &&
      t.names.length + r.names.length > 2
    )
      throw O(
        TypeError,
        uc(e, n)
          ? `${o} overlap: name all names of a group in one multi-lock`
          : `${o} are in one group on several servers: use another group on each server`,
      );
  }
  function fc(e) {
    const n = e.flatMap(({ target: t }) => t.names);
    return e.map(({ target: { names: t, keys: r, connection: o } }) =>
      t.map((s, i) => (n.indexOf(s) === n.lastIndexOf(s) ? s : `${o.serverId ?? o.server}/${r[i]}`)),
    );
  }
  function Zs(e) {
    if (!e?.[Jr]) throw O(TypeError, `a part must be a name or a lock, not ${N(e)}`);
    return e[Jr]();
  }
  var Jy = ({ takes: e = qe }) => e;
  function Yy(e, n, t) {
    const r = A("multiLock", () => n.flatMap(Zs)).sort(Ky);
    A("multiLock", () => {
      for (const [m, p] of r.entries()) m > 0 && zy(r[m - 1], p);
    });
    const o = fc(r).flat(),
      s = o.join(", "),
      i = "multi",
      a = e.emit && ((m) => e.emit?.({ kind: i, name: s, ...m })),
      l = () => lc({ connection: e, kind: i, name: s, names: o, group: void 0, keys: [], emit: a }, r),
      c = r.some((m) => m.isSpread),
      d = r.some((m) => Jy(m).split(" ").includes("reentryKey")),
      u = c ? Jt(qe) : qe,
      f = d ? u : zt("reentryKey", u);
    return (
      A("multiLock", () => D(t, `${f} ${jt} reentrant group`)),
      Oe({ ...l(), parts: r, anew: l, takes: f, isSpread: c }, t)
    );
  }
  var Xs = { kind: "lock", extend: ks, close: xs, several: !0 };
  function Qy(e, n) {
    const { retentionMs: t } = e.connection,
      r = Hn(n),
      o = {
        target: e,
        ...Et(e, we(e, Xs)),
        uses: qr(e),
        ask: ({ id: s, leaseMs: i, reentryKey: a, note: l, waitedMs: c }, d) => M(e, ws, [s, i, t, a, l, r, c], d),
      };
    return Oe(o, n);
  }
  function mc(e, n, t = {}) {
    const [r, o] = A("multiLock", () => {
        if ((D(t, xn), !Array.isArray(n))) throw O(TypeError, `parts must be a list of names and locks, not ${N(n)}`);
        const c = [...new Set(n)];
        if (!(c.length > 0 && c.length <= cc))
          throw O(RangeError, `parts has ${c.length} names and locks: 1 to ${cc} are allowed`);
        if (t.reentrant !== void 0 && !c.some((d) => typeof d == "string"))
          throw O(TypeError, "reentrant is for parts that are names: give it to each lock");
        return [mn(e), c];
      }),
      { group: s } = t,
      i = o.map((c) => (typeof c == "string" ? Xr(r, c, t) : c)),
      a =
        s === void 0
          ? Yy(r, i, t)
          : Qy(
              A("multiLock", () => $n(r, "lock", o, s)),
              t,
            ),
      l = fc(i.flatMap(Zs));
    return {
      ...a,
      async inspect(c = { routes: Gn() }) {
        const d = [...l],
          u = i.map(async (f) => [d.splice(0, Zs(f).length).flat().join(", "), await f.inspect?.(c)]);
        return Object.fromEntries(await Promise.all(u));
      },
      async forceRelease(c = { routes: Gn() }) {
        return (await Promise.all(i.map((u) => u.forceRelease?.(c)))).includes(!0);
      },
    };
  }
  async function Zy({ emit: e }, n, t, r, o, s) {
    let { lease: i } = n,
      { token: a } = i,
      l,
      c = async () => {
        l = { result: await t(n) };
      };
    try {
      await (o ? i.keepAlive({ waitUntil: r }, c, o) : c());
    } catch (f) {
      if (!l) {
        const m = n.fail().catch(j);
        throw (s(m), await Ut(m, r), f);
      }
    }
    const { result: d } = l,
      u = (f) => ({ status: "done", stored: !1, fresh: !0, result: d, token: a, error: f });
    try {
      const f = await n.complete(d);
      return f.stored ? { status: "done", stored: !0, result: f.result, token: a, fresh: !0 } : u(f.error);
    } catch (f) {
      if (!(f instanceof $) || f.code === "lease_lost") throw f;
      return e?.({ type: "unstored", token: a, why: f.code }), u(f);
    }
  }
  function Xy(e) {
    if (e.status !== "live") return { state: "free", token: e.token };
    const [n, , t, r] = ze(e).split(" ", 4),
      o = t ? "done" : e.holds > 0 ? "running" : "idle",
      { token: s, remaining: i } = e;
    return { state: o, token: s, attempts: Number(n), remaining: i / 1e3, ...(o === "running" && Ue(r)) };
  }
  var eg = "signal waitUntil keepAlive backoff wait timeout>wait maxPolls onUnavailable";
  function ng(e) {
    Ws(e, eg);
    const n = me(e);
    hn(e.keepAlive, n);
    for (const r of ["maxPolls", "backoff"])
      if (e[r] !== void 0 && e.wait === void 0) throw O(TypeError, `${r} needs wait`);
    const t = {
      waitMs: e.wait === void 0 ? void 0 : U(e.wait, "wait", 0),
      maxPolls: J(e.maxPolls, "maxPolls"),
      backoff: be(e.backoff ?? Wr(), "backoff"),
    };
    return { waitUntil: n, open: Kr(e), waiting: t };
  }
  function pc(e, n, t = {}) {
    const { target: r, begin: o } = Jl(e, n, t);
    async function s(...i) {
      const a = `${G(r)}.run`,
        [l, c] = ot(i, a),
        { waitUntil: d, open: u, waiting: f } = A(a, () => ng(l)),
        m = await zr(r, u, () => o(l, f));
      if (!m) return { status: "unprotected", result: await c(void 0) };
      if (m.status === "done") return { ...m, fresh: !1 };
      if (m.status !== "started") return m;
      const { lease: p } = m,
        y = { target: r, token: p.token, lease: p, heldMs: F(r.connection.clock) },
        g = $r(y, (b) => Zy(r, m, c, d, l.keepAlive, b));
      return d?.(g.catch(j)), g;
    }
    return {
      name: n,
      begin: (i) => o(i),
      run: s,
      async inspect() {
        const i = await Fn(r);
        return Je(r, () => Xy(i));
      },
      forceRelease: () => Pe(r),
    };
  }
  var tg = 100,
    Un = (e) => e.flatMap(({ reply: n }) => n ?? []),
    xe = (e, n) => Un(e).filter((t) => t.status === n),
    Ne = (e, n) => 2 * n.length > e.length,
    ro = (e, n) => 2 * n.length >= e.length,
    Dn = (e, n) => Ne(e, Un(n)),
    Zt = (e, n, t) => Ne(e, xe(n, t)) || ro(e, xe(n, "lost"));
  function Ye(e, n, t, r, { ready: o = (a) => Dn(e, a), patient: s = !1, doubts: i = new Map() } = {}) {
    const [{ connection: a, limitMs: l }] = e,
      c = F(a.clock),
      d = n.map((u) => ({
        server: u,
        doubt: i.get(u) ?? de(),
        tries: { made: 0, most: t.tries?.most ?? Number.POSITIVE_INFINITY },
      }));
    return new Promise((u) => {
      let f = d.length,
        m,
        p = () => {
          m?.();
          for (const { tries: y } of d) y.most = 0;
          u(d);
        };
      for (const y of d)
        r(y.server, { ...t, doubt: y.doubt, tries: y.tries, hold: void 0 }, c)
          .then(
            (g) => {
              y.reply = g;
            },
            (g) => {
              y.error = g;
            },
          )
          .then(() => {
            if (--f === 0) return p();
            if (m || !o(d)) return;
            const g = Math.min(l - c(), s ? l : Math.max(c(), tg));
            m = vn(Math.max(g, 1), void 0, p, a.clock);
          });
    });
  }
  function kn(e, n) {
    const t = n.find(({ error: i }) => i instanceof TypeError);
    if (t) return t.error;
    const r = n.flatMap(({ error: i }) => (i instanceof $ ? [i] : [])),
      o = r.find(
        ({ code: i }) =>
          i !== "outcome_unknown" &&
          Ne(
            e,
            r.filter((a) => a.code === i),
          ),
      ),
      s = `"${e[0].name}" has no majority: ${Un(n).length} of ${e.length} servers answered`;
    return o ?? new $("no_quorum", s, { cause: r[0] });
  }
  function Xt(e, n) {
    const t = ({ remaining: r, since: o }) => bn(r) - o();
    return [...n].sort((r, o) => t(o) - t(r))[e.length >> 1];
  }
  var yc = (e, n, t, r, o) =>
    Ye(
      e,
      n,
      o,
      async (s, i, a) => {
        const l = [s.connection.retentionMs, wt(s)],
          c = await M(s, ht, [t, r, ...l], i);
        if (r && c.status === "lost" && /taken|gone|unknown/.test(c.reason)) {
          const d = se(s.connection) - a();
          await M(s, ht, [t, 0, ...l], { ...i, budgetMs: d }).catch(j);
        }
        return c;
      },
      { ready: (s) => Zt(e, s, "closed"), patient: !0 },
    );
  async function ei(e, n, t = e) {
    const r = await yc(e, t, n, 0, { operation: "cancel", budgetMs: e[0].limitMs, tries: { made: 0, most: Dt } });
    return !ro(
      e,
      r.filter(({ reply: o }) => !o),
    );
  }
  var gc = (e) => ({
    async extend(n, t, r, o) {
      const s = await Ye(e, e, o, (l, c) => M(l, rn, [n, t, r, l.connection.retentionMs], c), {
          ready: (l) => Zt(e, l, "extended"),
        }),
        i = xe(s, "extended");
      if (Ne(e, i)) return Xt(e, i);
      const a = xe(s, "lost");
      if (!ro(e, a)) {
        i.length > 0 && o.doubt?.mayHold();
        for (const { doubt: l } of s) o.doubt?.covers(l);
        throw kn(e, s);
      }
      return await ei(e, n), a.sort((l, c) => (l.reason < c.reason ? -1 : 1)), a[a.length >> 1];
    },
    async close(n, t, r) {
      const o = await yc(e, e, n, t, r),
        s = xe(o, "closed"),
        i = Ne(e, s) ? s[0] : xe(o, "lost")[(e.length - 1) >> 1];
      if (!i) throw kn(e, o);
      return i;
    },
  });
  var rg = ({ doubt: e, reply: n, error: t }) => !n && !e.isOpen() && t?.code === "outcome_unknown",
    og = 864e8,
    sg = 4,
    ig = 50,
    ag = 1e3,
    bc = (e) => (e.status === "held" ? e.now - e.age : Number.NaN),
    lg = ({ doubts: e }) => Math.max(...[...e.values()].map((n) => n.ageMs())),
    hc = (e, { doubts: n }) => e.filter((t) => n.get(t)?.isOpen());
  async function cg(e, n, t, r) {
    let { id: o } = n,
      s = xe(t, "granted"),
      i = (d) =>
        Ne(
          e,
          s.filter(({ now: u }) => d <= u + og),
        ),
      a = (d) => Math.max(0, ...d),
      l = t,
      c = a(s.map((d) => d.token).filter(i));
    for (let d = 0; c > 0 && d < sg; d++) {
      const u = await Ye(e, hc(e, n), r, (m, p) => M(m, Os, [o, c, m.connection.retentionMs], p));
      l = u;
      const f = xe(u, "committed");
      if (Ne(e, f)) return { heard: l, granted: { ...Xt(e, f), status: "granted", token: c, holds: 1, id: o } };
      c = a(xe(u, "behind").map((m) => m.token));
    }
    return { heard: l };
  }
  async function dg(e, n, t, r) {
    const { id: o = "", token: s } = n,
      i = await Ye(e, e, r, (l, c) => M(l, rn, [o, s, t, l.connection.retentionMs], c), {
        ready: (l) => Zt(e, l, "extended"),
      }),
      a = xe(i, "extended");
    return Ne(e, a) ? { ...n, ...Xt(e, a), status: "granted" } : n;
  }
  function ug(e, n, t, r, o) {
    const s = xe(n, "not_reentrant");
    if (r && Ne(e, s) && s[0]) return s[0];
    const i = xe(n, "held"),
      [a] = [...i, ...s];
    if (!a) return { ...Un(n)[0], status: "closed" };
    const l = { splits: t + 1, silent: e.filter((f) => !n.some((m) => m.server === f && m.reply)) },
      c = i.filter((f) =>
        Ne(
          e,
          i.filter((m) => bc(m) === bc(f)),
        ),
      ),
      d = { ...l, splits: 0 };
    if (c.length > 0) return { ...Xt(e, c), ...d };
    const u = Math.min(ag, o * 2 ** (t + 2));
    return { ...a, status: "held", age: (ig + 2 * u) * 1e3, tenure: 0, queue: 0, ...l };
  }
  async function fg({ servers: e, trial: n, request: t, failures: r, step: o }) {
    const { leaseMs: s, reentryKey: i, note: a, waitedMs: l } = t,
      c = r === 0 && !t.before,
      { splits: d = 0, silent: u = [] } = r > 0 ? {} : (t.before ?? {}),
      f = F(e[0].connection.clock),
      m = e.filter((h) => !u.includes(h)),
      y = await Ye(
        e,
        m,
        o,
        async (h, w) => {
          const { retentionMs: k } = h.connection,
            L = i && `quorum:${i}`,
            z = [n.id, s, k, L, a, 0, l, ""],
            V = await M(h, Ht, z, w);
          return V.status === "granted" && w.doubt?.mayHold(V.since), V;
        },
        { doubts: n.doubts },
      );
    n.wasAnswered ||= Dn(e, y);
    const { granted: g, heard: b } = await cg(e, n, y, o);
    return g
      ? { type: "replied", reply: r > 0 ? await dg(e, g, s, o) : g }
      : (o.signal?.throwIfAborted(),
        Dn(e, b)
          ? { type: "replied", reply: ug(e, y, d, c, f()) }
          : { type: "failed", error: kn(e, b), isAway: y.every(rg) });
  }
  async function mg(e, n, t, r) {
    let [{ connection: o, limitMs: s, emit: i }] = e,
      { clock: a, random: l } = o,
      { operation: c, signal: d, heard: u, waits: f = !1, budgetMs: m = s, tries: p = { made: 0, most: 1 } } = r,
      y = F(a),
      g;
    for (let b = 0; ; b++) {
      const h = Math.min(s, t.leaseMs / 4, m - y()),
        k = await fg({
          servers: e,
          trial: n,
          request: t,
          failures: b,
          step: { operation: c, signal: d, heard: u, tries: { made: 0, most: 1 }, budgetMs: h },
        }),
        { made: L } = p;
      if ((p.made++, k.type === "replied")) return k.reply;
      const { error: P, isAway: z } = k;
      z && (g ??= 0);
      const { code: V, message: le } = P,
        Ee = Or({
          setback: V === "no_quorum" ? "passing" : "final",
          late: 0,
          failures: b,
          made: L,
          most: p.most,
          elapsedMs: y(),
          budgetMs: m,
          spreadMs: m,
          awayAtMs: g,
          insists: f,
          rememberedMs: o.retentionMs - lg(n),
          retryAfterMs: 0,
          random: l,
        });
      if (Ee.retry !== "later") throw P;
      i?.({ type: "retried", operation: c, why: le, delayMs: Ee.delayMs }), await Ge(Ee.delayMs, d, a);
    }
  }
  async function wc(e, n, t) {
    const { signal: r } = t,
      o = new Map(e.map((l) => [l, de()])),
      s = { id: X(), doubts: o, wasAnswered: !1 };
    async function i() {
      const l = hc(e, s);
      if (l.length === 0) return;
      const c = await Pr(ei(e, s.id, l), n.waitUntil, r);
      if ((r?.throwIfAborted(), c === !1 && s.wasAnswered)) throw new H(e[0].name, "it may have been granted");
    }
    let a;
    try {
      a = await mg(e, s, n, t);
    } catch (l) {
      throw (await i(), l);
    }
    return a.status !== "granted" && (await i()), a;
  }
  async function xc(e, n, t) {
    const [{ limitMs: r }] = e,
      o = Math.min(r, t?.budgetMs ?? r),
      s = { operation: "inspect", ...t, budgetMs: o, routes: n?.routes },
      i = await Ye(e, e, s, async (f, m) => {
        const p = await M(f, Nn, ["lock"], m);
        return { ...p, state: Je({ name: f.name, kind: "lock" }, () => Vn(p)) };
      });
    if (!Dn(e, i)) throw kn(e, i);
    const a = i.map(({ reply: f, error: m }) => (f ? f.state : { state: "unknown", code: m?.code })),
      l = a.filter((f) => f.state !== "unknown"),
      c = l.filter((f) => f.state === "held").sort((f, m) => m.remaining - f.remaining),
      d = c.find(({ token: f }, m) => {
        const p = c.filter((g) => g.token === f);
        return 2 * (p.length + a.length - l.length) > a.length && c[m] === p[Math.min(p.length - 1, a.length >> 1)];
      }),
      u = { state: "free", token: Math.max(...l.map(({ token: f }) => f)) };
    return { ...(d ?? u), servers: a };
  }
  async function pg(e, n, t) {
    const [{ limitMs: r }] = e,
      o = X(),
      s = { operation: "forceRelease", budgetMs: r, routes: t?.routes },
      a = await Ye(e, e, s, (l, c) => M(l, Gt, [o, "lock", l.connection.retentionMs], c), { patient: !0 });
    if (!Dn(e, a)) throw kn(e, a);
    return await (await n.tryAcquire({ lease: `${4 * r}ms` }))?.release(), Un(a).some(({ had: l }) => l === 1);
  }
  function kc(e, n, t = {}) {
    if (!Array.isArray(e)) throw new TypeError(`quorumLock: connections must be a list of 1 to 9, not ${N(e)}`);
    const r = `${Jt(Kt)} serverTimeout group`,
      o = e.map((u) => he(u, "quorum", n, t, r)),
      [s] = o;
    if (!s || o.length > 9) throw new RangeError(`quorumLock: connections must be a list of 1 to 9, not ${o.length}`);
    if (new Set(o.map(({ connection: u }) => u.server || u)).size < o.length)
      throw new TypeError(`${G(s)}: each connection must be to another server, whatever its prefix`);
    const { serverTimeout: i = Math.min(s.connection.requestTimeoutMs / 4, 1e3) } = t,
      a = A(
        () => G(s),
        () => U(i, "serverTimeout"),
      ),
      l = o.map((u) => ({ ...u, limitMs: a })),
      c = gc(l),
      d = Oe(
        {
          target: s,
          ...c,
          takes: Jt(qe),
          isSpread: !0,
          uses: Vl(o),
          orderKey: o.map(({ keys: u }) => u[0]).sort()[0],
          ask: (u, f) => wc(l, u, f),
          look: async (u) => Yt(await xc(l, void 0, u)),
        },
        t,
      );
    return {
      name: n,
      ...d,
      inspect: (u) => xc(l, u),
      forceRelease: (u) => pg(l, d, u),
      resume: (u) => Hr(s.connection, u, [], { target: s, ...c }),
    };
  }
  var yg = 1e3,
    oo = { kind: "rw", extend: Pn, close: vs, crowd: !0 };
  function ni(e, n, t, r) {
    const { retentionMs: o } = e.connection,
      s = Hn(t);
    return Oe(
      {
        target: e,
        ...we(e, oo),
        mode: n === "read" ? "read" : "write",
        suffix: ({ reentryKey: i, note: a }) => i + Sr(a),
        ...(r && { takes: r }),
        ask({ id: i, leaseMs: a, waitMs: l, waitedMs: c }, d) {
          const u = Math.max(0, Math.min(yg, l - c));
          return M(e, Cs, [i, a, o, n, s, u], d);
        },
        async look(i) {
          const { label: a, holder: l, waitingWriters: c, waitingReaders: d } = await io(e, void 0, i);
          return { label: a, holder: l, waiters: c + d };
        },
      },
      t,
    );
  }
  var so = (e, n, t = {}) => je(he(e, oo.kind, n, t, xn));
  async function io(e, n, t) {
    const r = await qn(e, n, t),
      { token: o } = r;
    if (r.status === "free")
      return { state: "free", token: o, remaining: 0, readers: 0, holds: 0, waitingWriters: 0, waitingReaders: 0 };
    const { left: s, holds: i, body: a, many: l, waiting: c, behind: d } = r,
      [, u, f] = a.split(" ");
    return {
      state: i ? "write" : l ? "read" : "free",
      token: o,
      remaining: s / 1e3,
      readers: l,
      holds: i,
      ...(i && u && { reentryKey: u }),
      ...(i && Je(e, () => Ue(f))),
      waitingWriters: c,
      waitingReaders: d,
    };
  }
  function Rc(e, n, t = {}) {
    const r = so(e, n, t),
      o = (i) => io(r, i),
      s = (i) => ({
        ...ni(r, i, t),
        inspect: o,
        async forceRelease(a) {
          const l = [X(), i, r.connection.retentionMs],
            c = { operation: "forceRelease", routes: a?.routes };
          return (await M(r, Ls, l, c)).had === 1;
        },
      });
    return { name: n, read: s("read"), write: s("write"), inspect: o, forceRelease: () => Pe(r, void 0, tn) };
  }
  function gg({ id: e, token: n, close: t }, r, o) {
    const s = Array.from({ length: Number.parseInt(e.slice(37), 10) }, (i, a) => a + 1);
    return {
      permits: s,
      async releasePermits(i) {
        const a = s.filter((c) => !i.includes(c));
        if (a.length + i.length !== s.length) return !1;
        if (a.length === s.length) return !0;
        const l =
          a.length === 0
            ? await r.release()
            : (await t(`${e},${X()},${i}`, n, { operation: "release" })).status === "closed";
        return (
          l &&
            (s.splice(0, s.length, ...s.filter((c) => !i.includes(c))),
            o({ remaining: 0, holds: s.length, sentAt: 0, since: () => 0 })),
          l
        );
      },
    };
  }
  function Sc(e, n, t = {}) {
    if (t?.lease === !1)
      throw new TypeError(
        "semaphore: lease false is not possible: its permits are lent for a time. For permits without a lease use counter(name, options)",
      );
    const { members: r, acquirable: o, inspect: s } = Qr(e, "semaphore", n, t, " lease label replicas fair grace"),
      { fair: i, grace: a } = t,
      l = A(`semaphore(${N(n)})`, () => {
        if (a !== void 0 && !i) throw O(TypeError, `grace ${N(a)} needs fair: true`);
        return U(a ?? "1s", "grace");
      }),
      c = { adds: gg, takes: `${zt("reentryKey", qe)} permits` };
    return {
      ...r,
      ...o(1e3, c, i ? l : 0),
      acquired: async () => (await s()).acquired,
      async inspect(d) {
        const { set: u, remembered: f, ...m } = await s(d);
        return { state: m.acquired > 0 ? "held" : "free", ...m };
      },
    };
  }
  var Ec = `${Kt} mode ifAvailable steal maxHold maxExtends`,
    bg = { exclusive: "write", shared: "read" };
  async function Oc(e, n, ...t) {
    const [r, o] = ot(t, "request", "request(connection, name, options, work)"),
      { mode: s = "exclusive", ifAvailable: i, steal: a, signal: l, maxHold: c, maxExtends: d } = r,
      u = { maxHold: c, maxExtends: d },
      f = A("request", () => {
        if ((D(r, Ec), st(s, "mode", "exclusive or shared"), (a && (i || l || s === "shared")) || (i && l)))
          throw O(TypeError, 'two of steal, ifAvailable, signal and mode "shared" were given: they exclude each other');
        return hn(u, void 0), me(r), so(e, n);
      }),
      m = ni(f, a ? "steal" : bg[s], {}, Ec),
      p = await (i ? m.tryAcquire(r) : m.acquire(r));
    return p ? p.keepAlive({ waitUntil: me(r) }, o, u) : o(null);
  }
  async function Ac(e, n) {
    if (!Array.isArray(n)) throw new TypeError(`query: names must be a list, not ${N(n)}`);
    const t = [],
      r = [],
      o = n.map((a) => so(e, a)),
      s = { routes: Gn() },
      i = await Promise.all(o.map((a) => io(a, s)));
    for (const [a, { holds: l, readers: c, token: d, waitingWriters: u, waitingReaders: f }] of i.entries()) {
      const m = n[a],
        p = [
          ["exclusive", l, u],
          ["shared", c, f],
        ];
      for (const [y, g, b] of p)
        g && t.push({ name: m, mode: y, count: g, token: d }), b && r.push({ name: m, mode: y, count: b });
    }
    return { held: t, pending: r };
  }
  var hg = [Zr, Xs, eo, oo, Ys, Dr],
    Tc = (e, n) => Hr(e, n, hg);
  function er(e) {
    const n = e && "port" in e ? e : A("createLocks", () => Xa(e));
    return {
      connection: n,
      lock: (t, r) => Xr(n, t, r),
      fairLock: (t, r) => ec(n, t, r),
      multiLock: (t, r) => mc(n, t, r),
      quorumLock: (t, r, o) => kc([n, ...t], r, o),
      latch: (t, r) => tc(n, t, r),
      readWriteLock: (t, r) => Rc(n, t, r),
      semaphore: (t, r) => Sc(n, t, r),
      counter: (t, r) => Xl(n, t, r),
      request: (t, ...r) => Oc(n, t, ...r),
      query: (t) => Ac(n, t),
      once: (t, r) => pc(n, t, r),
      resume: (t) => Tc(n, t),
    };
  }
  var x = (e, n) => e[n];
  var Ae = class {
      text;
      constructor(n) {
        this.text = n;
      }
    },
    Q = class extends Error {},
    pe = new Ae("OK"),
    Mc = "EXECABORT Transaction discarded because of previous errors.";
  function R(e) {
    throw new Q(e);
  }
  var oe = () => R("ERR syntax error"),
    Cc = "WRONGTYPE Operation against a key holding the wrong kind of value",
    ao = "ERR value is not an integer or out of range",
    ti = "ERR value is not a valid float";
  var Lc = /^(?:0|-?[1-9]\d{0,18})$/,
    Pc = 2n ** 63n - 1n,
    Nc = -(2n ** 63n);
  function oi(e) {
    if (!Lc.test(e)) return;
    const n = BigInt(e);
    return n > Pc || n < Nc ? void 0 : n;
  }
  var lo = (e) => e <= Pc && e >= Nc,
    co = (e) => {
      const n = Number(e);
      return Number.isSafeInteger(n) ? n : e;
    };
  function Qe(e, n = ao) {
    return oi(e) ?? R(n);
  }
  function I(e, n) {
    return e.length < 15 && Lc.test(e) ? Number(e) : Number(Qe(e, n));
  }
  var wg = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?|0x[\da-f]+)$/i;
  function nr(e) {
    if (!wg.test(e)) return;
    const n = e.startsWith("-") ? -1 : 1,
      t = e.replace(/^[+-]/, "").toLowerCase();
    if (t.startsWith("inf")) return n * Number.POSITIVE_INFINITY;
    const r = Number(t);
    return Number.isFinite(r) ? n * r : void 0;
  }
  function Rn(e, n = ti) {
    return nr(e) ?? R(n);
  }
  var ri = 17,
    xg = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i;
  function vc(e) {
    const [, n, t = "", r = "", o = "0"] = xg.exec(e) ?? R(ti),
      s = r.length - Number(o),
      i = BigInt(`${n === "-" ? "-" : ""}${t}${r}` || "0");
    return s < 0 ? [i * 10n ** BigInt(-s), 0] : [i, s];
  }
  function uo(e, n) {
    if ([Rn(e), Rn(n)].some((m) => !Number.isFinite(m))) return R("ERR increment would produce NaN or Infinity");
    let [r, o] = vc(e),
      [s, i] = vc(n),
      a = Math.max(o, i),
      l = r * 10n ** BigInt(a - o) + s * 10n ** BigInt(a - i),
      c = a;
    if (c > ri) {
      const m = 10n ** BigInt(c - ri),
        p = m / 2n;
      (l = (l + (l < 0n ? -p : p)) / m), (c = ri);
    }
    const d = (l < 0n ? -l : l).toString().padStart(c + 1, "0"),
      u = d.slice(0, d.length - c),
      f = d.slice(d.length - c).replace(/0+$/, "");
    return `${l < 0n ? "-" : ""}${u}${f && `.${f}`}`;
  }
  var tr = 2n ** 63n - 1n;
  function fo(e, n, t, r) {
    const o = Qe(n),
      s = e.startsWith("P") ? o : o * 1000n,
      i = e.endsWith("AT") ? s : s + BigInt(Math.floor(t));
    return (o <= 0n || s > tr || i > tr) && R(`ERR invalid expire time in '${r}' command`), Number(i);
  }
  function $c(e, n, t, r, o) {
    const s = Qe(e),
      i = n ? s * 1000n : s,
      a = t ? i : i + BigInt(Math.floor(r));
    return (i > tr || i < -tr || a > tr) && R(`ERR invalid expire time in '${o}' command`), Number(a);
  }
  var kg = /[.*+?^${}()|[\]\\/-]/g,
    rr = (e) => e.replace(kg, "\\$&");
  function si(e) {
    if (e === "*") return () => !0;
    let n = "";
    for (let r = 0; r < e.length; r++) {
      const o = e[r];
      if (o === "*") n += "[^]*";
      else if (o === "?") n += "[^]";
      else if (o === "\\" && r + 1 < e.length) n += rr(e[++r]);
      else if (o !== "[") n += rr(o);
      else {
        const s = e[r + 1] === "^";
        s && r++;
        let i = "";
        for (r++; r < e.length && e[r] !== "]"; r++)
          if (e[r] === "\\" && r + 1 < e.length) i += rr(e[++r]);
          else if (e[r + 1] === "-" && r + 2 < e.length) {
            const a = [e[r], e[r + 2]].sort();
            (i += a.map(rr).join("-")), (r += 2);
          } else i += rr(e[r]);
        n += i === "" ? (s ? "[^]" : "[]") : `[${s ? "^" : ""}${i}]`;
      }
    }
    const t = new RegExp(`^${n}$`);
    return (r) => t.test(r);
  }
  var ii = (e) => (n, t) => t.filter((r) => e(n, r)).length,
    mo =
      (e, n) =>
      ({ keys: t }, [r = ""]) => {
        const o = t.expiryOf(r);
        if (o === void 0) return -2;
        if (o === null) return -1;
        const s = e ? o : Math.max(o - t.at, 0);
        return n ? Math.floor((s + 500) / 1e3) : s;
      };
  function Rg(e) {
    const n = e.map((r) => {
        const o = r.toUpperCase();
        return ["NX", "XX", "GT", "LT"].includes(o) || R(`ERR Unsupported option ${r}`), o;
      }),
      t = new Set(n);
    return (
      t.has("NX") && t.size > 1 && R("ERR NX and XX, GT or LT options at the same time are not compatible"),
      t.has("GT") && t.has("LT") && R("ERR GT and LT options at the same time are not compatible"),
      t
    );
  }
  var po =
    (e, n, t) =>
    ({ keys: r }, o) => {
      const s = x(o, 0),
        i = Rg(o.slice(2)),
        a = $c(x(o, 1), n, t, r.at, e),
        l = r.expiryOf(s);
      return l === void 0 ||
        (i.has("NX") && l !== null) ||
        (i.has("XX") && l === null) ||
        (i.has("GT") && (l === null || a <= l)) ||
        (i.has("LT") && l !== null && a >= l)
        ? 0
        : (a <= r.at ? r.delete(s) : r.expire(s, a), 1);
    };
  function Ic({ keys: e }, n, t) {
    e.has(n) || R("ERR no such key"), e.rename(n, t);
  }
  var Sg = /^\d{1,19}$/;
  function Bn(e) {
    let n = () => !0,
      t = 10,
      r;
    for (let o = 0; o < e.length; o += 2) {
      const s = x(e, o).toUpperCase();
      o + 1 >= e.length && oe();
      const i = x(e, o + 1);
      s === "MATCH"
        ? (n = si(i))
        : s === "TYPE"
          ? (r = i.toLowerCase())
          : s === "COUNT"
            ? ((t = I(i)), t < 1 && oe())
            : oe();
    }
    return { fits: n, count: t, ...(r !== void 0 && { type: r }) };
  }
  function Wn(e) {
    return Sg.test(e) ? Number(e) : R("ERR invalid cursor");
  }
  function Eg({ keys: e }, n) {
    const t = Wn(x(n, 0)),
      { fits: r, count: o, type: s } = Bn(n.slice(1)),
      i = e.keys(t),
      a = i.slice(0, o),
      l = i.length > o ? String(a.at(-1)?.serial) : "0",
      c = a.filter((d) => r(d.key) && (s === void 0 || d.type === s));
    return [l, c.map(({ key: d }) => d)];
  }
  var _c = ii(({ keys: e }, n) => e.delete(n)),
    Fc = ({ keys: e }, n) => {
      const [t] = n;
      return (n.length > 1 || (t !== void 0 && !/^(a?sync)$/i.test(t))) && oe(), e.clear(), pe;
    },
    qc = {
      del: [-2, "w", _c],
      unlink: [-2, "w", _c],
      exists: [-2, "", ii(({ keys: e }, n) => e.has(n))],
      touch: [-2, "", ii(({ keys: e }, n) => e.has(n))],
      type: [2, "", ({ keys: e }, [n = ""]) => new Ae(e.typeOf(n) ?? "none")],
      ttl: [2, "", mo(!1, !0)],
      pttl: [2, "", mo(!1, !1)],
      expiretime: [2, "", mo(!0, !0)],
      pexpiretime: [2, "", mo(!0, !1)],
      expire: [-3, "w", po("expire", !0, !1)],
      pexpire: [-3, "w", po("pexpire", !1, !1)],
      expireat: [-3, "w", po("expireat", !0, !0)],
      pexpireat: [-3, "w", po("pexpireat", !1, !0)],
      persist: [2, "w", ({ keys: e }, [n = ""]) => (e.expiryOf(n) == null ? 0 : (e.expire(n, void 0), 1))],
      keys: [
        2,
        "",
        ({ keys: e }, [n = ""]) => {
          const t = si(n);
          return e.keys().flatMap(({ key: r }) => (t(r) ? [r] : []));
        },
      ],
      scan: [-2, "", Eg],
      randomkey: [
        1,
        "",
        ({ keys: e, random: n }) => {
          const t = e.keys();
          return t[Math.floor(n() * t.length)]?.key ?? null;
        },
      ],
      rename: [3, "w", (e, [n = "", t = ""]) => (Ic(e, n, t), pe)],
      renamenx: [3, "w", (e, [n = "", t = ""]) => (e.keys.has(n) && e.keys.has(t) ? 0 : (Ic(e, n, t), 1))],
      dbsize: [1, "", ({ keys: e }) => e.keys().length],
      flushall: [-1, "w", Fc],
      flushdb: [-1, "w", Fc],
    };
  var Hc = ({ keys: e }, n) => e.get(n, "hash") ?? new Map();
  function Vc({ keys: e }, n, t) {
    n.length % 2 === 0 && R(`ERR wrong number of arguments for '${t}' command`);
    const r = e.open(x(n, 0), "hash"),
      o = r.size;
    for (let s = 1; s < n.length; s += 2) r.set(x(n, s), x(n, s + 1));
    return r.size - o;
  }
  function Og({ keys: e }, n) {
    const t = Qe(x(n, 2)),
      [r, o] = [x(n, 0), x(n, 1)],
      i = (oi(e.get(r, "hash")?.get(o) ?? "0") ?? R("ERR hash value is not an integer")) + t;
    return lo(i) || R("ERR increment or decrement would overflow"), e.open(r, "hash").set(o, i.toString()), co(i);
  }
  function Ag({ keys: e }, n) {
    const [t, r, o] = [x(n, 0), x(n, 1), x(n, 2)];
    Rn(o);
    const s = e.get(t, "hash")?.get(r) ?? "0";
    nr(s) === void 0 && R("ERR hash value is not a float");
    const i = uo(s, o);
    return e.open(t, "hash").set(r, i), i;
  }
  function Tg({ keys: e }, [n = "", ...t]) {
    const r = e.get(n, "hash");
    if (!r) return 0;
    const o = t.filter((s) => r.delete(s)).length;
    return e.tidy(n), o;
  }
  var Sn =
      (e) =>
      (n, [t = "", ...r]) =>
        e(Hc(n, t), r),
    Gc = {
      hset: [-4, "wm", (e, n) => Vc(e, n, "hset")],
      hmset: [-4, "wm", (e, n) => (Vc(e, n, "hmset"), pe)],
      hsetnx: [
        4,
        "wm",
        ({ keys: e }, [n = "", t = "", r = ""]) => {
          const o = e.open(n, "hash");
          return o.has(t) ? 0 : (o.set(t, r), 1);
        },
      ],
      hget: [3, "", Sn((e, [n = ""]) => e.get(n) ?? null)],
      hmget: [-3, "", Sn((e, n) => n.map((t) => e.get(t) ?? null))],
      hgetall: [2, "", Sn((e) => [...e].flat())],
      hkeys: [2, "", Sn((e) => [...e.keys()])],
      hvals: [2, "", Sn((e) => [...e.values()])],
      hlen: [2, "", Sn((e) => e.size)],
      hexists: [3, "", Sn((e, [n = ""]) => Number(e.has(n)))],
      hstrlen: [3, "", Sn((e, [n = ""]) => e.get(n)?.length ?? 0)],
      hdel: [-3, "w", Tg],
      hincrby: [4, "wm", Og],
      hincrbyfloat: [4, "wm", Ag],
      hscan: [
        -3,
        "",
        (e, [n = "", t = "", ...r]) => {
          Wn(t);
          const { fits: o } = Bn(r);
          return ["0", [...Hc(e, n)].flatMap((s) => (o(s[0]) ? s : []))];
        },
      ],
    };
  function Uc(e) {
    const n = new Map(),
      t = [];
    function r(s, i) {
      let a = 0,
        l = t.length;
      for (; a < l; ) {
        const c = (a + l) >> 1,
          d = t[c];
        d.score < s || (d.score === s && d.member < i) ? (a = c + 1) : (l = c);
      }
      return a;
    }
    const o = {
      get size() {
        return n.size;
      },
      all: t,
      score: (s) => n.get(s),
      set(s, i) {
        e?.(s), o.delete(s), n.set(s, i);
        const a = t.at(-1);
        !a || a.score < i ? t.push({ member: s, score: i }) : t.splice(r(i, s), 0, { member: s, score: i });
      },
      delete(s) {
        const i = n.get(s);
        return i === void 0 ? !1 : (e?.(s), t.splice(r(i, s), 1), n.delete(s), !0);
      },
      rank(s) {
        const i = n.get(s);
        return i === void 0 ? -1 : r(i, s);
      },
      below(s, i) {
        let a = 0,
          l = t.length;
        for (; a < l; ) {
          const c = (a + l) >> 1,
            d = t[c].score;
          d < s || (i && d === s) ? (a = c + 1) : (l = c);
        }
        return a;
      },
    };
    return o;
  }
  var ai = class extends Map {
      #e;
      constructor(n) {
        super(), (this.#e = n);
      }
      set(n, t) {
        return this.#e(n), super.set(n, t);
      }
      delete(n) {
        return this.#e(n), super.delete(n);
      }
    },
    li = class extends Set {
      #e;
      constructor(n) {
        super(), (this.#e = n);
      }
      add(n) {
        return this.#e(n), super.add(n);
      }
      delete(n) {
        return this.#e(n), super.delete(n);
      }
    };
  function Dc(e, n) {
    switch (e) {
      case "list":
        return [];
      case "hash":
        return n ? new ai(n) : new Map();
      case "set":
        return n ? new li(n) : new Set();
      case "zset":
        return Uc(n);
    }
  }
  var Bc = (e) => (Array.isArray(e) ? e.length : e.size);
  function Wc(e, n, t) {
    if (Array.isArray(e)) for (const r of JSON.parse(n)) e.push(r);
    else if (e instanceof Map) for (const [r, o] of t) e.set(r, o);
    else if (e instanceof Set) for (const [r] of t) e.add(r);
    else for (const [r, o] of t) e.set(r, o);
  }
  function Mg(e, n) {
    let t = new Map(),
      r = 0;
    function o(s) {
      const i = t.get(s);
      if (i?.expiresAt === void 0 || e() <= i.expiresAt) return i;
      t.delete(s);
    }
    return {
      entries: t,
      find: o,
      add(s, { type: i, value: a, expiresAt: l, owner: c }) {
        r++,
          t.delete(s),
          t.set(s, { type: i, value: a, expiresAt: l, owner: c, serial: r }),
          c && (c.key = s),
          n?.replaced(s);
      },
      remove(s) {
        const i = t.delete(s);
        return i && n?.replaced(s), i;
      },
      list(s = 0) {
        const i = [];
        for (const [a, { serial: l, type: c }] of t) l > s && o(a) && i.push({ key: a, serial: l, type: c });
        return i;
      },
      clear() {
        t.clear(), n?.cleared();
      },
    };
  }
  function jc(e, n, t) {
    const r = { key: "" },
      o = Dc(e, t && ((s) => t.member(r.key, s)));
    return { type: e, value: o, expiresAt: n, owner: r };
  }
  function Cg({ type: e, text: n, expiresAt: t, members: r }, o) {
    if (e === "string") return { type: e, value: n, expiresAt: t, owner: void 0 };
    const s = jc(e, t, o);
    return typeof s.value != "string" && Wc(s.value, n, r), s;
  }
  function Kc(e = [], n) {
    const { entries: t, find: r, add: o, remove: s, list: i, clear: a } = Mg(() => l.at, n),
      l = {
        at: 0,
        typeOf: (c) => r(c)?.type,
        get(c, d) {
          const u = r(c);
          return u && u.type !== d && R(Cc), u?.value;
        },
        open(c, d) {
          const u = l.get(c, d);
          if (u !== void 0) return u;
          const f = jc(d, void 0, n);
          return o(c, f), f.value;
        },
        noteList: (c) => n?.head(c),
        tidy(c) {
          const d = t.get(c);
          d && typeof d.value != "string" && Bc(d.value) === 0 && s(c);
        },
        setString(c, d, u) {
          const f = r(c),
            m = u === "keep" ? f?.expiresAt : u;
          f?.type === "string"
            ? ((f.value = d), (f.expiresAt = m), n?.head(c))
            : o(c, { type: "string", value: d, expiresAt: m, owner: void 0 });
        },
        delete: (c) => r(c) !== void 0 && s(c),
        has: (c) => r(c) !== void 0,
        expiryOf(c) {
          const d = r(c);
          return d && (d.expiresAt ?? null);
        },
        expire(c, d) {
          const u = r(c);
          !u || u.expiresAt === d || ((u.expiresAt = d), n?.head(c));
        },
        rename(c, d) {
          const u = r(c);
          !u || c === d || (s(c), o(d, u));
        },
        keys: i,
        peek: (c) => t.get(c),
        clear: a,
      };
    for (const c of e) o(c.key, Cg(c, n));
    return n?.take(l), l;
  }
  var yo =
    (e, n) =>
    ({ keys: t }, [r = "", ...o]) => {
      if (n && !t.get(r, "list")) return 0;
      const s = t.open(r, "list");
      for (const i of o) e === "LEFT" ? s.unshift(i) : s.push(i);
      return t.noteList(r), s.length;
    };
  function ci({ keys: e }, n, t) {
    const r = e.get(n, "list"),
      o = t === "LEFT" ? r?.shift() : r?.pop();
    return r && e.noteList(n), e.tidy(n), o;
  }
  var zc = (e, n) => (t, r) => {
    r.length > 2 && R(`ERR wrong number of arguments for '${n}' command`);
    const [o = "", s] = r;
    if (s === void 0) return ci(t, o, e) ?? null;
    const i = I(s, "ERR value is out of range, must be positive");
    i < 0 && R("ERR value is out of range, must be positive");
    const a = t.keys.get(o, "list")?.length;
    return a === void 0 ? null : Array.from({ length: Math.min(i, a) }, () => ci(t, o, e));
  };
  function go(e, n, t) {
    const r = Math.max(n < 0 ? e + n : n, 0),
      o = t < 0 ? e + t : t;
    return r > o || r >= e ? [0, 0] : [r, Math.min(o, e - 1) + 1];
  }
  function Jc(e, n, t, r, o) {
    if (!e.keys.get(n, "list")) return null;
    e.keys.get(t, "list");
    const i = ci(e, n, r),
      a = e.keys.open(t, "list");
    return o === "LEFT" ? a.unshift(i) : a.push(i), e.keys.noteList(t), i;
  }
  function Yc(e) {
    const n = e.toUpperCase();
    return n === "LEFT" || n === "RIGHT" ? n : oe();
  }
  function vg({ keys: e }, n) {
    const [t, r, o] = [x(n, 0), I(x(n, 1)), x(n, 2)],
      s = e.get(t, "list");
    if (!s) return 0;
    let i = r === 0 ? s.length : Math.abs(r),
      a = s.length,
      l = (d) => d !== o || i-- <= 0,
      c = r < 0 ? s.reverse().filter(l).reverse() : s.filter(l);
    return s.splice(0, a, ...c), e.noteList(t), e.tidy(t), a - c.length;
  }
  function Lg({ keys: e }, n) {
    const t = e.get(x(n, 0), "list") ?? R("ERR no such key"),
      r = I(x(n, 1)),
      o = r < 0 ? t.length + r : r;
    return (o < 0 || o >= t.length) && R("ERR index out of range"), (t[o] = x(n, 2)), e.noteList(x(n, 0)), pe;
  }
  function Pg({ keys: e }, n) {
    const t = x(n, 1).toUpperCase();
    t !== "BEFORE" && t !== "AFTER" && oe();
    const r = e.get(x(n, 0), "list");
    if (!r) return 0;
    const o = r.indexOf(x(n, 2));
    return o === -1 ? -1 : (r.splice(t === "AFTER" ? o + 1 : o, 0, x(n, 3)), e.noteList(x(n, 0)), r.length);
  }
  var Qc = {
    lpush: [-3, "wm", yo("LEFT", !1)],
    rpush: [-3, "wm", yo("RIGHT", !1)],
    lpushx: [-3, "wm", yo("LEFT", !0)],
    rpushx: [-3, "wm", yo("RIGHT", !0)],
    lpop: [-2, "w", zc("LEFT", "lpop")],
    rpop: [-2, "w", zc("RIGHT", "rpop")],
    llen: [2, "", ({ keys: e }, [n = ""]) => e.get(n, "list")?.length ?? 0],
    lrange: [
      4,
      "",
      ({ keys: e }, n) => {
        const [t, r] = [I(x(n, 1)), I(x(n, 2))],
          o = e.get(x(n, 0), "list") ?? [];
        return o.slice(...go(o.length, t, r));
      },
    ],
    lindex: [
      3,
      "",
      ({ keys: e }, n) => {
        const t = e.get(x(n, 0), "list");
        return t ? (t.at(I(x(n, 1))) ?? null) : null;
      },
    ],
    lset: [4, "wm", Lg],
    lrem: [4, "w", vg],
    ltrim: [
      4,
      "w",
      ({ keys: e }, n) => {
        const [t, r] = [I(x(n, 1)), I(x(n, 2))],
          o = e.get(x(n, 0), "list");
        return (
          o && (o.splice(0, o.length, ...o.slice(...go(o.length, t, r))), e.noteList(x(n, 0))), e.tidy(x(n, 0)), pe
        );
      },
    ],
    linsert: [5, "wm", Pg],
    rpoplpush: [3, "wm", (e, [n = "", t = ""]) => Jc(e, n, t, "RIGHT", "LEFT")],
    lmove: [5, "wm", (e, [n = "", t = "", r = "", o = ""]) => Jc(e, n, t, Yc(r), Yc(o))],
  };
  var Ng = (e) => (e.includes(".") ? e : `${e}.`);
  function At(e, n, t = !1) {
    if (!Number.isFinite(e)) return di(e);
    if (e === 0) return `${1 / e < 0 ? "-" : ""}0${t ? `.${"0".repeat(n - 1)}` : ""}`;
    const [r, o] = Zc(e, n),
      s = (i) => (t ? Ng(i) : i.includes(".") ? i.replace(/0+$/, "").replace(/\.$/, "") : i);
    return o >= -4 && o < n ? s(ui(e, n - 1 - o)) : `${s(r)}e${Xc(o)}`;
  }
  function Zc(e, n) {
    const t = e.toExponential(n - 1),
      r = e.toExponential(n);
    if (r[r.indexOf("e") - 1] === "5" && $g(e, n)) {
      const [i = "", a = "0"] = r.split("e"),
        l = i.slice(0, -1).replace(/\.$/, "");
      if (Number(l.at(-1)) % 2 === 0) return [l, Number(a)];
    }
    const [o = "", s = "0"] = t.split("e");
    return [o, Number(s)];
  }
  var $g = (e, n) => {
      const [t = ""] = e.toExponential(100).split("e");
      return /^50*$/.test(t.replace(/[-.]/g, "").slice(n));
    },
    Xc = (e) => `${e < 0 ? "-" : "+"}${String(Math.abs(e)).padStart(2, "0")}`,
    di = (e) => (Number.isNaN(e) ? "-nan" : e > 0 ? "inf" : "-inf");
  function ui(e, n) {
    if (!Number.isFinite(e)) return di(e);
    const t = e < 0 || (e === 0 && 1 / e < 0) ? "-" : "",
      r = Math.abs(e);
    if (Number.isInteger(r) && r < 1e21) return t + r.toFixed(n);
    if (n === 0 && r < 2 ** 52) {
      const o = Math.floor(r),
        s = r - o;
      return t + String(s > 0.5 || (s === 0.5 && o % 2 === 1) ? o + 1 : o);
    }
    return t + Ig(r, n);
  }
  function Ig(e, n) {
    let t = e,
      r = 0;
    for (; !Number.isInteger(t); ) (t *= 2), r++;
    let o = BigInt(t) * 10n ** BigInt(n),
      s = 1n << BigInt(r),
      i = o / s,
      a = (o % s) * 2n;
    (a > s || (a === s && i % 2n === 1n)) && i++;
    const l = i.toString().padStart(n + 1, "0");
    return n === 0 ? l : `${l.slice(0, -n)}.${l.slice(-n)}`;
  }
  function ed(e, n) {
    if (!Number.isFinite(e)) return di(e);
    const [t, r] = Zc(e, n + 1);
    return `${e === 0 && 1 / e < 0 ? "-" : ""}${t}e${Xc(r)}`;
  }
  function $e(e) {
    return Number.isInteger(e) && e < 1e14 && e > -1e14 && e !== 0 ? String(e) : At(e, 14);
  }
  var _g = /^\d{1,15}$/,
    Fg =
      /^[ \t\n\v\f\r]*([+-]?)(?:(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)|0x([\da-f]+)|(inf(?:inity)?)|(nan))[ \t\n\v\f\r]*(?:\0|$)/i;
  function Ze(e) {
    if (_g.test(e)) return +e;
    const [, n, t, r, o, s] = Fg.exec(e) ?? [],
      i =
        t !== void 0
          ? Number(t)
          : r !== void 0
            ? Number.parseInt(r, 16)
            : o !== void 0
              ? Number.POSITIVE_INFINITY
              : s !== void 0
                ? Number.NaN
                : void 0;
    return i !== void 0 && n === "-" ? -i : i;
  }
  var nd = 0,
    td = new WeakMap();
  function rd(e) {
    const n = td.get(e);
    return n !== void 0 ? n : (td.set(e, ++nd), nd);
  }
  var qg = 8,
    v = class e {
      meta = void 0;
      readonly = !1;
      array = [];
      places;
      keys = [];
      values = [];
      removed = 0;
      static of(n) {
        const t = new e();
        return (t.array = n), t;
      }
      get(n) {
        const t = this.indexOf(n);
        if (t !== void 0) return this.array[t - 1];
        const r = this.places?.get(n);
        return r === void 0 ? void 0 : this.values[r];
      }
      set(n, t) {
        const r = this.indexOf(n);
        if (r !== void 0) {
          this.array[r - 1] = t;
          return;
        }
        if (n === this.array.length + 1 && t !== void 0) {
          this.array.push(t), this.moveToArray();
          return;
        }
        const o = this.places?.get(n);
        o !== void 0 ? this.replace(o, t) : t !== void 0 && this.add(n, t);
      }
      length() {
        const { array: n } = this;
        if (n.at(-1) !== void 0) return n.length;
        let [t, r] = [0, n.length];
        for (; r - t > 1; ) {
          const o = Math.floor((t + r) / 2);
          n[o - 1] === void 0 ? (r = o) : (t = o);
        }
        return t;
      }
      next(n) {
        const { array: t, keys: r, values: o } = this,
          s = n === void 0 ? 0 : this.indexOf(n),
          i = s === void 0 ? this.places?.get(n) : -1;
        if (i === void 0) return null;
        for (let a = s ?? t.length; a < t.length; a++) if (t[a] !== void 0) return [a + 1, t[a]];
        for (let a = i + 1; a < r.length; a++) if (o[a] !== void 0) return [r[a], o[a]];
      }
      indexOf(n) {
        return typeof n == "number" && n >= 1 && n <= this.array.length && Number.isInteger(n) ? n : void 0;
      }
      replace(n, t) {
        const r = this.values[n];
        r === void 0 && t !== void 0 && this.removed--,
          r !== void 0 && t === void 0 && this.removed++,
          (this.values[n] = t);
      }
      add(n, t) {
        this.removed > Math.max(qg, this.keys.length / 2) && this.forgetRemoved(),
          (this.places ??= new Map()),
          this.places.set(n, this.keys.length),
          this.keys.push(n),
          this.values.push(t);
      }
      moveToArray() {
        for (;;) {
          const n = this.places?.get(this.array.length + 1),
            t = n === void 0 ? void 0 : this.values[n];
          if (n === void 0 || t === void 0) return;
          this.array.push(t), this.replace(n, void 0);
        }
      }
      forgetRemoved() {
        const n = this.keys.flatMap((t, r) => (this.values[r] === void 0 ? [] : [r]));
        (this.keys = n.map((t) => this.keys[t])),
          (this.values = n.map((t) => this.values[t])),
          (this.places = new Map(this.keys.map((t, r) => [t, r]))),
          (this.removed = 0);
      }
    };
  var te = [],
    Mt = (e) => Array.isArray(e),
    re = (e) => (Mt(e) ? e[0] : e),
    Tt = class {
      v;
      constructor(n) {
        this.v = n;
      }
    },
    ie = class extends Error {
      value;
      line;
      constructor(n, t) {
        super(typeof n == "string" ? n : "a Lua error"), (this.value = n), (this.line = t);
      }
    },
    fi = 1e7,
    or = class extends Error {
      name = "OutOfSteps";
      constructor() {
        super("the script takes too many steps");
      }
    };
  function Ie(e, n = 1) {
    if (((e.steps -= n), e.steps < 0)) throw new or();
  }
  function _(e, n) {
    throw new ie(`${Ct(e.line)}${n}`, e.line);
  }
  var Ct = (e) => (e === 0 ? "" : `user_script:${e}: `);
  function ue(e) {
    switch (typeof e) {
      case "undefined":
        return "nil";
      case "object":
        return "table";
      default:
        return typeof e;
    }
  }
  var fe = (e) => e !== void 0 && e !== !1;
  function Vg(e, n) {
    const t = (s, i) => {
        const a = e.isMethod ? s : s + 1;
        return a === 0 && _(e, `calling '${n}' on bad self (${i})`), _(e, `bad argument #${a} to '${n}' (${i})`);
      },
      r = (s, i, a) => t(i, `${a} expected, got ${i >= s.length ? "no value" : ue(s[i])}`),
      o = (s, i, a) => {
        const l = s[i];
        return typeof l == "number"
          ? l
          : l === void 0 && a !== void 0
            ? a
            : ((typeof l == "string" ? Ze(l) : void 0) ?? r(s, i, "number"));
      };
    return {
      string(s, i, a) {
        const l = s[i];
        return typeof l == "string"
          ? l
          : typeof l == "number"
            ? $e(l)
            : l === void 0 && a !== void 0
              ? a
              : r(s, i, "string");
      },
      number: o,
      integer: (s, i, a) => {
        const l = Math.trunc(o(s, i, a));
        return Number.isNaN(l) ? -(2 ** 63) : l;
      },
      table(s, i) {
        const a = s[i];
        return a instanceof v ? a : r(s, i, "table");
      },
      any: (s, i) => (i < s.length ? s[i] : t(i, "value expected")),
      fail: t,
    };
  }
  function ke(e, n) {
    const t = new v();
    for (const [r, o] of Object.entries(n)) t.set(r, o(Vg(e, r)));
    return t;
  }
  var jn = class extends Error {},
    Hg = new Set(
      "and break do else elseif end false for function if in local nil not or repeat return then true until while".split(
        " ",
      ),
    );
  function En(e, n, t) {
    throw new jn(`user_script:${n}: ${e}${t === void 0 ? "" : ` near '${t}'`}`);
  }
  var Gg = /[ \t\v\f\r\n]+/y,
    Ug = /[A-Za-z_]\w*/y,
    Dg = /(?:\d|\.\d)[\d.]*(?:[eE][+-]?)?\w*/y,
    Bg = /\.\.\.|\.\.|==|~=|<=|>=|[+\-*/%^#<>=(){}[\];:,.]/y,
    od = /\[(=*)\[/y,
    Wg = {
      a: "\x07",
      b: "\b",
      f: "\f",
      n: `
`,
      r: "\r",
      t: "	",
      v: "\v",
    };
  function bo(e, n) {
    n.lastIndex = e.at;
    const t = n.exec(e.text)?.[0];
    return t !== void 0 && (e.at += t.length), t;
  }
  var ho = (e) =>
    e.split(`
`).length - 1;
  function sd(e, n) {
    const { text: t, at: r, line: o } = e;
    od.lastIndex = r;
    const [s, i] = od.exec(t) ?? [];
    if (s === void 0 || i === void 0) return;
    const a = `]${i}]`,
      l = t.indexOf(a, r + s.length);
    l === -1 && En(`unfinished long ${n}`, o + ho(t.slice(r)), "<eof>");
    const c = t.slice(r + s.length, l);
    return (
      i === "" && c.includes("[[") && En("nesting of [[...]] is deprecated", o + ho(c.split("[[", 1)[0]), "[["),
      (e.at = l + a.length),
      (e.line += ho(c)),
      c
        .replace(
          /\r\n?/g,
          `
`,
        )
        .replace(/^\n/, "")
    );
  }
  function jg(e) {
    const { text: n } = e;
    for (;;) {
      const t = bo(e, Gg);
      if (t !== void 0) e.line += ho(t);
      else if (n.startsWith("--", e.at)) {
        if (((e.at += 2), sd(e, "comment") !== void 0)) continue;
        const r = n.indexOf(
          `
`,
          e.at,
        );
        e.at = r === -1 ? n.length : r;
      } else return;
    }
  }
  function Kg(e, n) {
    const { text: t } = e,
      r = t[e.at];
    if (/\d/.test(r)) {
      const [o = ""] = /^\d{1,3}/.exec(t.slice(e.at, e.at + 3)) ?? [];
      return (
        (e.at += o.length),
        Number(o) > 255 && En("escape sequence too large", e.line, t.slice(n, e.at)),
        String.fromCharCode(Number(o))
      );
    }
    return (
      e.at++,
      r ===
        `
` && e.line++,
      Wg[r] ?? r
    );
  }
  function zg(e, n) {
    const { text: t, at: r } = e;
    e.at++;
    let o = "";
    for (;;) {
      const s = t[e.at];
      if (s === void 0) return En("unfinished string", e.line, "<eof>");
      if (
        s ===
        `
`
      )
        return En("unfinished string", e.line, t.slice(r, e.at));
      if ((e.at++, s === n)) return o;
      s !== "\\" ? (o += s) : e.at < t.length && (o += Kg(e, r));
    }
  }
  function Jg(e) {
    jg(e);
    const { text: n, at: t, line: r } = e,
      o = (d, u = "") => ({
        type: d,
        value: u,
        text: d === "eof" ? "<eof>" : n.slice(t, e.at),
        line: d === "string" ? e.line : r,
      }),
      s = n[t];
    if (s === void 0) return o("eof");
    const i = bo(e, Ug);
    if (i !== void 0) return Hg.has(i) ? o(i) : o("name", i);
    const a = bo(e, Dg);
    if (a !== void 0) return o("number", Ze(a) ?? En("malformed number", r, a));
    if (s === '"' || s === "'") return o("string", zg(e, s));
    const l = s === "[" ? sd(e, "string") : void 0;
    if (l !== void 0) return o("string", l);
    const c = bo(e, Bg);
    return c !== void 0 ? o(c) : (e.at++, o(s));
  }
  function id(e) {
    const n = { text: e, at: 0, line: 1 };
    return () => Jg(n);
  }
  var dd = 100;
  function _e({ machine: e, line: n }, t) {
    throw new ie(Ct(n) + t, n || e.line);
  }
  function an(e, n, t, r = e.name) {
    const o = ue(t);
    return _e(e, `attempt to ${n} ${r === void 0 ? `a ${o} value` : `${r} (a ${o} value)`}`);
  }
  function Yg(e, { strings: n }) {
    return e instanceof v ? e.meta : typeof e == "string" ? pi(n) : void 0;
  }
  var ad = new WeakMap();
  function pi(e) {
    let n = ad.get(e);
    return n || ((n = new v()), n.set("__index", e), ad.set(e, n)), n;
  }
  var Ve = (e, n, t) => Yg(e, t)?.get(n);
  function K(e, n, t) {
    const { machine: r } = e;
    if (((r.line = e.line), (r.isMethod = !1), typeof n == "function")) return n(t);
    const o = Ve(n, "__call", r);
    return typeof o != "function" ? an(e, "call", n) : o([n, ...t]);
  }
  function wo(e, n, t) {
    let r = n;
    for (let o = 0; o < dd; o++) {
      let s;
      if (r instanceof v) {
        const i = r.get(t);
        if (i !== void 0 || r.meta === void 0) return i;
        if (((s = r.meta.get("__index")), s === void 0)) return;
      } else (s = Ve(r, "__index", e.machine)), s === void 0 && an(e, "index", r);
      if (typeof s == "function") return re(K(e, s, [r, t]));
      r = s;
    }
    return _e(e, "loop in gettable");
  }
  function yi(e, n, t, r) {
    let o = n;
    for (let s = 0; s < dd; s++) {
      let i;
      if (o instanceof v) {
        if (((i = o.meta === void 0 || o.get(t) !== void 0 ? void 0 : o.meta.get("__newindex")), i === void 0)) {
          Qg(e, o, t, r);
          return;
        }
      } else (i = Ve(o, "__newindex", e.machine)), i === void 0 && an(e, "index", o);
      if (typeof i == "function") {
        K(e, i, [o, t, r]);
        return;
      }
      o = i;
    }
    _e(e, "loop in settable");
  }
  function Qg(e, n, t, r) {
    n.readonly && _e(e, "Attempt to modify a readonly table"),
      t === void 0 && _e(e, "table index is nil"),
      Number.isNaN(t) && _e(e, "table index is NaN"),
      n.set(t, r);
  }
  var mi = (e) => (typeof e == "number" ? e : typeof e == "string" ? Ze(e) : void 0),
    ld = { "+": "__add", "-": "__sub", "*": "__mul", "/": "__div", "%": "__mod", "^": "__pow" },
    Zg = (e, n) => e - Math.floor(e / n) * n;
  function gi(e, n, t) {
    switch (e) {
      case "+":
        return n + t;
      case "-":
        return n - t;
      case "*":
        return n * t;
      case "/":
        return n / t;
      case "%":
        return Zg(n, t);
      case "^":
        return n ** t;
    }
  }
  function xo(e, n, t, r) {
    const o = mi(t),
      s = mi(r);
    if (o !== void 0 && s !== void 0) return gi(n, o, s);
    const { machine: i } = e,
      a = Ve(t, ld[n], i) ?? Ve(r, ld[n], i);
    return a !== void 0
      ? re(K(e, a, [t, r]))
      : o === void 0
        ? an(e, "perform arithmetic on", t)
        : an(e, "perform arithmetic on", r, e.otherName);
  }
  function ud(e, n) {
    const t = mi(n);
    if (t !== void 0) return -t;
    const r = Ve(n, "__unm", e.machine);
    return r === void 0 ? an(e, "perform arithmetic on", n) : re(K(e, r, [n, n]));
  }
  function fd(e, n) {
    return typeof n == "string" ? n.length : n instanceof v ? n.length() : an(e, "get length of", n);
  }
  var cd = (e) => (typeof e == "string" ? e : typeof e == "number" ? $e(e) : void 0);
  function md(e, n, t) {
    const r = cd(n),
      o = cd(t);
    if (r !== void 0 && o !== void 0) return r + o;
    const s = Ve(n, "__concat", e.machine) ?? Ve(t, "__concat", e.machine);
    return s !== void 0
      ? re(K(e, s, [n, t]))
      : r === void 0
        ? an(e, "concatenate", n)
        : an(e, "concatenate", t, e.otherName);
  }
  function bi(e, n, t) {
    if (n === t) return !0;
    if (!(n instanceof v && t instanceof v)) return !1;
    const r = n.meta?.get("__eq");
    return r !== void 0 && r === t.meta?.get("__eq") && fe(re(K(e, r, [n, t])));
  }
  function Kn(e, n, t, r) {
    if ((typeof n == "number" && typeof t == "number") || (typeof n == "string" && typeof t == "string"))
      return r ? n <= t : n < t;
    const o = (l) => {
        const c = Ve(n, l, e.machine);
        return typeof n == typeof t && c === Ve(t, l, e.machine) ? c : void 0;
      },
      s = o(r ? "__le" : "__lt");
    if (s !== void 0) return fe(re(K(e, s, [n, t])));
    const i = r ? o("__lt") : void 0;
    if (i !== void 0) return !fe(re(K(e, i, [t, n])));
    const a = [ue(n), ue(t)];
    return _e(e, `attempt to compare ${a[0] === a[1] ? `two ${a[0]} values` : `${a[0]} with ${a[1]}`}`);
  }
  function pd(e, n) {
    const t = Ve(n, "__tostring", e.machine);
    return t !== void 0 && typeof n == "object" ? re(K(e, t, [n])) : void 0;
  }
  function wi(e, n) {
    const t = pd({ machine: e, line: e.line }, n);
    if (t !== void 0) return t;
    switch (typeof n) {
      case "string":
        return n;
      case "number":
        return $e(n);
      case "object":
      case "function":
        return `${ue(n)}: 0x${rd(n).toString(16).padStart(12, "0")}`;
      default:
        return n === void 0 ? "nil" : String(n);
    }
  }
  function xi(e, n) {
    if (e instanceof ie) return e;
    if (e instanceof RangeError) return new ie(`${Ct(n.line)}stack overflow`, n.line);
    throw e;
  }
  function yd(e, n, t) {
    const { depth: r } = e;
    try {
      const o = n();
      return [!0, ...(Array.isArray(o) ? o : [o])];
    } catch (o) {
      const { value: s } = xi(o, e);
      e.depth = r;
      const i = t(s);
      return [!1, ...(Array.isArray(i) ? i : [i])];
    }
  }
  var Xg = (e) => {
    const n = e instanceof v ? e.get("err") : void 0;
    return typeof n == "string" || typeof n == "number" ? n : e;
  };
  function eb(e) {
    return (n) => {
      const t = e.integer(n, 1, 10);
      if (t === 10) {
        const i = e.any(n, 0);
        return typeof i == "number" ? i : typeof i == "string" ? Ze(i) : void 0;
      }
      (t < 2 || t > 36) && e.fail(1, "base out of range");
      const [, r, o] = /^\s*([+-]?)(?:0x)?([\da-z]+)\s*$/i.exec(e.string(n, 0)) ?? [];
      if (!o || [...o].some((i) => !(Number.parseInt(i, 36) < t))) return;
      const s = Number.parseInt(o, t);
      return r === "-" && s !== 0 ? 2 ** 64 - s : s;
    };
  }
  var nb = 8e3;
  function tb(e, n) {
    return (t) => {
      const r = t.length,
        o = n.table(t, 0),
        s = n.integer(t, 1, 1),
        i = t[2] === void 0 ? o.length() : n.integer(t, 2);
      if (i < s) return te;
      r + i - s + 1 > nb && _(e, "too many results to unpack");
      const a = [];
      for (let l = s; l <= i; l++) a.push(o.get(l));
      return a;
    };
  }
  function rb(e) {
    const n = (r) => {
        const o = r[0].next(r[1]);
        return o === null ? hi(e, "invalid key to 'next'") : (o ?? void 0);
      },
      t = (r) => {
        const o = r[1] + 1,
          s = r[0].get(o);
        return s === void 0 ? void 0 : [o, s];
      };
    return {
      next: (r) => (o) => n([r.table(o, 0), o[1]]),
      pairs: (r) => (o) => [n, r.table(o, 0), void 0],
      ipairs: (r) => (o) => [t, r.table(o, 0), 0],
      rawget: (r) => (o) => r.table(o, 0).get(o[1]),
      rawset: (r) => (o) => {
        const s = r.table(o, 0);
        return (
          s.readonly && hi(e, "Attempt to modify a readonly table"),
          o[1] === void 0 && _(e, "table index is nil"),
          s.set(o[1], o[2]),
          s
        );
      },
      rawequal: (r) => (o) => r.any(o, 0) === r.any(o, 1),
      getmetatable: (r) => (o) => {
        const s = r.any(o, 0),
          i = s instanceof v ? s.meta : typeof s == "string" ? pi(e.strings) : void 0;
        return i?.get("__metatable") ?? i;
      },
      setmetatable: (r) => (o) => {
        const s = r.table(o, 0),
          i = o[1];
        return i !== void 0 && !(i instanceof v)
          ? r.fail(1, "nil or table expected")
          : (s.readonly && hi(e, "Attempt to modify a readonly table"),
            s.meta?.get("__metatable") !== void 0 && _(e, "cannot change a protected metatable"),
            (s.meta = i),
            s);
      },
      unpack: (r) => tb(e, r),
    };
  }
  function gd(e, n) {
    return ke(e, {
      ...rb(e),
      assert: (t) => (r) => (fe(t.any(r, 0)) ? r : _(e, t.string(r, 1, "assertion failed!"))),
      error: (t) => (r) => {
        const o = t.integer(r, 1, 1),
          s = r[0],
          i = o === 1 ? e.line : o === 2 ? (e.lines[e.depth - 1] ?? 0) : 0;
        throw new ie(typeof s == "string" && i > 0 ? Ct(i) + s : s, e.line);
      },
      pcall: (t) => (r) => {
        t.any(r, 0);
        const [o, ...s] = r;
        return yd(e, () => K({ machine: e, line: 0 }, o, s), Xg);
      },
      xpcall: (t) => (r) => {
        t.any(r, 1);
        const o = { machine: e, line: 0 };
        return yd(
          e,
          () => K(o, r[0], []),
          (s) => K(o, r[1], [s]),
        );
      },
      select: (t) => (r) => {
        if (r[0] === "#") return r.length - 1;
        const o = t.integer(r, 0),
          s = o < 0 ? r.length + o : o;
        return s < 1 && t.fail(0, "index out of range"), r.slice(s);
      },
      tonumber: (t) => eb(t),
      tostring: (t) => (r) => wi(e, t.any(r, 0)),
      type: (t) => (r) => ue(t.any(r, 0)),
      collectgarbage: () => () => 0,
      gcinfo: () => () => 0,
      loadstring: (t) => (r) => {
        try {
          return n(t.string(r, 0));
        } catch (o) {
          if (o instanceof jn) return [void 0, o.message];
          throw o;
        }
      },
    });
  }
  function hi(e, n) {
    throw new ie(n, e.line);
  }
  function bd(e) {
    const n = (s) => {
        const i = s % 4294967296,
          a = Math.floor(i),
          l = i - a;
        return (l > 0.5 || (l === 0.5 && a % 2 !== 0) ? a + 1 : a) | 0;
      },
      t = (s) => (i) => (a) => {
        let l = n(i.number(a, 0));
        for (let c = 1; c < a.length; c++) l = s(l, n(i.number(a, c)));
        return l;
      },
      r = (s) => (i) => (a) => s(n(i.number(a, 0)), n(i.number(a, 1)) & 31) | 0,
      o = (s, i) => (s << i) | (i === 0 ? 0 : s >>> (32 - i));
    return ke(e, {
      tobit: (s) => (i) => n(s.number(i, 0)),
      bnot: (s) => (i) => ~n(s.number(i, 0)),
      band: t((s, i) => s & i),
      bor: t((s, i) => s | i),
      bxor: t((s, i) => s ^ i),
      lshift: r((s, i) => s << i),
      rshift: r((s, i) => s >>> i),
      arshift: r((s, i) => s >> i),
      rol: r(o),
      ror: r((s, i) => o(s, (32 - i) & 31)),
      bswap: (s) => (i) => {
        const a = n(s.number(i, 0));
        return (a << 24) | ((a & 65280) << 8) | ((a >>> 8) & 65280) | (a >>> 24);
      },
      tohex: (s) => (i) => {
        const a = s.integer(i, 1, 8),
          l = (n(s.number(i, 0)) >>> 0)
            .toString(16)
            .padStart(8, "0")
            .slice(-Math.min(Math.abs(a), 8));
        return a < 0 ? l.toUpperCase() : l;
      },
    });
  }
  function hd(e, { scope: n }) {
    if (e.type === "Identifier") {
      const { where: t } = n.placeOf(e.name);
      return `${t === "global" || t === "upvalue" ? t : "local"} '${e.name}'`;
    }
    if (e.type === "MemberExpression") return `${e.indexer === ":" ? "method" : "field"} '${e.identifier.name}'`;
    if (e.type === "IndexExpression") return `field '${e.index.type === "StringLiteral" ? e.index.value : "?"}'`;
  }
  var ye = (e, n, t, r) => ({ machine: n.machine, line: e, name: t && hd(t, n), otherName: r && hd(r, n) });
  function wd(e, n, t, r) {
    switch (e) {
      case "==":
        return (o) => {
          const s = n(o),
            i = t(o);
          return s === i || (typeof s == "object" && bi(r, s, i));
        };
      case "~=":
        return (o) => {
          const s = n(o),
            i = t(o);
          return s !== i && !(typeof s == "object" && bi(r, s, i));
        };
      case "<":
        return (o) => Kn(r, n(o), t(o), !1);
      case "<=":
        return (o) => Kn(r, n(o), t(o), !0);
      case ">":
        return (o) => {
          const s = n(o);
          return Kn(r, t(o), s, !1);
        };
      case ">=":
        return (o) => {
          const s = n(o);
          return Kn(r, t(o), s, !0);
        };
      case "..":
        return (o) => {
          const s = n(o),
            i = t(o);
          return typeof s == "string" && typeof i == "string" ? s + i : md(r, s, i);
        };
      default:
        return ob(e, n, t, r);
    }
  }
  function ob(e, n, t, r) {
    return e === "+"
      ? (o) => {
          const s = n(o),
            i = t(o);
          return typeof s == "number" && typeof i == "number" ? s + i : xo(r, "+", s, i);
        }
      : e === "-"
        ? (o) => {
            const s = n(o),
              i = t(o);
            return typeof s == "number" && typeof i == "number" ? s - i : xo(r, "-", s, i);
          }
        : (o) => {
            const s = n(o),
              i = t(o);
            return typeof s == "number" && typeof i == "number" ? gi(e, s, i) : xo(r, e, s, i);
          };
  }
  function xd(e, n, t) {
    return e === "and"
      ? (r) => {
          const o = n(r);
          return fe(o) ? t(r) : o;
        }
      : (r) => {
          const o = n(r);
          return fe(o) ? o : t(r);
        };
  }
  function kd(e, n, t) {
    return e === "not"
      ? (r) => !fe(n(r))
      : e === "#"
        ? (r) => fd(t, n(r))
        : (r) => {
            const o = n(r);
            return typeof o == "number" ? -o : ud(t, o);
          };
  }
  function q(e, n) {
    const t = Sd(e, n);
    if (t !== void 0) return () => t;
    switch (e.type) {
      case "StringLiteral":
      case "NumericLiteral":
      case "BooleanLiteral": {
        const { value: r } = e;
        return () => r;
      }
      case "NilLiteral":
        return () => {};
      case "VarargLiteral":
        return (r) => r.varargs[0];
      case "Identifier":
        return ib(e.name, e.loc.start.line, n);
      case "FunctionDeclaration":
        return n.functionOf(e);
      case "MemberExpression":
        return Rd(q(e.base, n), e.identifier.name, ye(e.loc.end.line, n, e.base));
      case "IndexExpression": {
        const r = q(e.base, n);
        return e.index.type === "StringLiteral"
          ? Rd(r, e.index.value, ye(e.loc.end.line, n, e.base))
          : ab(r, q(e.index, n), ye(e.loc.end.line, n, e.base));
      }
      case "CallExpression": {
        const r = Ed(e, n);
        return (o) => re(r(o));
      }
      case "LogicalExpression":
        return xd(e.operator, q(e.left, n), q(e.right, n));
      case "BinaryExpression":
        return wd(e.operator, q(e.left, n), q(e.right, n), ye(e.right.loc.end.line, n, e.left, e.right));
      case "UnaryExpression":
        return kd(e.operator, q(e.argument, n), ye(e.argument.loc.end.line, n, e.argument));
      case "TableConstructorExpression":
        return db(e.fields, e.loc.end.line, n);
    }
  }
  function sr(e, n) {
    if (e.inParens) return q(e, n);
    switch (e.type) {
      case "VarargLiteral":
        return (t) => t.varargs;
      case "CallExpression":
        return Ed(e, n);
      default:
        return q(e, n);
    }
  }
  var ki = ({ type: e, inParens: n }) => !n && (e === "VarargLiteral" || e === "CallExpression");
  function ln(e, n) {
    const t = e.at(-1),
      r = e.map((l) => q(l, n));
    if (t && ki(t)) {
      const l = sr(t, n);
      return (
        r.pop(),
        (c) => {
          const d = [];
          for (const f of r) d.push(f(c));
          const u = l(c);
          if (!Mt(u)) d.push(u);
          else for (const f of u) d.push(f);
          return d;
        }
      );
    }
    const [o, s, i, a] = r;
    switch (r.length) {
      case 0:
        return () => [];
      case 1:
        return (l) => [o(l)];
      case 2:
        return (l) => [o(l), s(l)];
      case 3:
        return (l) => [o(l), s(l), i(l)];
      case 4:
        return (l) => [o(l), s(l), i(l), a(l)];
      default:
        return (l) => r.map((c) => c(l));
    }
  }
  var sb = /^(KEYS|ARGV)$/;
  function Sd(e, n) {
    const { machine: t, scope: r } = n;
    if (e.type === "Identifier")
      return sb.test(e.name) || r.placeOf(e.name).where !== "global" ? void 0 : t.globals.get(e.name);
    if (e.type !== "MemberExpression" || e.base.type !== "Identifier") return;
    const o = Sd(e.base, n);
    return o instanceof v && o.readonly ? o.get(e.identifier.name) : void 0;
  }
  function ib(e, n, t) {
    const r = t.scope.placeOf(e),
      { globals: o } = t.machine;
    if (r.where === "global") {
      const i = ye(n, t);
      return () => {
        const a = o.get(e);
        return a === void 0 ? _e(i, `Script attempted to access nonexistent global variable '${e}'`) : a;
      };
    }
    const { at: s } = r;
    return r.where === "register"
      ? (i) => i.registers[s]
      : r.where === "box"
        ? (i) => i.registers[s].v
        : (i) => i.upvalues[s].v;
  }
  function Rd(e, n, t) {
    return (r) => {
      const o = e(r);
      if (o instanceof v) {
        const s = o.get(n);
        if (s !== void 0 || o.meta === void 0) return s;
      }
      return wo(t, o, n);
    };
  }
  function ab(e, n, t) {
    return (r) => {
      const o = e(r),
        s = n(r);
      if (o instanceof v) {
        const i = o.get(s);
        if (i !== void 0 || o.meta === void 0) return i;
      }
      return wo(t, o, s);
    };
  }
  function Ed(e, n) {
    const { base: t, arguments: r } = e,
      o = ye(t.loc.end.line, n, t),
      { machine: s, line: i } = o;
    if (t.type === "MemberExpression" && t.indexer === ":") return lb(t, r, o, n);
    const a = q(t, n),
      l = ln(r, n);
    return (c) => {
      const d = a(c),
        u = l(c);
      return typeof d != "function" ? K(o, d, u) : ((s.line = i), (s.isMethod = !1), d(u));
    };
  }
  function lb(e, n, t, r) {
    const { machine: o, line: s } = t,
      { name: i } = e.identifier,
      { strings: a } = o,
      l = ye(s, r, e.base),
      c = (f) => (typeof f == "string" ? a.get(i) : wo(l, f, i)),
      d = q(e.base, r),
      u = cb(n, r);
    return (f) => {
      const m = d(f),
        p = c(m),
        y = u(f, m);
      return typeof p != "function" ? K(t, p, y) : ((o.line = s), (o.isMethod = !0), p(y));
    };
  }
  function cb(e, n) {
    const [t, r] = e;
    if (!t) return (i, a) => [a];
    if (e.length > 2 || ki(r ?? t)) {
      const i = ln(e, n);
      return (a, l) => [l, ...i(a)];
    }
    const o = q(t, n);
    if (!r) return (i, a) => [a, o(i)];
    const s = q(r, n);
    return (i, a) => [a, o(i), s(i)];
  }
  function db(e, n, t) {
    const r = e.flatMap((l) => (l.type === "TableValue" ? [l.value] : [])),
      o = ye(n, t);
    if (r.length === e.length) {
      const l = ln(r, t);
      return r.length === 0 ? () => new v() : (c) => v.of(l(c));
    }
    const s = e.at(-1),
      i = s?.type === "TableValue" && ki(s.value) ? sr(s.value, t) : void 0,
      a = e.slice(0, i ? -1 : void 0).map((l) => {
        const c = q(l.value, t);
        if (l.type === "TableValue") return [void 0, c];
        const d = l.type === "TableKeyString" ? l.key.name : void 0;
        return [l.type === "TableKey" ? q(l.key, t) : () => d, c];
      });
    return (l) => {
      const c = [],
        d = [];
      for (const [p, y] of a) {
        if (!p) {
          c.push(y(l));
          continue;
        }
        const g = p(l);
        g === void 0 && _e(o, "table index is nil"), d.push([g, y(l)]);
      }
      const u = i ? i(l) : te;
      for (const p of Mt(u) ? u : [u]) c.push(p);
      const f = v.of(c),
        m = (p) => typeof p == "number" && Number.isInteger(p) && p >= 1 && p <= c.length;
      for (const [p, y] of d) m(p) || f.set(p, y);
      return f;
    };
  }
  function ir({ where: e, at: n }) {
    return e === "box"
      ? (t, r) => {
          t.registers[n] = new Tt(r);
        }
      : (t, r) => {
          t.registers[n] = r;
        };
  }
  function Od(e, n, t) {
    const [r] = n,
      o = r && e.length === 1 && n.length === 1 ? q(r, t) : void 0,
      s = ln(n, t),
      i = e.map((l) => ir(t.scope.declare(l.name, l))),
      [a] = i;
    return o
      ? (l) => (a(l, o(l)), 0)
      : (l) => {
          const c = s(l);
          for (let d = 0; d < i.length; d++) i[d](l, c[d]);
          return 0;
        };
  }
  function Ad(e, n) {
    const { machine: t, scope: r } = n,
      o = ye(e.loc.end.line, n, e.type === "Identifier" ? void 0 : e.base);
    if (e.type === "Identifier") {
      const l = r.placeOf(e.name),
        c = (() => {
          if (l.where === "global") return (u, f) => yi(o, t.globals, e.name, f);
          const { at: d } = l;
          return l.where === "register"
            ? (u, f) => {
                u.registers[d] = f;
              }
            : l.where === "box"
              ? (u, f) => {
                  u.registers[d].v = f;
                }
              : (u, f) => {
                  u.upvalues[d].v = f;
                };
        })();
      return () => c;
    }
    const s = q(e.base, n),
      i = e.type === "MemberExpression" ? e.identifier.name : "",
      a = e.type === "IndexExpression" ? q(e.index, n) : () => i;
    return (l) => {
      const c = s(l),
        d = a(l);
      return (u, f) => yi(o, c, d, f);
    };
  }
  function Td(e, n, t) {
    const r = e.map((a) => Ad(a, t)),
      [o] = r,
      [s] = n;
    if (r.length === 1 && n.length === 1) {
      const a = q(s, t);
      return (l) => (o(l)(l, a(l)), 0);
    }
    const i = ln(n, t);
    return (a) => {
      const l = r.map((d) => d(a)),
        c = i(a);
      for (let d = l.length - 1; d >= 0; d--) l[d](a, c[d]);
      return 0;
    };
  }
  function Md(e, n) {
    const { identifier: t } = e;
    if (e.isLocal && t?.type === "Identifier") {
      const s = n.scope.declare(t.name, t),
        i = n.functionOf(e),
        a = ir(s);
      return (l) => {
        a(l, void 0);
        const c = i(l);
        return s.where === "box" ? (l.registers[s.at].v = c) : (l.registers[s.at] = c), 0;
      };
    }
    const r = Ad(t, n),
      o = n.functionOf(e);
    return (s) => (r(s)(s, o(s)), 0);
  }
  var ko = class {
    registers;
    upvalues;
    varargs;
    result = [];
    constructor(n, t, r) {
      (this.registers = n), (this.upvalues = t), (this.varargs = r);
    }
  };
  function Ri(e, n, t) {
    let r = [[]],
      o = [],
      s = new Map(),
      i = 0,
      a = 0,
      l = (u) => {
        for (let f = r.length - 1; f >= 0; f--) {
          const m = r[f]?.findLast((p) => p.name === u);
          if (m) return m;
        }
      },
      c = ({ declared: u, at: f }) => ({ where: e.has(u) ? "box" : "register", at: f }),
      d = {
        get size() {
          return a;
        },
        isVararg: n,
        captures: o,
        open: () => {
          r.push([]);
        },
        close() {
          i -= r.pop()?.length ?? 0;
        },
        declare(u, f) {
          const m = { name: u, declared: f, at: i++ };
          return (a = Math.max(a, i)), r.at(-1)?.push(m), c(m);
        },
        placeOf(u) {
          const f = l(u);
          if (f) return c(f);
          const m = s.get(u);
          if (m !== void 0) return { where: "upvalue", at: m };
          const p = t?.capture(u) ?? { where: "global" };
          return p.where === "global" ? p : (o.push(p), s.set(u, o.length - 1), { where: "upvalue", at: o.length - 1 });
        },
        capture(u) {
          const f = l(u);
          return f ? (e.add(f.declared), { where: "box", at: f.at }) : d.placeOf(u);
        },
        inner: (u) => Ri(e, u, d),
      };
    return d;
  }
  function Ld(e, n) {
    const t = new Set();
    return Cd(e, n, t), Cd(e, n, t);
  }
  function Cd(e, n, t) {
    const r = Ri(t, !0),
      o = On(e, Pd(n, r));
    return Nd({ run: o, size: r.size, count: 0, isVararg: !0, boxes: [], machine: n }, []);
  }
  function Pd(e, n) {
    const t = { machine: e, scope: n, functionOf: (r) => ub(r, t) };
    return t;
  }
  function ub(e, { machine: n, scope: t }) {
    const r = e.parameters,
      o = t.inner(e.isVararg),
      i = e.identifier?.type === "MemberExpression" && e.identifier.indexer === ":" ? [o.declare("self", e)] : [];
    for (const m of r) i.push(o.declare(m.name, m));
    const a = On(e.body, Pd(n, o)),
      l = i.flatMap((m, p) => (m.where === "box" ? [p] : [])),
      { size: c, isVararg: d } = o,
      u = { run: a, size: c, count: i.length, isVararg: d, boxes: l, machine: n },
      f = o.captures.map((m) => {
        const { at: p } = m;
        return m.where === "upvalue" ? (y) => y.upvalues[p] : (y) => y.registers[p];
      });
    return (m) => {
      const p = [];
      for (const y of f) p.push(y(m));
      return Nd(u, p);
    };
  }
  function Nd({ run: e, size: n, count: t, isVararg: r, boxes: o, machine: s }, i) {
    return (a) => {
      Ie(s);
      const l = r ? a.slice(t) : te,
        c = a;
      for (a.length > t && (c.length = t); c.length < n; ) c.push(void 0);
      for (const u of o) c[u] = new Tt(c[u]);
      const d = new ko(c, i, l);
      return (s.lines[s.depth++] = s.line), e(d), s.depth--, d.result;
    };
  }
  function On(e, n, t) {
    const { scope: r } = n;
    r.open();
    const o = e.map((i) => fb(i, n)),
      s = t ? t(vd(o)) : vd(o);
    return r.close(), s;
  }
  function vd(e) {
    const [n] = e;
    return n && e.length === 1
      ? n
      : (t) => {
          for (let r = 0; r < e.length; r++) {
            const o = e[r](t);
            if (o !== 0) return o;
          }
          return 0;
        };
  }
  function fb(e, n) {
    const { machine: t } = n;
    switch (e.type) {
      case "LocalStatement":
        return Od(e.variables, e.init, n);
      case "AssignmentStatement":
        return Td(e.variables, e.init, n);
      case "CallStatement": {
        const r = sr(e.expression, n);
        return (o) => (r(o), 0);
      }
      case "FunctionDeclaration":
        return Md(e, n);
      case "DoStatement":
        return On(e.body, n);
      case "ReturnStatement":
        return mb(e.arguments, n);
      case "BreakStatement":
        return () => 1;
      case "IfStatement":
        return pb(e, n);
      case "WhileStatement": {
        const r = q(e.condition, n),
          o = On(e.body, n);
        return (s) => {
          for (; fe(r(s)); ) {
            Ie(t);
            const i = o(s);
            if (i === 1) break;
            if (i === 2) return i;
          }
          return 0;
        };
      }
      case "RepeatStatement":
        return On(e.body, n, (r) => {
          const o = q(e.condition, n);
          return (s) => {
            do {
              Ie(t);
              const i = r(s);
              if (i === 1) break;
              if (i === 2) return i;
            } while (!fe(o(s)));
            return 0;
          };
        });
      case "ForNumericStatement":
        return yb(e, n);
      case "ForGenericStatement":
        return gb(e, n);
    }
  }
  function mb(e, n) {
    const [t] = e;
    if (t && e.length === 1) {
      const o = sr(t, n);
      return (s) => ((s.result = o(s)), 2);
    }
    const r = ln(e, n);
    return (o) => ((o.result = r(o)), 2);
  }
  function pb({ clauses: e }, n) {
    const t = e.map(({ condition: r, body: o }) => [r ? q(r, n) : () => !0, On(o, n)]);
    return (r) => {
      for (const [o, s] of t) if (fe(o(r))) return s(r);
      return 0;
    };
  }
  function yb({ variable: e, start: n, end: t, step: r, body: o, loc: s }, i) {
    const { scope: a, machine: l } = i,
      c = [n, t, ...(r ? [r] : [])].map((y) => q(y, i)),
      d = ye(s.start.line, i);
    a.open();
    const u = ir(a.declare(e.name, e)),
      f = On(o, i);
    a.close();
    const m = ["initial value", "limit", "step"],
      p = (y) =>
        c.map((g, b) => {
          const h = g(y),
            w = typeof h == "string" ? Ze(h) : h;
          return typeof w == "number" ? w : _e(d, `'for' ${m[b]} must be a number`);
        });
    return (y) => {
      const [g = 0, b = 0, h = 1] = p(y);
      for (let w = g; h > 0 ? w <= b : w >= b; w += h) {
        Ie(l), u(y, w);
        const k = f(y);
        if (k === 1) break;
        if (k === 2) return k;
      }
      return 0;
    };
  }
  function gb({ variables: e, iterators: n, body: t, loc: r }, o) {
    const { scope: s, machine: i } = o,
      a = ln(n, o),
      l = ye(r.start.line, o);
    s.open();
    const c = e.map((u) => ir(s.declare(u.name, u))),
      d = On(t, o);
    return (
      s.close(),
      (u) => {
        const [f, m, p] = a(u);
        for (let y = p; ; ) {
          const g = K(l, f, [m, y]),
            b = Mt(g) ? g : [g];
          if (((y = b[0]), y === void 0)) return 0;
          Ie(i);
          for (let w = 0; w < c.length; w++) c[w](u, b[w]);
          const h = d(u);
          if (h === 1) return 0;
          if (h === 2) return h;
        }
      }
    );
  }
  var bb = 1e3,
    hb = { '"': '\\"', "\\": "\\\\", "/": "\\/", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "	": "\\t" },
    $d = (e) =>
      `"${e.replace(/["\\/\x00-\x1f\x7f]/g, (n) => hb[n] ?? `\\u${n.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;
  function wb(e) {
    let n = 0,
      t = 0;
    for (let r = e.next(void 0); r; r = e.next(r[0])) {
      const [o] = r;
      if (typeof o != "number" || o < 1 || !Number.isInteger(o)) return;
      (n = Math.max(n, o)), t++;
    }
    return n > Math.max(10, 2 * t) ? -1 : t === 0 ? void 0 : n;
  }
  function Si(e, n, t, r) {
    if (n === t) return "null";
    switch (typeof n) {
      case "undefined":
        return "null";
      case "boolean":
        return String(n);
      case "string":
        return $d(n);
      case "number":
        return Number.isFinite(n) || _(e, "Cannot serialise number: must not be NaN or Inf"), At(n, 14);
      case "function":
        return _(e, "Cannot serialise function: type not supported");
    }
    r > bb && _(e, `Cannot serialise, excessive depth (${r})`);
    const o = wb(n);
    o === -1 && _(e, "Cannot serialise table: excessively sparse array");
    const s = [];
    if (o !== void 0) {
      for (let i = 1; i <= o; i++) s.push(Si(e, n.get(i), t, r + 1));
      return `[${s.join(",")}]`;
    }
    for (let i = n.next(void 0); i; i = n.next(i[0])) {
      const [a, l] = i;
      typeof a != "string" &&
        typeof a != "number" &&
        _(e, `Cannot serialise ${ue(a)}: table key must be a number or string`);
      const c = typeof a == "number" ? `"${At(a, 14)}"` : $d(a);
      s.push(`${c}:${Si(e, l, t, r + 1)}`);
    }
    return `{${s.join(",")}}`;
  }
  var Id = (e) => {
    let n = "";
    for (const t of new TextEncoder().encode(e)) n += String.fromCharCode(t);
    return n;
  };
  function So(e, n) {
    if (e === null) return n;
    if (typeof e == "string") return /[^\0-\x7f]/.test(e) ? xb(e) : e;
    if (typeof e == "number" || typeof e == "boolean") return e;
    const t = new v();
    if (Array.isArray(e))
      return (
        e.forEach((r, o) => {
          t.set(o + 1, So(r, n));
        }),
        t
      );
    for (const [r, o] of Object.entries(e)) t.set(So(r, n), So(o, n));
    return t;
  }
  var xb = (e) => e.replace(/[\u0100-\uffff]+/g, Id);
  function _d(e) {
    const n = () => _(e, "attempt to call a userdata value"),
      t = ke(e, {
        encode: (r) => (o) => Si(e, r.any(o, 0), n, 1),
        decode: (r) => (o) => {
          const s = r.string(o, 0);
          try {
            const i = s.replace(/\\u00([89a-f][\da-f])/gi, (a, l) => Id(String.fromCharCode(Number.parseInt(l, 16))));
            return So(JSON.parse(i), n);
          } catch {
            return _(e, "Expected value but found invalid token at character 1");
          }
        },
      });
    return t.set("null", n), t;
  }
  function kb() {
    let e = 0x330en,
      n = e;
    return {
      next() {
        return (n = (n * 0x5deece66dn + 0xbn) & 0xffffffffffffn), Number(n >> 17n) / 2 ** 31;
      },
      seed(t) {
        n = (BigInt.asUintN(32, BigInt(Math.trunc(t))) << 16n) + e;
      },
    };
  }
  function Rb(e) {
    const n = Math.trunc(e);
    return [n, Number.isFinite(e) ? e - n : 0];
  }
  function Sb(e) {
    if (e === 0 || !Number.isFinite(e)) return [e, 0];
    let n = Math.max(-1023, Math.floor(Math.log2(Math.abs(e))) + 1),
      t = e * 2 ** -n;
    for (; Math.abs(t) < 0.5; n--) t *= 2;
    for (; Math.abs(t) >= 1; n++) t /= 2;
    return [t, n];
  }
  function Eb(e, n, t) {
    const r = e();
    if (t.length === 0) return r;
    const [o, s] = t.length === 1 ? [1, n.integer(t, 0)] : [n.integer(t, 0), n.integer(t, 1)];
    return s < o && n.fail(t.length === 1 ? 0 : 1, "interval is empty"), Math.floor(r * (s - o + 1)) + o;
  }
  function Fd(e) {
    const n = kb(),
      t = (s) => (i) => (a) => s(i.number(a, 0)),
      r = (s) => (i) => (a) => {
        let l = i.number(a, 0);
        for (let c = 1; c < a.length; c++) l = s(l, i.number(a, c));
        return l;
      },
      o = ke(e, {
        abs: t(Math.abs),
        ceil: t(Math.ceil),
        floor: t(Math.floor),
        sqrt: t(Math.sqrt),
        exp: t(Math.exp),
        log: t(Math.log),
        log10: t(Math.log10),
        sin: t(Math.sin),
        cos: t(Math.cos),
        tan: t(Math.tan),
        asin: t(Math.asin),
        acos: t(Math.acos),
        atan: t(Math.atan),
        sinh: t(Math.sinh),
        cosh: t(Math.cosh),
        tanh: t(Math.tanh),
        deg: t((s) => s / (Math.PI / 180)),
        rad: t((s) => s * (Math.PI / 180)),
        atan2: (s) => (i) => Math.atan2(s.number(i, 0), s.number(i, 1)),
        pow: (s) => (i) => s.number(i, 0) ** s.number(i, 1),
        fmod: (s) => (i) => s.number(i, 0) % s.number(i, 1),
        modf: (s) => (i) => Rb(s.number(i, 0)),
        ldexp: (s) => (i) => s.number(i, 0) * 2 ** s.integer(i, 1),
        frexp: (s) => (i) => Sb(s.number(i, 0)),
        max: r((s, i) => (i > s ? i : s)),
        min: r((s, i) => (i < s ? i : s)),
        random: (s) => (i) => Eb(n.next, s, i),
        randomseed: (s) => (i) => (n.seed(s.integer(i, 0)), []),
      });
    return o.set("pi", Math.PI), o.set("huge", Number.POSITIVE_INFINITY), { table: o, reset: () => n.seed(0) };
  }
  var Ob = {
      or: [1, 1],
      and: [2, 2],
      "<": [3, 3],
      ">": [3, 3],
      "<=": [3, 3],
      ">=": [3, 3],
      "~=": [3, 3],
      "==": [3, 3],
      "..": [5, 4],
      "+": [6, 6],
      "-": [6, 6],
      "*": [7, 7],
      "/": [7, 7],
      "%": [7, 7],
      "^": [10, 9],
    },
    Ab = 8,
    Tb = /^(not|-|#)$/;
  function vt(e, n) {
    const t = [ae(e, n)];
    for (; e.accept(","); ) t.push(ae(e, n));
    return t;
  }
  function ae(e, n, t = 0) {
    let { type: r, line: o } = e.token,
      s;
    if (Tb.test(r)) {
      e.take();
      const i = ae(e, n, Ab);
      s = { type: "UnaryExpression", operator: r, argument: i, loc: e.from(o) };
    } else s = Vd(e, n);
    for (;;) {
      const i = e.token.type,
        [a, l] = Ob[i] ?? [0, 0];
      if (a <= t) return s;
      e.take();
      const c = ae(e, n, l);
      s = {
        type: i === "and" || i === "or" ? "LogicalExpression" : "BinaryExpression",
        operator: i,
        left: s,
        right: c,
        loc: e.from(o),
      };
    }
  }
  function Vd(e, n) {
    const { type: t, value: r, line: o } = e.token,
      s = { start: { line: o }, end: { line: o } };
    switch (t) {
      case "string":
        return e.take(), { type: "StringLiteral", value: String(r), loc: s };
      case "number":
        return e.take(), { type: "NumericLiteral", value: Number(r), loc: s };
      case "nil":
        return e.take(), { type: "NilLiteral", loc: s };
      case "true":
      case "false":
        return e.take(), { type: "BooleanLiteral", value: t === "true", loc: s };
      case "...":
        return (
          n.isVararg || e.fail("cannot use '...' outside a vararg function"),
          e.take(),
          { type: "VarargLiteral", loc: s }
        );
      case "{":
        return Mb(e, n);
      case "function":
        return e.take(), n.functionBody(e, o);
      default:
        return Eo(e, n);
    }
  }
  function Mb(e, n) {
    const { line: t } = e.take(),
      r = [];
    for (; !e.is("}"); ) {
      if (e.is("name") && e.peek().type === "=") {
        const o = e.name();
        e.take(), r.push({ type: "TableKeyString", key: o, value: ae(e, n) });
      } else if (e.accept("[")) {
        const o = ae(e, n);
        e.expect("]"), e.expect("="), r.push({ type: "TableKey", key: o, value: ae(e, n) });
      } else r.push({ type: "TableValue", value: ae(e, n) });
      if (!e.accept(",") && !e.accept(";")) break;
    }
    return e.close("}", "{", t), { type: "TableConstructorExpression", fields: r, loc: e.from(t) };
  }
  function Eo(e, n) {
    let { line: t } = e.token,
      r;
    if (e.accept("(")) (r = ae(e, n)), e.close(")", "(", t), (r.inParens = !0);
    else if (e.is("name")) r = e.name();
    else return e.fail("unexpected symbol");
    for (;;)
      switch (e.token.type) {
        case ".":
          e.take(), (r = { type: "MemberExpression", indexer: ".", base: r, identifier: e.name(), loc: e.from(t) });
          break;
        case "[": {
          e.take();
          const o = ae(e, n);
          e.expect("]"), (r = { type: "IndexExpression", base: r, index: o, loc: e.from(t) });
          break;
        }
        case ":": {
          e.take();
          const o = e.name();
          (r = { type: "MemberExpression", indexer: ":", base: r, identifier: o, loc: e.from(t) }), (r = qd(e, n, r));
          break;
        }
        case "(":
        case "string":
        case "{":
          r = qd(e, n, r);
          break;
        default:
          return r;
      }
  }
  function qd(e, n, t) {
    const { type: r, line: o } = e.token,
      s = t.loc.start.line;
    if (r === "string" || r === "{") return { type: "CallExpression", base: t, arguments: [Vd(e, n)], loc: e.from(s) };
    if (r !== "(") return e.fail("function arguments expected");
    o !== e.lastLine && e.fail("ambiguous syntax (function call x new statement)"), e.take();
    const i = e.is(")") ? [] : vt(e, n);
    return e.close(")", "(", o), { type: "CallExpression", base: t, arguments: i, loc: e.from(s) };
  }
  function Hd(e) {
    let n = id(e),
      t = n(),
      r,
      o = 1,
      s = {
        get token() {
          return t;
        },
        is: (i) => t.type === i,
        get lastLine() {
          return o;
        },
        take() {
          const i = t;
          return (o = i.line), (t = r ?? n()), (r = void 0), i;
        },
        peek() {
          return (r ??= n()), r;
        },
        accept: (i) => t.type === i && s.take() !== void 0,
        fail: (i) => En(i, t.line, t.text),
        expect(i) {
          s.accept(i) || s.fail(`'${i === "eof" ? "<eof>" : i}' expected`);
        },
        close(i, a, l) {
          s.accept(i) || s.fail(`'${i}' expected${l === t.line ? "" : ` (to close '${a}' at line ${l})`}`);
        },
        name() {
          t.type !== "name" && s.fail("<name> expected");
          const { value: i, line: a } = s.take();
          return { type: "Identifier", name: String(i), loc: { start: { line: a }, end: { line: a } } };
        },
        from: (i) => ({ start: { line: i }, end: { line: o } }),
      };
    return s;
  }
  var Dd = /^(else|elseif|end|until|eof)$/,
    Cb = /^(if|while|do|for|repeat|function|local|return|break)$/;
  function Bd(e) {
    const n = Hd(e),
      t = Lt(n, { isVararg: !0, loops: 0, functionBody: Oo });
    return n.expect("eof"), t;
  }
  function Lt(e, n) {
    const t = [];
    for (; !Dd.test(e.token.type); ) {
      const { type: r } = e.token;
      if ((t.push(vb(e, n)), e.accept(";"), r === "return" || r === "break")) break;
    }
    return t;
  }
  function Ei(e, n) {
    n.loops++;
    const t = Lt(e, n);
    return n.loops--, t;
  }
  function vb(e, n) {
    const { type: t, line: r } = e.token;
    if (!Cb.test(t)) return Ib(e, n);
    if (t === "function") return $b(e);
    switch ((e.take(), t)) {
      case "if":
        return Lb(e, n, r);
      case "for":
        return Pb(e, n, r);
      case "local":
        return Nb(e, n, r);
      case "while": {
        const o = ae(e, n);
        e.expect("do");
        const s = Ei(e, n);
        return e.close("end", "while", r), { type: "WhileStatement", condition: o, body: s, loc: e.from(r) };
      }
      case "repeat": {
        const o = Ei(e, n);
        return e.close("until", "repeat", r), { type: "RepeatStatement", body: o, condition: ae(e, n), loc: e.from(r) };
      }
      case "do": {
        const o = Lt(e, n);
        return e.close("end", "do", r), { type: "DoStatement", body: o, loc: e.from(r) };
      }
      case "return":
        return {
          type: "ReturnStatement",
          arguments: Dd.test(e.token.type) || e.is(";") ? [] : vt(e, n),
          loc: e.from(r),
        };
      default:
        return n.loops === 0 && e.fail("no loop to break"), { type: "BreakStatement", loc: e.from(r) };
    }
  }
  function Lb(e, n, t) {
    const r = [];
    do {
      const o = ae(e, n);
      e.expect("then"), r.push({ condition: o, body: Lt(e, n) });
    } while (e.accept("elseif"));
    return (
      e.accept("else") && r.push({ body: Lt(e, n) }),
      e.close("end", "if", t),
      { type: "IfStatement", clauses: r, loc: e.from(t) }
    );
  }
  function Pb(e, n, t) {
    const r = e.name();
    if (e.accept("=")) {
      const a = ae(e, n);
      e.expect(",");
      const l = ae(e, n),
        c = e.accept(",") ? ae(e, n) : null,
        d = Gd(e, n, t);
      return { type: "ForNumericStatement", variable: r, start: a, end: l, step: c, body: d, loc: e.from(t) };
    }
    !e.is(",") && !e.is("in") && e.fail("'=' or 'in' expected");
    const o = [r];
    for (; e.accept(","); ) o.push(e.name());
    e.expect("in");
    const s = vt(e, n),
      i = Gd(e, n, t);
    return { type: "ForGenericStatement", variables: o, iterators: s, body: i, loc: e.from(t) };
  }
  function Gd(e, n, t) {
    e.expect("do");
    const r = Ei(e, n);
    return e.close("end", "for", t), r;
  }
  function Nb(e, n, t) {
    if (e.accept("function")) {
      const s = e.name();
      return { ...Oo(e, t), identifier: s, isLocal: !0 };
    }
    const r = [e.name()];
    for (; e.accept(","); ) r.push(e.name());
    const o = e.accept("=") ? vt(e, n) : [];
    return { type: "LocalStatement", variables: r, init: o, loc: e.from(t) };
  }
  function $b(e) {
    let { line: n } = e.take(),
      t = e.name();
    for (; e.is(".") || e.is(":"); ) {
      const r = e.take().type;
      if (((t = { type: "MemberExpression", indexer: r, base: t, identifier: e.name(), loc: e.from(n) }), r === ":"))
        break;
    }
    return { ...Oo(e, n), identifier: t, isLocal: !1 };
  }
  function Oo(e, n) {
    let t = [],
      r = !1;
    for (
      e.expect("(");
      !e.is(")") &&
      !r &&
      (e.accept("...") ? (r = !0) : e.is("name") ? t.push(e.name()) : e.fail("<name> or '...' expected"),
      !(r || !e.accept(",")));
    )
      e.is(")") && e.fail("<name> or '...' expected");
    e.expect(")");
    const o = Lt(e, { isVararg: r, loops: 0, functionBody: Oo });
    return (
      e.close("end", "function", n),
      {
        type: "FunctionDeclaration",
        identifier: null,
        isLocal: !1,
        parameters: t,
        isVararg: r,
        body: o,
        loc: e.from(n),
      }
    );
  }
  function Ib(e, n) {
    const { line: t } = e.token,
      r = Eo(e, n);
    if (r.type === "CallExpression" && !r.inParens) return { type: "CallStatement", expression: r, loc: e.from(t) };
    const o = [Ud(e, r)];
    for (; e.accept(","); ) o.push(Ud(e, Eo(e, n)));
    return e.expect("="), { type: "AssignmentStatement", variables: o, init: vt(e, n), loc: e.from(t) };
  }
  function Ud(e, n) {
    return (n.type === "Identifier" || n.type === "MemberExpression" || n.type === "IndexExpression") && !n.inParens
      ? n
      : e.fail("syntax error");
  }
  var _b = /%(?:%|([-+ #0]*)(\d*)(?:(\.)(\d*))?([\s\S]?))/g,
    Ao = new Map(),
    Fb = 1e3;
  function qb([, e = "", n = "", t, r = "", o = ""]) {
    const s = n.length > 2 || r.length > 2,
      i =
        e.length > 5 ? "invalid format (repeated flags)" : s ? "invalid format (width or precision too long)" : void 0;
    return { letter: o, flags: e, width: Number(n), precision: t ? Number(r) : void 0, fault: i };
  }
  function Vb(e) {
    const n = Ao.get(e);
    if (n) return n;
    let t = [],
      r = 0;
    for (const o of e.matchAll(_b))
      t.push(e.slice(r, o.index), o[0] === "%%" ? "%" : qb(o)), (r = o.index + o[0].length);
    return t.push(e.slice(r)), Ao.size >= Fb && Ao.clear(), Ao.set(e, t), t;
  }
  function Kd(e, n, t) {
    let r = "",
      o = 0;
    for (const s of Vb(n.string(t, 0))) typeof s == "string" ? (r += s) : (r += Hb(e, n, t, ++o, s));
    return r;
  }
  function Hb(e, n, t, r, o) {
    const { letter: s, flags: i, width: a, precision: l, fault: c } = o;
    c && _(e, c), r >= t.length && s !== "" && n.fail(r, "no value");
    const d = Bb(e, n, t, r, s, i, l);
    return a <= d.length || s === "q" || (s === "s" && l === void 0 && d.length >= 100)
      ? d
      : Gb(d, i, a, /[eEfgG]/.test(s) || (/[diouxX]/.test(s) && l === void 0));
  }
  function Gb(e, n, t, r) {
    if (e.length >= t) return e;
    if (n.includes("-")) return e.padEnd(t);
    if (!r || !n.includes("0") || /inf|nan/i.test(e)) return e.padStart(t);
    const [o = ""] = /^[-+ ]?(?:0x)?/i.exec(e) ?? [];
    return o + e.slice(o.length).padStart(t - o.length, "0");
  }
  var To = (e, n) => (e.startsWith("-") ? e : n.includes("+") ? `+${e}` : n.includes(" ") ? ` ${e}` : e),
    Oi = (e) => e.includes("#"),
    Ub = -(2n ** 63n),
    Wd = (e) => (Number.isFinite(e) && Math.abs(e) < 2 ** 63 ? BigInt(Math.trunc(e)) : Ub),
    jd = (e, n, t) => (e === 0n && t === 0 ? "" : e.toString(n).padStart(t ?? 1, "0"));
  function Db(e, n, t) {
    return e === "o" ? (n.startsWith("0") ? n : `0${n}`) : e === "u" || t ? n : `0x${n}`;
  }
  function Bb(e, n, t, r, o, s, i) {
    switch (o) {
      case "c":
        return String.fromCharCode(n.integer(t, r) & 255);
      case "d":
      case "i": {
        const a = Wd(n.number(t, r));
        return To((a < 0n ? "-" : "") + jd(a < 0n ? -a : a, 10, i), s);
      }
      case "o":
      case "u":
      case "x":
      case "X": {
        const a = BigInt.asUintN(64, Wd(n.number(t, r))),
          l = jd(a, o === "o" ? 8 : o === "u" ? 10 : 16, i),
          c = s.includes("#") ? Db(o, l, a === 0n) : l;
        return o === "X" ? c.toUpperCase() : c;
      }
      case "e":
      case "E": {
        const a = ed(n.number(t, r), i ?? 6),
          l = To(Oi(s) ? a.replace(/^(-?\d)e/, "$1.e") : a, s);
        return o === "E" ? l.toUpperCase() : l;
      }
      case "f": {
        const a = ui(n.number(t, r), i ?? 6);
        return To(Oi(s) ? a.replace(/^(-?\d+)$/, "$1.") : a, s);
      }
      case "g":
      case "G": {
        const a = To(At(n.number(t, r), Math.max(i ?? 6, 1), Oi(s)), s);
        return o === "G" ? a.toUpperCase() : a;
      }
      case "q":
        return Wb(n.string(t, r));
      case "s": {
        const a = n.string(t, r);
        return i === void 0 ? a : a.slice(0, i);
      }
      default:
        return _(e, `invalid option '%${o}' to 'format'`);
    }
  }
  var Wb = (e) => `"${e.replace(/["\\\n\r\0]/g, (n) => (n === "\r" ? "\\r" : n === "\0" ? "\\000" : `\\${n}`))}"`;
  var Te = class extends Error {},
    Co = 37,
    jb = 42,
    Kb = 43,
    zd = 45,
    zb = 63,
    Jb = 46,
    Jd = 91,
    Yb = 93,
    Yd = 94,
    zn = (e) => e >= 48 && e <= 57,
    Ti = (e) => e >= 65 && e <= 90,
    Qd = (e) => e >= 97 && e <= 122,
    Ai = (e) => Ti(e) || Qd(e),
    Qb = (e) => e === 32 || (e >= 9 && e <= 13),
    Zb = (e) => e > 32 && e < 127;
  function Zd(e, n) {
    let t;
    switch (n | 32) {
      case 97:
        t = Ai(e);
        break;
      case 99:
        t = e < 32 || e === 127;
        break;
      case 100:
        t = zn(e);
        break;
      case 108:
        t = Qd(e);
        break;
      case 112:
        t = Zb(e) && !Ai(e) && !zn(e);
        break;
      case 115:
        t = Qb(e);
        break;
      case 117:
        t = Ti(e);
        break;
      case 119:
        t = Ai(e) || zn(e);
        break;
      case 120:
        t = zn(e) || (e >= 65 && e <= 70) || (e >= 97 && e <= 102);
        break;
      case 122:
        t = e === 0;
        break;
      default:
        return n === e;
    }
    return Ti(n) ? !t : t;
  }
  function Xb(e, n) {
    const t = e.charCodeAt(n);
    if (t === Co) {
      if (n + 1 >= e.length) throw new Te("malformed pattern (ends with '%')");
      return n + 2;
    }
    if (t !== Jd) return n + 1;
    let r = n + 1;
    e.charCodeAt(r) === Yd && r++;
    do {
      if (r >= e.length) throw new Te("malformed pattern (missing ']')");
      r += e.charCodeAt(r) === Co && r + 1 < e.length ? 2 : 1;
    } while (e.charCodeAt(r) !== Yb);
    return r + 1;
  }
  function eh(e, n, t, r) {
    let o = t + 1,
      s = e.charCodeAt(o) === Yd;
    for (s && o++; o < r; o++) {
      const i = e.charCodeAt(o);
      if (i === Co) {
        if ((o++, Zd(n, e.charCodeAt(o)))) return !s;
      } else if (e.charCodeAt(o + 1) === zd && o + 2 < r) {
        if (((o += 2), i <= n && n <= e.charCodeAt(o))) return !s;
      } else if (i === n) return !s;
    }
    return s;
  }
  function Xd(e, n) {
    const t = Xb(e, n),
      r = e.charCodeAt(n),
      o = new Uint8Array(256);
    for (let a = 0; a < 256; a++) {
      let l;
      r === Jb
        ? (l = !0)
        : r === Co
          ? (l = Zd(a, e.charCodeAt(n + 1)))
          : r === Jd
            ? (l = eh(e, a, n, t - 1))
            : (l = r === a),
        l && (o[a] = 1);
    }
    const s = e.charCodeAt(t);
    return { end: t, bytes: o, isOne: s !== jb && s !== Kb && s !== zd && s !== zb };
  }
  var Mo = new Map(),
    nh = 500;
  function eu(e) {
    const n = Mo.get(e);
    if (n) return n;
    Mo.size >= nh && Mo.clear();
    const t = [];
    return Mo.set(e, t), t;
  }
  var nu = 37,
    Mi = 40,
    vo = 41,
    th = 42,
    tu = 43,
    rh = 45,
    oh = 63,
    ru = 36,
    sh = 91,
    ih = 94,
    ou = 98,
    su = 102,
    ah = 32,
    lr = -1,
    Ci = -2,
    Pt = class {
      machine;
      text;
      pattern;
      classes;
      level = 0;
      starts = [];
      lengths = [];
      constructor(n, t, r) {
        (this.machine = n), (this.text = t), (this.pattern = r), (this.classes = eu(r));
      }
      firstPlace(n, t) {
        const r = this.needed(t);
        if (!r) return n <= this.text.length ? n : -1;
        for (let o = n; o < this.text.length; o++) if (r[this.text.charCodeAt(o)] === 1) return o;
        return -1;
      }
      matchAt(n, t) {
        this.level = 0;
        const r = this.match(n, t);
        return r === -1 ? void 0 : { start: n, end: r, count: this.level, captures: () => this.captures(n, r) };
      }
      captures(n, t) {
        const { text: r, starts: o, lengths: s, level: i } = this;
        if (i === 0) return [r.slice(n, t)];
        const a = [];
        for (let l = 0; l < i; l++) {
          const c = o[l],
            d = s[l];
          if (d === lr) throw new Te("unfinished capture");
          a.push(d === Ci ? c + 1 : r.slice(c, c + d));
        }
        return a;
      }
      match(n, t) {
        let { pattern: r, text: o } = this,
          s = n,
          i = t;
        for (; i < r.length; ) {
          Ie(this.machine);
          const a = r.charCodeAt(i);
          if (a === Mi) return r.charCodeAt(i + 1) === vo ? this.open(s, i + 2, Ci) : this.open(s, i + 1, lr);
          if (a === vo) return this.close(s, i + 1);
          if (a === ru && i + 1 === r.length) return s === o.length ? s : -1;
          if (a === nu) {
            const f = r.charCodeAt(i + 1);
            if (f === ou) {
              if (((s = this.balanced(s, i + 2)), s === -1)) return -1;
              i += 4;
              continue;
            }
            if (f === su) {
              if (((i += 2), r.charCodeAt(i) !== sh)) throw new Te("missing '[' after '%f' in pattern");
              const { end: m, bytes: p } = this.classAt(i),
                y = s === 0 ? 0 : o.charCodeAt(s - 1),
                g = s < o.length ? o.charCodeAt(s) : 0;
              if (p[y] === 1 || p[g] !== 1) return -1;
              i = m;
              continue;
            }
            if (zn(f)) {
              if (((s = this.back(s, f)), s === -1)) return -1;
              i += 2;
              continue;
            }
          }
          const { end: l, bytes: c } = this.classAt(i),
            d = r.charCodeAt(l);
          if (d === th) return this.longest(s, c, l, 0);
          if (d === tu) return this.longest(s, c, l, 1);
          if (d === rh) return this.shortest(s, c, l);
          const u = s < o.length && c[o.charCodeAt(s)] === 1;
          if (d === oh) {
            const f = u ? this.match(s + 1, l + 1) : -1;
            if (f !== -1) return f;
            i = l + 1;
            continue;
          }
          if (!u) return -1;
          s++, (i = l);
        }
        return s;
      }
      classAt(n) {
        const t = this.classes[n];
        if (t) return t;
        const r = Xd(this.pattern, n);
        return (this.classes[n] = r), r;
      }
      needed(n) {
        let { pattern: t } = this,
          r = n;
        for (; t.charCodeAt(r) === vo || (t.charCodeAt(r) === Mi && t.charCodeAt(r + 1) !== vo); ) r++;
        const o = t.charCodeAt(r);
        if (r >= t.length || o === Mi || o === ru) return;
        const s = t.charCodeAt(r + 1);
        if (o === nu && (s === ou || s === su || zn(s) || r + 1 >= t.length)) return;
        const { bytes: i, isOne: a, end: l } = this.classAt(r);
        return a || t.charCodeAt(l) === tu ? i : void 0;
      }
      longest(n, t, r, o) {
        let { text: s } = this,
          i = 0;
        for (; n + i < s.length && t[s.charCodeAt(n + i)] === 1; ) i++;
        if ((Ie(this.machine, i), i < o)) return -1;
        const a = this.needed(r + 1);
        for (; i >= o; i--) {
          if (a && a[s.charCodeAt(n + i)] !== 1) continue;
          const l = this.match(n + i, r + 1);
          if (l !== -1) return l;
        }
        return -1;
      }
      shortest(n, t, r) {
        const { text: o } = this,
          s = this.needed(r + 1);
        for (let i = n; ; i++) {
          if (s && s[o.charCodeAt(i)] !== 1) Ie(this.machine);
          else {
            const a = this.match(i, r + 1);
            if (a !== -1) return a;
          }
          if (i >= o.length || t[o.charCodeAt(i)] !== 1) return -1;
        }
      }
      open(n, t, r) {
        if (this.level >= ah) throw new Te("too many captures");
        (this.starts[this.level] = n), (this.lengths[this.level] = r), this.level++;
        const o = this.match(n, t);
        return o === -1 && this.level--, o;
      }
      close(n, t) {
        let r = this.level - 1;
        for (; r >= 0 && this.lengths[r] !== lr; ) r--;
        if (r < 0) throw new Te("invalid pattern capture");
        this.lengths[r] = n - this.starts[r];
        const o = this.match(n, t);
        return o === -1 && (this.lengths[r] = lr), o;
      }
      balanced(n, t) {
        const { pattern: r, text: o } = this;
        if (t + 1 >= r.length) throw new Te("unbalanced pattern");
        if (n >= o.length || o.charCodeAt(n) !== r.charCodeAt(t)) return -1;
        let [s, i] = [r.charCodeAt(t), r.charCodeAt(t + 1)],
          a = 1;
        for (let l = n + 1; l < o.length; l++) {
          Ie(this.machine);
          const c = o.charCodeAt(l);
          if (c === i) {
            if (--a === 0) return l + 1;
          } else c === s && a++;
        }
        return -1;
      }
      back(n, t) {
        const r = t - 49,
          o = this.lengths[r];
        if (r < 0 || r >= this.level || o === void 0 || o === lr) throw new Te("invalid capture index");
        if (o === Ci) return -1;
        const s = this.starts[r],
          i = this.text.slice(s, s + o);
        return Ie(this.machine, o), this.text.startsWith(i, n) ? n + i.length : -1;
      }
    };
  function iu(e, n, t, r) {
    const o = new Pt(e, n, t);
    if (t.charCodeAt(0) === ih) return o.matchAt(r, 1);
    for (let s = o.firstPlace(r, 0); s !== -1; s = o.firstPlace(s + 1, 0)) {
      const i = o.matchAt(s, 0);
      if (i) return i;
    }
  }
  var cr = (e, n) => (n >= 0 ? n : Math.max(e.length + n + 1, 0)),
    lh = /[\^$*+?.([%-]/;
  function vi(e, n) {
    try {
      return n();
    } catch (t) {
      throw (t instanceof Te && _(e, t.message), t);
    }
  }
  function au(e, n, t, r) {
    const o = n.string(t, 0),
      s = n.string(t, 1),
      i = Math.min(Math.max(cr(o, n.integer(t, 2, 1)) - 1, 0), o.length);
    if (r && (!lh.test(s) || (t[3] !== void 0 && t[3] !== !1))) {
      const a = o.indexOf(s, i);
      return a === -1 ? void 0 : [a + 1, a + s.length];
    }
    return vi(e, () => {
      const a = iu(e, o, s, i);
      if (!a) return;
      const l = a.captures();
      return r ? [a.start + 1, a.end, ...(a.count > 0 ? l : [])] : l;
    });
  }
  function ch(e, n) {
    return (t) => {
      let r = n.string(t, 0),
        o = new Pt(e, r, n.string(t, 1)),
        s = 0;
      return () =>
        vi(e, () => {
          for (let i = o.firstPlace(s, 0); i !== -1; i = o.firstPlace(i + 1, 0)) {
            const a = o.matchAt(i, 0);
            if (a) return (s = a.end === i ? i + 1 : a.end), a.captures();
          }
          s = r.length + 1;
        });
    };
  }
  function dh(e, n, t, r) {
    let o = r.slice(t.start, t.end),
      s;
    if (n instanceof v) s = n.get(t.captures()[0]);
    else if (typeof n == "function") s = re(K({ machine: e, line: e.line }, n, t.captures()));
    else
      return (typeof n == "number" ? $e(n) : n).replace(/%([\s\S]?)/g, (a, l) => {
        if (l < "0" || l > "9" || l === "") return l;
        if (l === "0") return o;
        const c = Number(l) - 1,
          d = t.captures();
        c >= d.length && _(e, "invalid capture index");
        const u = d[c];
        return typeof u == "number" ? $e(u) : u;
      });
    return s === void 0 || s === !1
      ? o
      : typeof s == "string"
        ? s
        : typeof s == "number"
          ? $e(s)
          : _(e, `invalid replacement value (a ${ue(s)})`);
  }
  function uh(e, n) {
    return (t) => {
      const r = n.string(t, 0),
        o = n.string(t, 1),
        s = t[2],
        i = n.integer(t, 3, r.length + 1);
      return (
        !["string", "number", "function"].includes(typeof s) &&
          !(s instanceof v) &&
          n.fail(2, "string/function/table expected"),
        vi(e, () => {
          let a = new Pt(e, r, o),
            l = o.startsWith("^"),
            c = "",
            d = 0,
            u = 0;
          for (; u < i; ) {
            const f = a.matchAt(d, l ? 1 : 0);
            if ((f && (u++, (c += dh(e, s, f, r))), f && f.end > d)) d = f.end;
            else if (d < r.length) c += r[d++];
            else break;
            if (l) break;
          }
          return [c + r.slice(d), u];
        })
      );
    };
  }
  function lu(e) {
    return ke(e, {
      len: (n) => (t) => n.string(t, 0).length,
      sub: (n) => (t) => {
        const r = n.string(t, 0),
          o = cr(r, n.integer(t, 1)),
          s = cr(r, n.integer(t, 2, -1));
        return r.slice(Math.max(o, 1) - 1, Math.max(Math.min(s, r.length), 0));
      },
      reverse: (n) => (t) => [...n.string(t, 0)].reverse().join(""),
      lower: (n) => (t) => n.string(t, 0).replace(/[A-Z]+/g, (r) => r.toLowerCase()),
      upper: (n) => (t) => n.string(t, 0).replace(/[a-z]+/g, (r) => r.toUpperCase()),
      rep: (n) => (t) => n.string(t, 0).repeat(Math.max(n.integer(t, 1), 0)),
      byte: (n) => (t) => {
        const r = n.string(t, 0),
          o = cr(r, n.integer(t, 1, 1)),
          s = Math.min(cr(r, n.integer(t, 2, o)), r.length),
          i = [];
        for (let a = Math.max(o, 1); a <= s; a++) i.push(r.charCodeAt(a - 1));
        return i.length > 0 ? i : te;
      },
      char: (n) => (t) =>
        t
          .map((r, o) => {
            const s = n.integer(t, o);
            return s >= 0 && s <= 255 ? String.fromCharCode(s) : n.fail(o, "invalid value");
          })
          .join(""),
      format: (n) => (t) => Kd(e, n, t),
      find: (n) => (t) => au(e, n, t, !0),
      match: (n) => (t) => au(e, n, t, !1),
      gmatch: (n) => ch(e, n),
      gsub: (n) => uh(e, n),
    });
  }
  var fh = (e) => {
    const n = [];
    for (let t = e.next(void 0); t; t = e.next(t[0])) typeof t[0] == "number" && n.push([t[0], t[1]]);
    return n;
  };
  function mh(e, n) {
    return (t) => {
      const r = n.table(t, 0);
      if (r.readonly) throw new ie("Attempt to modify a readonly table", e.line);
      let o = r.length() + 1;
      if (t.length === 2) return r.set(o, t[1]), te;
      t.length !== 3 && _(e, "wrong number of arguments to 'insert'");
      const s = n.integer(t, 1);
      for (s > o && (o = s); o > s; o--) r.set(o, r.get(o - 1));
      return r.set(s, t[2]), te;
    };
  }
  function ph(e) {
    return (n) => {
      let t = e.table(n, 0),
        r = t.length(),
        o = e.integer(n, 1, r);
      if (!(o >= 1 && o <= r)) return te;
      const s = t.get(o);
      for (; o < r; o++) t.set(o, t.get(o + 1));
      return t.set(r, void 0), s;
    };
  }
  function yh(e, n) {
    return (t) => {
      const r = n.table(t, 0),
        o = n.string(t, 1, ""),
        s = n.integer(t, 2, 1),
        i = t[3] === void 0 ? r.length() : n.integer(t, 3),
        a = [];
      for (let l = s; l <= i; l++) {
        const c = r.get(l);
        typeof c == "string"
          ? a.push(c)
          : typeof c == "number"
            ? a.push($e(c))
            : _(e, `invalid value (${ue(c)}) at index ${l} in table for 'concat'`);
      }
      return a.join(o);
    };
  }
  function Lo(e, n, t) {
    const r = e.get(n);
    e.set(n, e.get(t)), e.set(t, r);
  }
  function cu({ table: e, less: n }, t, r) {
    const [o, s] = [e.get(t), e.get(r)];
    n(s, o) && (e.set(t, s), e.set(r, o));
  }
  function gh({ table: e, less: n, inconsistent: t }, r, o, s) {
    let i = o,
      a = s - 1;
    for (;;) {
      for (i++; n(e.get(i), r); ) i > s && t(), i++;
      for (a--; n(r, e.get(a)); ) a < o && t(), a--;
      if (a < i) break;
      Lo(e, i, a);
    }
    return Lo(e, s - 1, i), i;
  }
  function Li(e, n, t) {
    let { table: r, less: o } = e,
      s = n,
      i = t;
    for (; s < i && (cu(e, s, i), i - s !== 1); ) {
      const a = Math.floor((s + i) / 2);
      if ((o(r.get(a), r.get(s)) ? Lo(r, a, s) : cu(e, a, i), i - s === 2)) break;
      const l = r.get(a);
      Lo(r, a, i - 1);
      const c = gh(e, l, s, i);
      c - s < i - c ? (Li(e, s, c - 1), (s = c + 1)) : (Li(e, c + 1, i), (i = c - 1));
    }
  }
  function bh(e, n) {
    return (t) => {
      const r = n.table(t, 0),
        o = t[1];
      o !== void 0 && typeof o != "function" && n.fail(1, `function expected, got ${ue(o)}`);
      const s = { machine: e, line: 0 },
        { line: i } = e;
      return (
        Li(
          {
            table: r,
            less: (c, d) => {
              if (o === void 0) return Kn(s, c, d, !1);
              const u = re(K(s, o, [c, d]));
              return (e.line = i), fe(u);
            },
            inconsistent: () => _(e, "invalid order function for sorting"),
          },
          1,
          r.length(),
        ),
        te
      );
    };
  }
  function du(e) {
    return ke(e, {
      insert: (n) => mh(e, n),
      remove: (n) => ph(n),
      concat: (n) => yh(e, n),
      sort: (n) => bh(e, n),
      getn: (n) => (t) => n.table(t, 0).length(),
      maxn: (n) => (t) => Math.max(0, ...fh(n.table(t, 0)).map(([r]) => r)),
      foreach: (n) => (t) => {
        const r = n.table(t, 0);
        for (let o = r.next(void 0); o; o = r.next(o[0])) {
          const s = re(K({ machine: e, line: e.line }, t[1], [...o]));
          if (s !== void 0) return s;
        }
        return te;
      },
      foreachi: (n) => (t) => {
        const r = n.table(t, 0);
        for (let o = 1; o <= r.length(); o++) {
          const s = re(K({ machine: e, line: e.line }, t[1], [o, r.get(o)]));
          if (s !== void 0) return s;
        }
        return te;
      },
    });
  }
  function fu(e) {
    const n = new v(),
      t = { line: 0, lines: [], depth: 0, steps: fi, isMethod: !1, globals: n, strings: new v() },
      r = {
        machine: t,
        load: (i) => Ld(Bd(i), t),
        run(i) {
          (t.depth = 0), (t.line = 0), (t.steps = fi), o.reset();
          try {
            return re(i([]));
          } catch (a) {
            throw xi(a, t);
          }
        },
      },
      o = Fd(t);
    uu(lu(t), t.strings), uu(gd(t, r.load), n);
    const s = { string: t.strings, table: du(t), math: o.table, bit: bd(t), cjson: _d(t), ...e(t) };
    for (const [i, a] of Object.entries(s)) (a.readonly = !0), n.set(i, a);
    return n.set("_G", n), n.set("_VERSION", "Lua 5.1"), (n.readonly = !0), r;
  }
  function uu(e, n) {
    for (let t = e.next(void 0); t; t = e.next(t[0])) n.set(t[0], t[1]);
  }
  function Nt(e, n) {
    const t = new v();
    return t.set(e, n), t;
  }
  function Pi(e) {
    return e === null
      ? !1
      : e instanceof Ae
        ? Nt("ok", e.text)
        : e instanceof Q
          ? Nt("err", e.message)
          : typeof e == "bigint"
            ? Number(e)
            : typeof e == "object"
              ? v.of(e.map(Pi))
              : e;
  }
  var dr = (e) => e.replace(/[\r\n]+/g, " ");
  function hh(e) {
    const n = Math.trunc(e);
    return Number.isSafeInteger(n)
      ? n === 0
        ? 0
        : n
      : Number.isFinite(n) && Math.abs(n) < 2 ** 63
        ? BigInt(n)
        : -(2n ** 63n);
  }
  function Ni(e) {
    switch (typeof e) {
      case "string":
        return e;
      case "number":
        return hh(e);
      case "boolean":
        return e ? 1 : null;
      case "object": {
        const n = e.get("err");
        if (typeof n == "string") return new Q(dr(n));
        const t = e.get("ok");
        if (typeof t == "string") return new Ae(dr(t));
        const r = [];
        for (let o = 1; ; o++) {
          const s = e.get(o);
          if (s === void 0) return r;
          r.push(Ni(s));
        }
      }
      default:
        return null;
    }
  }
  var $i = (e, n) => (e << n) | (e >>> (32 - n));
  function wh(e) {
    const n = e.length,
      t = new Uint32Array(((n + 8) >> 6) * 16 + 16);
    for (let r = 0; r < n; r++) t[r >> 2] = t[r >> 2] | (e.charCodeAt(r) << (24 - (r % 4) * 8));
    return (
      (t[n >> 2] = t[n >> 2] | (128 << (24 - (n % 4) * 8))),
      (t[t.length - 2] = Math.floor(n / 2 ** 29)),
      (t[t.length - 1] = n << 3),
      t
    );
  }
  function xh(e, n, t) {
    for (let r = 0; r < 16; r++) e[r] = n[t + r];
    for (let r = 16; r < 80; r++) {
      const o = e[r - 3] ^ e[r - 8] ^ e[r - 14] ^ e[r - 16];
      e[r] = $i(o, 1);
    }
  }
  function kh(e, n, t, r) {
    return e < 20
      ? ((n & t) | (~n & r)) + 1518500249
      : e < 40
        ? (n ^ t ^ r) + 1859775393
        : e < 60
          ? ((n & t) | (n & r) | (t & r)) + 2400959708
          : (n ^ t ^ r) + 3395469782;
  }
  function Rh(e, n) {
    let t = e[0],
      r = e[1],
      o = e[2],
      s = e[3],
      i = e[4];
    for (let a = 0; a < 80; a++) {
      const l = ($i(t, 5) + kh(a, r, o, s) + i + n[a]) | 0;
      (i = s), (s = o), (o = $i(r, 30)), (r = t), (t = l);
    }
    (e[0] = e[0] + t), (e[1] = e[1] + r), (e[2] = e[2] + o), (e[3] = e[3] + s), (e[4] = e[4] + i);
  }
  function Jn(e) {
    const n = wh(e),
      t = Int32Array.of(1732584193, 4023233417, 2562383102, 271733878, 3285377520),
      r = new Int32Array(80);
    for (let o = 0; o < n.length; o += 16) xh(r, n, o), Rh(t, r);
    return Array.from(t, (o) => (o >>> 0).toString(16).padStart(8, "0")).join("");
  }
  var Po = [],
    Yn = ({ keys: e }, n) => e.get(n, "zset");
  function Sh(e) {
    let n = { nx: !1, xx: !1, gt: !1, lt: !1, ch: !1, incr: !1 },
      t = 1;
    for (; t < e.length; t++) {
      const o = x(e, t).toLowerCase();
      if (!(o in n)) break;
      n[o] = !0;
    }
    const r = e.length - t;
    return (
      (r % 2 === 1 || r === 0) && oe(),
      n.nx && n.xx && R("ERR XX and NX options at the same time are not compatible"),
      ((n.gt && n.nx) || (n.lt && n.nx) || (n.gt && n.lt)) &&
        R("ERR GT, LT, and/or NX options at the same time are not compatible"),
      n.incr && r > 2 && R("ERR INCR option supports a single increment-element pair"),
      [n, t]
    );
  }
  function Eh(e, { nx: n, xx: t, gt: r, lt: o, incr: s }, i, a) {
    const l = e.score(a);
    if (l === void 0) return t ? void 0 : (e.set(a, i + 0), { score: i, added: !0, changed: !0 });
    if (n) return;
    const c = s ? l + i : i;
    if ((Number.isNaN(c) && R("ERR resulting score is not a number (NaN)"), !((o && c >= l) || (r && c <= l))))
      return c !== l && e.set(a, c + 0), { score: c, added: !1, changed: c !== l };
  }
  function mu({ keys: e }, n) {
    const [t, r] = Sh(n),
      o = [];
    for (let d = r; d < n.length; d += 2) o.push(Rn(x(n, d)));
    const s = x(n, 0);
    if (t.xx && !e.get(s, "zset")) return t.incr ? null : 0;
    let i = e.open(s, "zset"),
      a = 0,
      l = 0,
      c;
    try {
      o.forEach((d, u) => {
        const f = Eh(i, t, d, x(n, r + 2 * u + 1));
        (c = f?.score), f?.added && a++, f?.changed && l++;
      });
    } finally {
      e.tidy(s);
    }
    return t.incr ? (c === void 0 ? null : ur(c)) : t.ch ? l : a;
  }
  function ur(e) {
    if (Number.isInteger(e) && Math.abs(e) < 1e17) return Object.is(e, -0) ? "-0" : String(e);
    if (!Number.isFinite(e)) return e > 0 ? "inf" : "-inf";
    const [n = "", t = ""] = e.toExponential(16).split("e"),
      r = Number(t),
      o = (s) => (s.includes(".") ? s.replace(/\.?0+$/, "") : s);
    if (r >= -4 && r < 17) {
      const s = e < 0 ? "-" : "",
        i = n.replace(/[-.]/g, ""),
        a = r < 0 ? "0" : i.slice(0, r + 1),
        l = r < 0 ? "0".repeat(-r - 1) + i : i.slice(r + 1);
      return o(`${s}${a}.${l}`);
    }
    return `${o(n)}e${r < 0 ? "-" : "+"}${String(Math.abs(r)).padStart(2, "0")}`;
  }
  var qi = (e, n) => e.flatMap(({ member: t, score: r }) => (n ? [t, ur(r)] : [t]));
  function pu(e) {
    const n = e.startsWith("("),
      t = nr((n ? e.slice(1) : e) || "0");
    return t === void 0 ? R("ERR min or max is not a float") : [t, n];
  }
  function _i(e, n) {
    const [t, r] = pu(e),
      [o, s] = pu(n);
    return (i) => [i.below(t, r), i.below(o, !s)];
  }
  function yu(e) {
    if (e === "-") return () => 1;
    if (e === "+") return () => -1;
    const n = e.slice(1);
    if (!/^[([]/.test(e)) return R("ERR min or max not valid string range item");
    const t = e.startsWith("(");
    return (r) => (r < n ? -1 : r > n ? 1 : t ? Number.NaN : 0);
  }
  function Fi(e, n) {
    const t = yu(e),
      r = yu(n);
    return ({ all: o }) => {
      const s = o.findIndex(({ member: a }) => t(a) >= 0);
      if (s === -1) return [0, 0];
      let i = s;
      for (; i < o.length && r(o[i].member) <= 0; ) i++;
      return [s, i];
    };
  }
  var xu = (e, n) => {
    const [t, r] = [I(e), I(n)];
    return ({ size: o }) => go(o, t, r);
  };
  function Oh(e, n) {
    const t = { by: "rank", reverse: !1, withScores: !1, ...n },
      r = n.by === void 0;
    for (let o = 3; o < e.length; o++) {
      const s = x(e, o).toUpperCase();
      s === "WITHSCORES"
        ? (t.withScores = !0)
        : s === "LIMIT" && o + 2 < e.length
          ? (t.limit = [I(x(e, ++o)), I(x(e, ++o))])
          : r && s === "REV"
            ? (t.reverse = !0)
            : r && s === "BYSCORE"
              ? (t.by = "score")
              : r && s === "BYLEX"
                ? (t.by = "lex")
                : oe();
    }
    return (
      t.limit &&
        t.by === "rank" &&
        R("ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX"),
      t.withScores && t.by === "lex" && R("ERR syntax error, WITHSCORES not supported in combination with BYLEX"),
      t
    );
  }
  function Ah(e, { by: n, reverse: t, limit: r }) {
    const [o, s] = [x(e, 1), x(e, 2)],
      i = n === "score" ? _i : Fi,
      a = n === "rank" ? xu(o, s) : t ? i(s, o) : i(o, s);
    return (l) => {
      let [c, d] = a(l);
      t && n === "rank" && ([c, d] = [l.size - d, l.size - c]);
      const u = Math.max(d - c, 0),
        [f, m] = r ?? [0, -1];
      if (f < 0 || u === 0) return Po;
      const p = m < 0 ? u - f : Math.min(m, u - f);
      return p <= 0 ? Po : t ? l.all.slice(d - f - p, d - f).reverse() : l.all.slice(c + f, c + f + p);
    };
  }
  var $t = (e) => (n, t) => {
      const r = Oh(t, e),
        o = Ah(t, r),
        s = Yn(n, x(t, 0));
      return s ? qi(o(s), r.withScores) : [];
    },
    Ii =
      (e) =>
      ({ keys: n }, t) => {
        const r = e(x(t, 1), x(t, 2)),
          o = n.get(x(t, 0), "zset");
        if (!o) return 0;
        const s = o.all.slice(...r(o));
        for (const { member: i } of s) o.delete(i);
        return n.tidy(x(t, 0)), s.length;
      },
    gu = (e) => (n, t) => {
      const r = e(x(t, 1), x(t, 2)),
        o = Yn(n, x(t, 0));
      if (!o) return 0;
      const [s, i] = r(o);
      return Math.max(i - s, 0);
    },
    bu =
      (e) =>
      (n, [t = "", r = ""]) => {
        const o = Yn(n, t),
          s = o?.rank(r) ?? -1;
        return !o || s === -1 ? null : e ? o.size - 1 - s : s;
      },
    hu =
      (e) =>
      ({ keys: n }, t) => {
        if (t.length > 2) return oe();
        const [r = "", o] = t,
          s = o === void 0 ? 1 : I(o, "ERR value is out of range, must be positive");
        s < 0 && R("ERR value is out of range, must be positive");
        const i = n.get(r, "zset");
        if (!i) return [];
        const a = e ? (s === 0 ? Po : i.all.slice(-s).reverse()) : i.all.slice(0, s);
        for (const { member: l } of a) i.delete(l);
        return n.tidy(r), qi(a, !0);
      },
    wu = (e, n) => {
      const t = e?.score(n);
      return t === void 0 ? null : ur(t);
    },
    ku = {
      zadd: [-4, "wm", mu],
      zincrby: [4, "wm", (e, [n = "", t = "", r = ""]) => mu(e, [n, "INCR", t, r])],
      zrem: [
        -3,
        "w",
        ({ keys: e }, [n = "", ...t]) => {
          const r = e.get(n, "zset"),
            o = t.filter((s) => r?.delete(s)).length;
          return e.tidy(n), o;
        },
      ],
      zscore: [3, "", (e, [n = "", t = ""]) => wu(Yn(e, n), t)],
      zmscore: [
        -3,
        "",
        (e, [n = "", ...t]) => {
          const r = Yn(e, n);
          return t.map((o) => wu(r, o));
        },
      ],
      zcard: [2, "", (e, [n = ""]) => Yn(e, n)?.size ?? 0],
      zcount: [4, "", gu(_i)],
      zlexcount: [4, "", gu(Fi)],
      zrank: [3, "", bu(!1)],
      zrevrank: [3, "", bu(!0)],
      zrange: [-4, "", $t({})],
      zrevrange: [-4, "", $t({ by: "rank", reverse: !0 })],
      zrangebyscore: [-4, "", $t({ by: "score" })],
      zrevrangebyscore: [-4, "", $t({ by: "score", reverse: !0 })],
      zrangebylex: [-4, "", $t({ by: "lex" })],
      zrevrangebylex: [-4, "", $t({ by: "lex", reverse: !0 })],
      zremrangebyscore: [4, "w", Ii(_i)],
      zremrangebyrank: [4, "w", Ii(xu)],
      zremrangebylex: [4, "w", Ii(Fi)],
      zpopmin: [-2, "w", hu(!1)],
      zpopmax: [-2, "w", hu(!0)],
      zscan: [
        -3,
        "",
        (e, n) => {
          Wn(x(n, 1));
          const { fits: t } = Bn(n.slice(2)),
            r = Yn(e, x(n, 0))?.all ?? Po;
          return [
            "0",
            qi(
              r.filter(({ member: o }) => t(o)),
              !0,
            ),
          ];
        },
      ],
    };
  var Th = {
    LOG_DEBUG: 0,
    LOG_VERBOSE: 1,
    LOG_NOTICE: 2,
    LOG_WARNING: 3,
    REPL_ALL: 3,
    REPL_AOF: 1,
    REPL_NONE: 0,
    REPL_REPLICA: 2,
    REPL_SLAVE: 2,
    REDIS_VERSION: "7.0.15",
    REDIS_VERSION_NUM: 458767,
  };
  function Mh(e) {
    if (e.length === 0) return "ERR Please specify at least one argument for this redis lib call";
    const n = [];
    for (const t of e)
      if (typeof t == "string") n.push(t);
      else if (typeof t == "number") n.push(Number.isNaN(t) ? "-nan" : ur(t));
      else return "ERR Lua redis lib command arguments must be strings or integers";
    return n;
  }
  function Ch({ line: e }, n) {
    throw new ie(n, e);
  }
  var vh = (e) => {
    const n = e.replace(/^-/, "");
    return n.includes(" ") ? n : `ERR ${n}`;
  };
  function Ru(e, n) {
    const t = (s) => {
        const i = Mh(s);
        return typeof i == "string" ? Nt("err", i) : Pi(n(i));
      },
      r = (s, i) => () => (a) => {
        const [l] = a;
        return a.length !== 1 || typeof l != "string"
          ? Nt("err", "ERR wrong number or type of arguments")
          : Nt(s, i(l));
      },
      o = ke(e, {
        pcall: () => t,
        call: () => (s) => {
          const i = t(s);
          if (i instanceof v && i.get("err") !== void 0) throw new ie(i, e.line);
          return i;
        },
        error_reply: r("err", vh),
        status_reply: r("ok", (s) => s),
        sha1hex: (s) => (i) => (i.length === 1 ? Jn(s.string(i, 0)) : Ch(e, "wrong number of arguments")),
        log: () => () => te,
        setresp: (s) => (i) => (s.number(i, 0) === 2 ? te : _(e, "RESP version must be 2 or 3.")),
        replicate_commands: () => () => !0,
        set_repl: () => () => te,
        breakpoint: () => () => !1,
        debug: () => () => te,
      });
    for (const [s, i] of Object.entries(Th)) o.set(s, i);
    return o;
  }
  var Su = "NOSCRIPT No matching script. Please use EVAL.",
    Lh = 40,
    Eu = "allow-key-locking",
    Ph = new Set(["no-writes", "allow-oom", "allow-stale", "no-cluster", "allow-cross-slot-keys"]);
  function Nh(e, n) {
    if (!e.startsWith("#!")) return { body: e, flags: void 0 };
    const t = e.indexOf(`
`);
    t === -1 && R("ERR Invalid script shebang");
    const [r = "", ...o] = e
      .slice(0, t)
      .split(" ")
      .filter((a) => a !== "");
    r !== "#!lua" && R(`ERR Unexpected engine in script shebang: ${r}`);
    const s = new Set();
    for (const a of o) {
      a.startsWith("flags=") || R(`ERR Unknown lua shebang option: ${a}`);
      for (const l of a
        .slice(6)
        .split(",")
        .filter((c) => c !== ""))
        !Ph.has(l) && !(n === "upstash" && l === Eu) && R(`ERR Unexpected flag in script shebang: ${l}`), s.add(l);
    }
    const i = s.delete(Eu) && s.size === 0;
    return { body: e.slice(t), flags: i ? void 0 : s };
  }
  function $h(e, { value: n, line: t }, r) {
    const o = n instanceof v ? n.get("err") : `ERR ${wi(e, n)}`,
      s = typeof o == "string" ? o : "ERR unknown error";
    return new Q(dr(`${s} script: ${r}, on @user_script:${t}.`));
  }
  function Ih([e = "", ...n], t) {
    const r = (o) => R(`ERR wrong number of arguments for 'script|${o}' command`);
    switch (e.toUpperCase()) {
      case "LOAD":
        return n.length === 1 ? t.load(n[0]).sha : r("load");
      case "EXISTS":
        return n.length > 0 ? n.map((o) => +(t.find(o) !== void 0)) : r("exists");
      case "FLUSH":
        return (
          (n.length > 1 || (n[0] !== void 0 && !/^a?sync$/i.test(n[0]))) &&
            R("ERR SCRIPT FLUSH only support SYNC|ASYNC option"),
          t.flush(),
          pe
        );
      default:
        return R(`ERR unknown subcommand '${e.split("\0", 1)[0].slice(0, 128)}'. Try SCRIPT HELP.`);
    }
  }
  function Ou(e) {
    let n = new Map(),
      t,
      r = fu((o) => ({ redis: Ru(o, (s) => (t ?? R("ERR no script is running"))(s)) }));
    return {
      load(o) {
        const s = Jn(o),
          i = n.get(s);
        if (i) return i;
        const { body: a, flags: l } = Nh(o, e);
        try {
          const c = { sha: s, run: r.load(a), flags: l };
          return n.set(s, c), c;
        } catch (c) {
          throw (c instanceof jn && R(`ERR Error compiling script (new function): ${dr(c.message)}`), c);
        }
      },
      find: (o) => n.get(o.toLowerCase()),
      flush: () => n.clear(),
      run(o, s, i, a, l) {
        const { globals: c } = r.machine;
        c.set("KEYS", v.of([...s])), c.set("ARGV", v.of([...i])), (t = (d) => a(d, l));
        try {
          return Ni(r.run(o.run));
        } catch (d) {
          if (d instanceof ie) return $h(r.machine, d, o.sha);
          if (d instanceof or) return new Q(`ERR ${d.message} script: ${o.sha}`);
          throw d;
        } finally {
          t = void 0;
        }
      },
    };
  }
  function Au(e, n, t) {
    return {
      eval(r, o, s) {
        const [i = "", a = "", ...l] = r;
        o && i.length !== Lh && R(Su);
        const c = I(a);
        c > l.length && R("ERR Number of keys can't be greater than number of args"),
          c < 0 && R("ERR Number of keys can't be negative");
        const d = o ? e.find(i) : e.load(i);
        if (!d) return R(Su);
        const { flags: u } = d,
          f = u && t(u);
        f && R(f);
        const m = { isReadOnly: s || u?.has("no-writes") === !0, allowsFullMemory: u !== void 0, wrote: !1 };
        return e.run(d, l.slice(0, c), l.slice(c), n, m);
      },
      manage: (r) => Ih(r, e),
    };
  }
  var An = ({ keys: e }, n) => e.get(n, "set") ?? new Set();
  function vu({ keys: e }, [n = "", ...t]) {
    const r = e.open(n, "set"),
      o = r.size;
    for (const s of t) r.add(s);
    return r.size - o;
  }
  function _h({ keys: e }, [n = "", ...t]) {
    const r = e.get(n, "set"),
      o = t.filter((s) => r?.delete(s)).length;
    return e.tidy(n), o;
  }
  var No = (e, n) => e[Math.floor(n() * e.length)];
  function Fh(e, n) {
    if (n.length > 2) return oe();
    const [t = "", r] = n,
      o = r === void 0 ? 1 : I(r, "ERR value is out of range, must be positive");
    o < 0 && R("ERR value is out of range, must be positive");
    const s = e.keys.get(t, "set"),
      i = [];
    for (; s && s.size > 0 && i.length < o; ) {
      const a = No([...s], e.random);
      s.delete(a), i.push(a);
    }
    return e.keys.tidy(t), r === void 0 ? (i[0] ?? null) : i;
  }
  function qh(e, n) {
    if (n.length > 2) return oe();
    const [t = "", r] = n,
      o = r === void 0 ? void 0 : I(r),
      s = [...An(e, t)];
    if (o === void 0) return No(s, e.random) ?? null;
    if (o < 0) return s.length === 0 ? [] : Array.from({ length: -o }, () => No(s, e.random));
    const i = new Set(s),
      a = [];
    for (; i.size > 0 && a.length < o; ) {
      const l = No([...i], e.random);
      i.delete(l), a.push(l);
    }
    return a;
  }
  function Vh(e, [n = "", t = "", r = ""]) {
    const o = e.keys.get(n, "set");
    return o
      ? (e.keys.get(t, "set"),
        n === t ? Number(o.has(r)) : o.delete(r) ? (e.keys.tidy(n), e.keys.open(t, "set").add(r), 1) : 0)
      : 0;
  }
  var Tu = ([e = new Set(), ...n]) => [...e].filter((t) => n.every((r) => r.has(t))),
    Mu = (e) => [...new Set(e.flatMap((n) => [...n]))],
    Cu = ([e = new Set(), ...n]) => [...e].filter((t) => !n.some((r) => r.has(t))),
    Vi = (e) => (n, t) => e(t.map((r) => An(n, r))),
    Hi =
      (e) =>
      (n, [t = "", ...r]) => {
        const o = e(r.map((s) => An(n, s)));
        return n.keys.delete(t), o.length === 0 ? 0 : vu(n, [t, ...o]);
      },
    Lu = {
      sadd: [-3, "wm", vu],
      srem: [-3, "w", _h],
      smembers: [2, "", (e, [n = ""]) => [...An(e, n)]],
      sismember: [3, "", (e, [n = "", t = ""]) => Number(An(e, n).has(t))],
      smismember: [
        -3,
        "",
        (e, [n = "", ...t]) => {
          const r = An(e, n);
          return t.map((o) => Number(r.has(o)));
        },
      ],
      scard: [2, "", (e, [n = ""]) => An(e, n).size],
      spop: [-2, "w", Fh],
      srandmember: [-2, "", qh],
      smove: [4, "w", Vh],
      sinter: [-2, "", Vi(Tu)],
      sunion: [-2, "", Vi(Mu)],
      sdiff: [-2, "", Vi(Cu)],
      sinterstore: [-3, "wm", Hi(Tu)],
      sunionstore: [-3, "wm", Hi(Mu)],
      sdiffstore: [-3, "wm", Hi(Cu)],
      sscan: [
        -3,
        "",
        (e, n) => {
          Wn(x(n, 1));
          const { fits: t } = Bn(n.slice(2));
          return ["0", [...An(e, x(n, 0))].filter(t)];
        },
      ],
    };
  var Hh = 512 * 1024 * 1024;
  function Gh(e, n) {
    let t = {},
      r;
    for (let o = 2; o < e.length; o++) {
      const s = x(e, o).toUpperCase(),
        i = t.expiry !== void 0 || (r !== void 0 && r[0] !== s);
      (s === "NX" || s === "XX") && (t.only ?? s) === s
        ? (t.only = s)
        : s === "GET"
          ? (t.get = !0)
          : s === "KEEPTTL" && r === void 0
            ? (t.expiry = "keep")
            : /^(EX|PX)(AT)?$/.test(s) && !i && o + 1 < e.length
              ? (r = [s, x(e, ++o)])
              : oe();
    }
    return r && (t.expiry = fo(...r, n, "set")), t;
  }
  function Gi({ keys: e }, n, t, r) {
    e.setString(n, t, r), typeof r == "number" && r <= e.at && e.delete(n);
  }
  function Pu(e, n) {
    const { keys: t } = e,
      [r, o] = [x(n, 0), x(n, 1)],
      { only: s, get: i, expiry: a } = n.length === 2 ? {} : Gh(n, t.at),
      l = i ? (t.get(r, "string") ?? null) : null;
    return s && t.has(r) !== (s === "XX") ? l : (Gi(e, r, o, a), i ? l : pe);
  }
  function Uh({ keys: e }, n) {
    let t = x(n, 0),
      r,
      o = !1,
      s;
    for (let a = 1; a < n.length; a++) {
      const l = x(n, a).toUpperCase();
      l === "PERSIST" && !s
        ? (o = !0)
        : /^(EX|PX)(AT)?$/.test(l) && !o && (s?.[0] ?? l) === l && a + 1 < n.length
          ? (s = [l, x(n, ++a)])
          : oe();
    }
    const i = e.get(t, "string");
    return i === void 0
      ? null
      : (s && (r = fo(...s, e.at, "getex")),
        o ? e.expire(t, void 0) : r !== void 0 && e.expire(t, r),
        r !== void 0 && r <= e.at && e.delete(t),
        i);
  }
  function $o({ keys: e }, n, t) {
    const r = Qe(e.get(n, "string") ?? "0") + t;
    return lo(r) || R("ERR increment or decrement would overflow"), e.setString(n, r.toString(), "keep"), co(r);
  }
  function Dh(e, n, t) {
    const r = e.length;
    if (n < 0 && t < 0 && n > t) return "";
    const o = Math.max(n < 0 ? r + n : n, 0),
      s = Math.min(Math.max(t < 0 ? r + t : t, 0), r - 1);
    return o > s || r === 0 ? "" : e.slice(o, s + 1);
  }
  function Bh({ keys: e }, n) {
    const [t, r, o] = [x(n, 0), I(x(n, 1)), x(n, 2)];
    r < 0 && R("ERR offset is out of range");
    const s = e.get(t, "string") ?? "";
    if (o === "") return s.length;
    r + o.length > Hh && R("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
    const i = s.slice(0, r).padEnd(r, "\0") + o + s.slice(r + o.length);
    return e.setString(t, i, "keep"), i.length;
  }
  function Nu(e, n, t) {
    n.length % 2 === 1 && R(`ERR wrong number of arguments for '${t}' command`);
    for (let r = 0; r < n.length; r += 2) e.keys.setString(x(n, r), x(n, r + 1));
    return pe;
  }
  var $u =
      (e, n) =>
      (t, [r = "", o = "", s = ""]) => (Gi(t, r, s, fo(e, o, t.keys.at, n)), pe),
    Io = ({ keys: e }, [n = ""]) => e.get(n, "string") ?? null,
    Iu = ({ keys: e }, n) => {
      const [t, r] = [I(x(n, 1)), I(x(n, 2))];
      return Dh(e.get(x(n, 0), "string") ?? "", t, r);
    },
    _u = {
      get: [2, "", Io],
      set: [-3, "wm", Pu],
      setnx: [3, "wm", (e, n) => +(Pu(e, [...n, "NX"]) === pe)],
      setex: [4, "wm", $u("EX", "setex")],
      psetex: [4, "wm", $u("PX", "psetex")],
      getset: [
        3,
        "wm",
        (e, [n = "", t = ""]) => {
          const r = Io(e, [n]);
          return Gi(e, n, t), r;
        },
      ],
      getdel: [
        2,
        "w",
        (e, [n = ""]) => {
          const t = Io(e, [n]);
          return e.keys.delete(n), t;
        },
      ],
      getex: [-2, "w", Uh],
      mget: [-2, "", ({ keys: e }, n) => n.map((t) => (e.typeOf(t) === "string" ? Io({ keys: e }, [t]) : null))],
      mset: [-3, "wm", (e, n) => Nu(e, n, "mset")],
      msetnx: [
        -3,
        "wm",
        (e, n) => (n.some((r, o) => o % 2 === 0 && e.keys.has(r)) && n.length % 2 === 0 ? 0 : (Nu(e, n, "msetnx"), 1)),
      ],
      append: [
        3,
        "wm",
        ({ keys: e }, [n = "", t = ""]) => {
          const r = (e.get(n, "string") ?? "") + t;
          return e.setString(n, r, "keep"), r.length;
        },
      ],
      strlen: [2, "", ({ keys: e }, [n = ""]) => e.get(n, "string")?.length ?? 0],
      getrange: [4, "", Iu],
      substr: [4, "", Iu],
      setrange: [4, "wm", Bh],
      incr: [2, "wm", (e, [n = ""]) => $o(e, n, 1n)],
      decr: [2, "wm", (e, [n = ""]) => $o(e, n, -1n)],
      incrby: [3, "wm", (e, [n = "", t = ""]) => $o(e, n, Qe(t, ao))],
      decrby: [
        3,
        "wm",
        (e, [n = "", t = ""]) => {
          const r = Qe(t);
          return r === -(2n ** 63n) && R("ERR decrement would overflow"), $o(e, n, -r);
        },
      ],
      incrbyfloat: [
        3,
        "wm",
        ({ keys: e }, [n = "", t = ""]) => {
          const r = e.get(n, "string") ?? "0";
          Rn(r);
          const o = uo(r, t);
          return e.setString(n, o, "keep"), o;
        },
      ],
    };
  var qu = "OOM command not allowed when used memory > 'maxmemory'.",
    Wh = "OOM allow-oom flag is not set on the script, can not run it when used memory > 'maxmemory'",
    Ui = "READONLY You can't write against a read only replica.",
    Vu = {
      ping: [
        -1,
        "",
        (e, n) => (n.length > 1 && R("ERR wrong number of arguments for 'ping' command"), n[0] ?? new Ae("PONG")),
      ],
      echo: [2, "", (e, [n = ""]) => n],
      time: [
        1,
        "",
        ({ now: e }) => {
          const n = Math.round(e() * 1e3);
          return [String(Math.floor(n / 1e6)), String(n % 1e6)];
        },
      ],
      wait: [
        3,
        "s",
        (e, n) => (
          I(x(n, 0)), I(x(n, 1), "ERR timeout is not an integer or out of range") < 0 && R("ERR timeout is negative"), 0
        ),
      ],
    },
    Fu = (e) => e.split("\0", 1)[0],
    fr = () => R("ERR no scripts"),
    jh = {
      ..._u,
      ...qc,
      ...Gc,
      ...Qc,
      ...Lu,
      ...ku,
      ...Vu,
      eval: [-3, "s", fr],
      evalsha: [-3, "s", fr],
      eval_ro: [-3, "s", fr],
      evalsha_ro: [-3, "s", fr],
      script: [-2, "s", fr],
    },
    Kh = new Set([...Object.keys(Vu), "eval", "evalsha", "script"]),
    zh = [
      ["w", "write"],
      ["m", "denyoom"],
      ["s", "noscript"],
    ];
  function Jh(e, [n, t], r) {
    const o = zh.filter(([i]) => t.includes(i)).map(([, i]) => i),
      s = !r && !Kh.has(e) && !t.includes("w");
    return { name: e, arity: n, flags: s ? ["readonly", ...o] : o };
  }
  function Yh([e = "", ...n]) {
    let t = "";
    for (const r of n) {
      if (t.length >= 128) break;
      t += `'${Fu(r).slice(0, 128 - t.length)}' `;
    }
    return `ERR unknown command '${Fu(e).slice(0, 128)}', with args beginning with: ${t}`.replace(/[\r\n]/g, " ");
  }
  var Hu = ([e], n) => (e > 0 ? n.length === e : n.length >= -e);
  function Qh(e, n) {
    const t = new Map();
    for (const [r, [o, s, i]] of Object.entries(jh)) t.set(r, [o, s, e[r] ?? i]);
    for (const [r, [o, s, i]] of Object.entries(n)) t.set(r, [o, s, (a, l) => i(l)]);
    return t;
  }
  function Zh(e) {
    const n = (t, r) => (o, s) => e.eval(s, t, r);
    return {
      eval: n(!1, !1),
      evalsha: n(!0, !1),
      eval_ro: n(!1, !0),
      evalsha_ro: n(!0, !0),
      script: (t, r) => e.manage(r),
    };
  }
  function Xh(e, n, { isFull: t, isReadOnly: r }) {
    if (!e) return Yh(n);
    if (!Hu(e, n)) return `ERR wrong number of arguments for '${x(n, 0).toLowerCase()}' command`;
    const [, o] = e;
    return t && o.includes("m") ? qu : r && o.includes("w") ? Ui : void 0;
  }
  function ew(e, n, t, { isFull: r, isReadOnly: o }) {
    const [, s] = e;
    if (!Hu(e, n)) return "ERR Wrong number of args calling Redis command from script";
    if (s.includes("s")) return "ERR This Redis command is not allowed from script";
    const i = s.includes("w");
    return i && t.isReadOnly
      ? "ERR Write commands are not allowed from read-only scripts."
      : i && o
        ? Ui
        : r && s.includes("m") && !t.allowsFullMemory && !t.wrote
          ? qu
          : void 0;
  }
  function Di(e) {
    const { dialect: n, now: t, random: r, commands: o = {}, onCommand: s, stored: i, journal: a } = e,
      l = Kc(i, a),
      c = { keys: l, now: t, random: r },
      d = Au(e.scripts ?? Ou(n), p, (b) =>
        g.isFull && !b.has("allow-oom") && !b.has("no-writes") ? Wh : g.isReadOnly && !b.has("no-writes") ? Ui : void 0,
      ),
      u = Qh(Zh(d), o),
      f = (b) => {
        const h = x(b, 0);
        return u.get(h) ?? u.get(h.toLowerCase());
      };
    function m(b) {
      const h = Xh(f(b), b, g);
      return h === void 0 ? void 0 : new Q(h);
    }
    function p(b, h) {
      const w = f(b);
      if (!w) return new Q("ERR Unknown Redis command called from script");
      const k = ew(w, b, h, g);
      return k !== void 0 ? new Q(k) : ((h.wrote ||= w[1].includes("w")), y(w, b, !0));
    }
    function y([, , b], h, w = !1) {
      s?.(h, w);
      try {
        return b(c, h.slice(1));
      } catch (k) {
        if (k instanceof Q) return k;
        throw k;
      }
    }
    const g = {
      commands: [...u].map(([b, h]) => Jh(b, h, Object.hasOwn(o, b))),
      keys: l,
      isFull: !1,
      isReadOnly: !1,
      run(b) {
        return (l.at = Math.floor(t())), m(b) ?? y(f(b), b);
      },
      refusal: m,
      transact(b) {
        return (
          (l.at = Math.floor(t())), g.isFull || b.some((h) => m(h) !== void 0) ? new Q(Mc) : b.map((h) => y(f(h), h))
        );
      },
    };
    return g;
  }
  var nw = new TextEncoder(),
    tw = new TextDecoder("utf-8", { fatal: !1, ignoreBOM: !0 }),
    Gu = /[^\0-\x7f]/;
  function Tn(e) {
    return Gu.test(e) ? Bi(nw.encode(e)) : e;
  }
  function Bi(e) {
    let n = "";
    for (let t = 0; t < e.length; t += 8192) n += String.fromCharCode(...e.subarray(t, t + 8192));
    return n;
  }
  function Me(e) {
    return Gu.test(e) ? tw.decode(Uint8Array.from(e, (n) => n.charCodeAt(0))) : e;
  }
  function Uu(e) {
    const n = e.indexOf("//"),
      t = e.indexOf("/", n === -1 ? 0 : n + 2);
    return t === -1 ? "/" : e.slice(t);
  }
  function rw(e) {
    if (e === void 0) return () => {};
    if (e instanceof Headers || Array.isArray(e)) {
      const t = e instanceof Headers ? e : new Headers(e);
      return (r) => t.get(r);
    }
    const n = {};
    for (const [t, r] of Object.entries(e)) n[t.toLowerCase()] = r;
    return (t) => n[t];
  }
  async function Wi(e, n) {
    const { body: t } = n ?? {};
    if (!(e instanceof Request) && (t == null || typeof t == "string")) {
      const i = Uu(String(e));
      return {
        method: (n?.method ?? "GET").toUpperCase(),
        target: i,
        header: rw(n?.headers),
        body: t == null ? "" : Du(i) ? t : Tn(t),
      };
    }
    const r = new Request(e, n),
      o = new Uint8Array(await r.arrayBuffer()),
      s = Uu(r.url);
    return {
      method: r.method,
      target: s,
      header: (i) => r.headers.get(i),
      body: Du(s) ? new TextDecoder().decode(o) : Bi(o),
    };
  }
  var Du = (e) => /^\/(pipeline\/?|multi-exec\/?)?([?#]|$)/.test(e),
    ow = 0;
  function _o({ status: e, body: n, headers: t }, r) {
    return new Response(r === "HEAD" ? null : n, {
      status: e,
      headers: { "content-type": "application/json", "upstash-sync-token": String(++ow), ...t },
    });
  }
  var Fo = (e, n) => (n === "base64" ? `"${btoa(e)}"` : JSON.stringify(Me(e)));
  function Bu(e, n) {
    return e === null
      ? "null"
      : typeof e == "string"
        ? Fo(e, n)
        : typeof e == "number"
          ? String(e)
          : typeof e == "bigint"
            ? Fo(String(e), n)
            : e instanceof Ae
              ? Fo(e.text, n)
              : e instanceof Q
                ? Fo(e.message, n)
                : `[${e.map((t) => Bu(t, n)).join(",")}]`;
  }
  function ji(e, n) {
    return e instanceof Q
      ? `{"error":${JSON.stringify(Me(e.message))}}`
      : `{"result":${e === "OK" || (e instanceof Ae && e.text === "OK") ? '"OK"' : Bu(e, n)}}`;
  }
  var mr = class extends Error {
      status;
      constructor(n, t = 400) {
        super(n), (this.status = t);
      }
    },
    Mn = (e) => {
      throw new mr(`ERR ${e}`);
    };
  function sw(e) {
    return typeof e == "string"
      ? Tn(e)
      : typeof e == "number" || typeof e == "boolean" || e === null
        ? String(e)
        : Mn("command arguments must be strings, numbers, booleans or null");
  }
  function ju(e, n) {
    return Array.isArray(e)
      ? e.length === 0
        ? Mn("empty command")
        : e.map(sw)
      : Mn(`failed to parse ${n}: a command is a JSON array`);
  }
  function Ku(e, n) {
    try {
      return JSON.parse(e);
    } catch {
      return Mn(`failed to parse ${n}: the body is not valid JSON`);
    }
  }
  function Wu(e, n) {
    const t = Ku(e, n);
    return Array.isArray(t)
      ? t.length === 0
        ? Mn(`empty ${n}`)
        : t.map((r) => ju(r, n))
      : Mn(`failed to parse ${n}: the body is not a JSON array of commands`);
  }
  var qo = (e) => Tn(e).replace(/%([\da-f]{2})/gi, (n, t) => String.fromCharCode(Number.parseInt(t, 16)));
  function Ki(e) {
    const n = e.indexOf("?");
    return n === -1
      ? []
      : e
          .slice(n + 1)
          .replace(/#.*/s, "")
          .split("&")
          .filter((r) => r !== "")
          .map((r) => {
            const [, o = "", , s] = /^([^=]*)(=(.*))?$/s.exec(r.replaceAll("+", " ")) ?? [];
            return s === void 0 ? [qo(o)] : [qo(o), qo(s)];
          });
  }
  var iw = /^(p?subscribe|monitor)$/i;
  function zu({ target: e, body: n }) {
    const t = e.replace(/[?#].*$/s, "").replace(/(.)\/$/, "$1");
    if (t === "/" || t === "") return { shape: "command", commands: [ju(Ku(n, "command"), "command")] };
    if (t === "/pipeline") return { shape: "pipeline", commands: Wu(n, "pipeline request") };
    if (t === "/multi-exec") return { shape: "transaction", commands: Wu(n, "transaction") };
    const [, r = "", ...o] = e
      .replace(/[?#].*$/s, "")
      .split("/")
      .map(qo);
    iw.test(r) && Mn("this Redis in memory has no streams of events"), r === "" && Mn("empty command");
    const s = Ki(e).filter(([i]) => i !== "_token");
    return { shape: "command", commands: [[r, ...o, ...(n === "" ? [] : [n]), ...s.flat()]] };
  }
  var aw = /^(HEAD|GET|POST|PUT)$/,
    pr = (e, n, t) => ({ status: e, body: `{"error":${JSON.stringify(n)}}`, ...(t && { headers: t }) }),
    Ju = pr(401, "Unauthorized");
  function Yu(e) {
    const n = e.header("authorization");
    return n ? /^bearer +(.+)$/i.exec(n)?.[1] : Ki(e.target).find(([t]) => t === "_token")?.[1];
  }
  function zi(e, n) {
    return Yu(e) === n ? Qu(e) : Ju;
  }
  function Qu(e) {
    if (!aw.test(e.method)) return pr(405, "Method Not Allowed", { allow: "HEAD, GET, POST, PUT" });
    if (/^resp2$/i.test(e.header("upstash-response-format") ?? ""))
      return pr(400, "ERR this server answers in JSON only");
    try {
      return zu(e);
    } catch (n) {
      if (n instanceof mr) return pr(n.status, n.message);
      throw n;
    }
  }
  var Ji = ({ header: e }) => (e("upstash-encoding")?.toLowerCase() === "base64" ? "base64" : "text");
  function Yi(e, { shape: n, commands: t }, r) {
    if (n === "command") return yr(e.run(t[0]), r);
    const o = n === "pipeline" ? t.map((s) => e.run(s)) : e.transact(t);
    return o instanceof Q ? yr(o, r) : { status: 200, body: `[${o.map((s) => ji(s, r)).join(",")}]` };
  }
  var yr = (e, n) => ({ status: e instanceof Q ? 400 : 200, body: ji(e, n) });
  var Zu = [
      {
        name: "crowd-extend",
        shas: [
          "5ff03b0191e078c0c40890ea9122ae461f5bcb5e",
          "3e6150cf5746758fe9d1ae4f7fec22ffb7bb6daf",
          "65706ada3098c2d8eb643424f17937c082ef1a82",
        ],
        refusal: "extended",
        allKeys: !1,
        notAfter: 0,
        id: 1,
        until: 2,
        all: ["lost"],
        zero: 3,
      },
      {
        name: "fair-acquire",
        shas: [
          "48bc6f5de4355d6a280417efc8907f7de849f969",
          "1369029154b07e409a587637478b18538c624d4b",
          "7d79379a6cfd82c8ea982b141d1ed61f5830bcd1",
        ],
        refusal: "held",
        allKeys: !1,
        notAfter: 0,
        id: 1,
        until: 2,
        back: 6,
        grace: 8,
        ticket: 7,
        ticketArg: 7,
        joins: 4,
      },
      {
        name: "group-acquire",
        shas: [
          "f23f0dc046051a7a5ea2782711b7e9f205994e21",
          "2f9a6e25a16b323affb1608de4205a9564d4d86a",
          "3334c79c5f8a5e9a97131e6c3acffdf7c4503699",
        ],
        refusal: "held",
        allKeys: !0,
        notAfter: 0,
        id: 1,
        until: 2,
        waited: 7,
        joins: 4,
      },
      {
        name: "latch-wait",
        shas: [
          "bd4fbf5efeece2a724dee4bd18da355016e2ffea",
          "48f9c89708685e60f7cda5d3d32d0fe571388592",
          "a2a105cc3336900fbec8b4a4883353da430c511b",
        ],
        refusal: "counting",
        allKeys: !1,
        notAfter: 0,
        id: 1,
        until: 3,
        class: 2,
        carries: 2,
        carriesArg: 2,
        all: ["open", "lost"],
      },
      {
        name: "lock-acquire",
        shas: [
          "7d023370547dd61f2a22f817b18c07d0b723c92c",
          "dc37471085ced2f6a8efe118fa8e2d4797da6317",
          "4d8425a431a223d399a41317e2bc5e8dcb93cdfc",
        ],
        refusal: "held",
        allKeys: !1,
        notAfter: 0,
        id: 1,
        until: 2,
        waited: 7,
        clock: 8,
        joins: 4,
      },
      {
        name: "once-begin",
        shas: [
          "72022a84b79ae10a62357199a553851e1150060d",
          "024731b02740fa5976b52a563f2a116e03c386dd",
          "456986d03cf8505cf7061c36eb49c9462bef3984",
        ],
        refusal: "running",
        allKeys: !1,
        notAfter: 0,
        id: 1,
        until: 2,
        seen: 7,
        all: ["done"],
      },
      {
        name: "rw-acquire",
        shas: [
          "f69dabf695fc8574ff8c7ca45f4b8829a2d42d7d",
          "60d265ffe41b1db430fcd606d011f596b3e3ca9e",
          "052738c44f1b82f43e023079ebf0e2d2c4598274",
        ],
        refusal: "held",
        allKeys: !1,
        notAfter: 0,
        id: 1,
        until: 2,
        back: 4,
        graceMs: 1e3,
        class: 4,
        many: "read",
      },
      {
        name: "semaphore-acquire",
        shas: [
          "42905dac761198122295a91a848fa091c6c8d5a1",
          "da414c87654c7b490c32ba22e66328127009e4f5",
          "ea99b334ae4714654e0725474537197fdb794ede",
        ],
        refusal: "held",
        allKeys: !1,
        notAfter: 0,
        id: 1,
        until: 2,
        waited: 7,
        class: 1,
        classIsCount: !0,
        many: "permits",
      },
      {
        name: "semaphore-queue",
        shas: [
          "d8582e3d0e1381324d13288bc7f08edace51d7ca",
          "01f2b59bff1a5291eea2d6d4479d9020f1597418",
          "9c21461d8abaa94bf0ae017615bbd561b0960d2d",
        ],
        refusal: "held",
        allKeys: !1,
        notAfter: 0,
        id: 1,
        until: 2,
        back: 6,
        grace: 7,
        ticket: 7,
        ticketArg: 6,
        many: "permits",
      },
    ],
    Xu = [
      "5ff03b0191e078c0c40890ea9122ae461f5bcb5e",
      "3e6150cf5746758fe9d1ae4f7fec22ffb7bb6daf",
      "65706ada3098c2d8eb643424f17937c082ef1a82",
      "0403ad61bc8a205c18559c6899556af455ebfc80",
      "67e376fd4a7512709b8c5fd24597e8239f1531ea",
      "ee7da78d31c92b3f69d553ad9a32710053c3f976",
      "1e86b0fa023ed1367ef6ed0691c90bdbb5a8a38f",
      "ee40bc4b4b0e34eb4b624f605db4517f40ec700c",
      "7f1f165b0ce6140631df1ffa891fee7c79375727",
      "6b7bb0b14b1f7454ac4912f84eb68cbec68459f4",
      "8b0b5afbdb9902bb57906ee46623bb8b7ba40713",
      "14829794acf5c100c95776cda77772f93681d683",
      "99f9f39123aa7542c25f9d886c3be5f47fdc53c0",
      "06ca8ec847e652d7fc3017318c4be64aa013767d",
      "9a4e3d306033300967911aca3e9a90c282d9956d",
      "795201a6f414436185afe4130977458221395211",
      "3c0a591f4a3e1eb79358cce00d60b7473858695b",
      "5d3f80df534de4347481e3b85d2188b168df6ee0",
      "ca3dc03b69fec1744041a9b6c9652ed9ca4e8c73",
      "e46fc1cc3ed0420de6890930cb8db2c472e00525",
      "4773d40402b5158d1f025b1211637b96b2dbe1d2",
      "dd63cb23b4dbd7e2c1abea9eacfe5fef3609d558",
      "c29af1b2ca3ca326e47c30cae4c32d8ed72154df",
      "0faeb9b8229e93356b2af63f7e2ce363717c52f7",
      "fa91269a132057bfa412ddd41ab4bf605f5f71b6",
      "690e960297dfbb8e3da52bdb13eb30b5b3117f82",
      "22902973285c15a2db1067cc34f3ededb1137ca6",
      "892e2b515f5c72046e83b8cb9ad0a3c060812175",
      "2f8b75b8ba7d6fb259352fa3902632cba58dcc2b",
      "96c2789d3fc4268b3ce4fbdd0c8c31ed2ea3b9ec",
      "cad36be65c386d43f10653d0dff5be731172431a",
      "2de18558e70655728b3b63e480413583086aad73",
      "b04047106ae96ec58dd8a504db05adad0ea74553",
    ];
  var ef = new Map(Zu.flatMap((e) => e.shas.map((n) => [n, e]))),
    lw = new Set(Xu),
    nf = (e) => ef.get(e.toLowerCase()),
    Qi = (e) => {
      const n = e.toLowerCase();
      return !ef.has(n) && !lw.has(n);
    };
  function Zi(e) {
    const [n = "", t = "", r = "", ...o] = e,
      s = /^evalsha$/i.test(n) ? nf(t) : void 0,
      i = Number(r);
    if (!s || !(i > 0) || o.length <= i) return;
    const a = o.slice(0, s.allKeys ? i : 1),
      l = o.slice(i);
    if (!(s.zero !== void 0 && l[s.zero] !== "0")) return { waitable: s, keys: a, args: l };
  }
  var cw = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;([^,]*))?/i,
    dw = /(?:^|;)\s*ms\s*=\s*"?(\d{1,9})"?\s*(?:;|$)/i;
  function Xi(e) {
    const [, n, t = ""] = cw.exec(e ?? "") ?? [];
    if (n === void 0) return;
    const [, r] = dw.exec(t) ?? [],
      o = Number(n) * 1e3;
    return r === void 0 ? o : Math.min(Number(r), o);
  }
  var ea = (e) => ({ "preference-applied": "wait", "server-timing": `hold;dur=${Math.floor(e)}` });
  function It(e) {
    if (!Array.isArray(e)) return;
    const n = (t) => (t === void 0 ? 0 : Number(String(e[t] ?? "")) || 0);
    return { status: String(e[0]), at: n };
  }
  function Vo({ waitable: e, keys: n, args: t }) {
    const r = e.class === void 0 ? "" : (t[e.class] ?? ""),
      o = e.classIsCount ? (/#(\d+)/.exec(r)?.[1] ?? "1") : r;
    return `${e.name} ${o} ${tf(e, t)} ${e.allKeys ? n.join(" ") : ""}`;
  }
  var tf = ({ joins: e }, n) => (e === void 0 ? "" : (n[e] ?? ""));
  function rf(e, n, t) {
    const { many: r, all: o, class: s } = e;
    if (o?.includes(t)) return { same: !0, atOnce: !0, others: !0 };
    if (t !== "granted" || r === "permits") return { same: !0, atOnce: !1, others: !0 };
    const i = r !== void 0 && s !== void 0 && n[s] === r;
    return { same: i || tf(e, n) !== "", atOnce: i, others: i };
  }
  var uw = 3,
    of = (e) => Math.ceil(e.at(uw) / 1e3) + 1;
  function sf({ until: e, back: n, ticket: t, grace: r, graceMs: o }, s, i) {
    let a = i.at(e) / 1e3,
      l = i.at(n) / 1e3,
      c = n !== void 0 && l > 0,
      d;
    if ((a > 0 ? (d = Math.ceil(a) + 1) : c && (d = Math.max(l, 5)), !c)) return { dueMs: d, refreshMs: void 0 };
    if (t !== void 0 && i.at(t) === 0) return { dueMs: d, refreshMs: 0 };
    const u = o ?? Number(s[r]);
    return { dueMs: d, refreshMs: l + u / 2 };
  }
  function na(e, n, t) {
    const { waitable: r, args: o } = e,
      s = [...o],
      { waited: i, seen: a, clock: l, ticket: c, ticketArg: d, carries: u, carriesArg: f } = r;
    return (
      i !== void 0 && (s[i] = String(Math.round(Number(o[i]) + t))),
      l !== void 0 && (s[l] = ""),
      a !== void 0 && n && (s[a] = String(n.at(1))),
      d !== void 0 && c !== void 0 && n && Number(o[d]) >= 0 && (s[d] = String(n.at(c))),
      f !== void 0 && n && (s[f] = String(n.at(u))),
      s
    );
  }
  var Qn = () => {};
  function Ho(e) {
    for (const { entries: n } of e.lines) {
      const t = n.findLastIndex((r) => r.order <= e.order);
      n.splice(t + 1, 0, e);
    }
  }
  function Go(e) {
    for (const { entries: n } of e.lines) {
      const t = n.indexOf(e);
      t !== -1 && n.splice(t, 1);
    }
  }
  var fw = 16,
    mw = 64;
  async function pw(e, { now: n, emit: t }) {
    let { request: r, since: o, lines: s } = e,
      { waitable: i, args: a } = r,
      l = n() - o,
      c;
    try {
      c = await r.run(na(r, It(e.reply), l));
    } catch (y) {
      return e.isEnded ? { type: "gone" } : (e.end("failed", { error: y }), { type: "failed" });
    }
    const { isEnded: d } = e;
    d || Object.assign(e, { reply: c, heldMs: l });
    const u = It(c),
      f = u?.status === i.refusal;
    if ((t({ type: "tried", script: i.name, isRefused: f }), !u))
      return e.end("failed"), { type: d ? "gone" : "failed" };
    if (f) return d ? { type: "gone" } : (lf(e, c, n()), { type: "refused" });
    const m = rf(i, a, u.status);
    if (!m.others) {
      const y = n() + of(u);
      for (const { due: g, entries: b } of s) for (const { kind: h } of b) g.set(h, y);
    }
    return e.end("answered"), d && u.status !== "granted" ? { type: "gone" } : { type: "answered", ...m };
  }
  async function yw(e, n, t) {
    let r = 1,
      o = "next class";
    for (;;) {
      const s = e.entries.filter((l) => l.kind === n).slice(0, r);
      if (s.length === 0) return o;
      const i = await Promise.all(s.map(t));
      if ((i.some((l) => l.type === "answered" && !l.others) && (o = "done"), i.some(({ type: l }) => l === "failed")))
        return "done";
      if (i.some((l) => l.type === "answered" && !l.same) || i.some(({ type: l }) => l === "refused")) return o;
      r = i.every((l) => l.type === "answered" && l.atOnce) ? Math.min(2 * r, mw) : 1;
    }
  }
  async function gw(e, n) {
    const t = new Set();
    for (e.due.clear(); t.size < fw; ) {
      const r = e.entries.find(({ kind: o }) => !t.has(o));
      if (!r || (t.add(r.kind), (await yw(e, r.kind, n)) === "done")) return;
    }
  }
  function lf(e, n, t) {
    const { request: r, lines: o } = e,
      { waitable: s, args: i } = r,
      a = It(n);
    if (!a) return;
    const l = Vo({ ...r, args: na(r, a, 0) });
    e.kind = l;
    const { dueMs: c, refreshMs: d } = sf(s, i, a);
    e.refreshAt = d === void 0 ? Number.POSITIVE_INFINITY : t + d;
    for (const { due: f } of o) c === void 0 ? f.delete(l) : f.set(l, t + c);
    const u = a.at(s.ticket);
    u === 0 || u === e.order || (Go(e), (e.order = u), Ho(e));
  }
  function ta(e, { now: n, after: t, checkMs: r }, o) {
    if ((e.forget(), (e.forget = Qn), e.entries.length === 0)) {
      e.close();
      return;
    }
    if (e.trying) return;
    const s = Math.min(e.triedAt + r, ...e.due.values());
    s !== Number.POSITIVE_INFINITY && (e.forget = t(Math.max(s - n(), 0), () => o(e)));
  }
  function af(e, { now: n, after: t }, r) {
    e.forget(),
      (e.forget = t(Math.max(Math.min(e.until, e.refreshAt) - n(), 0), () => {
        e.running || (n() >= e.until ? e.end("refused") : r(e));
      }));
  }
  function cf(e, n) {
    const { now: t } = e;
    function r(l) {
      return (
        (l.running ??= pw(l, e).finally(() => {
          (l.running = void 0), !l.isEnded && (n() ? l.end("closed") : t() >= l.until ? l.end("refused") : af(l, e, a));
        })),
        l.running
      );
    }
    async function o(l) {
      const c = await l.running;
      return c !== void 0 && c.type !== "refused" ? c : l.isEnded ? { type: "gone" } : r(l);
    }
    async function s(l) {
      for (; l.isDirty; ) (l.isDirty = !1), (l.triedAt = t()), await gw(l, o);
    }
    function i(l) {
      (l.isDirty = !0),
        l.forget(),
        (l.forget = Qn),
        (l.trying ??= s(l).finally(() => {
          (l.trying = void 0), ta(l, e, i);
        }));
    }
    async function a(l) {
      for (const d of l.lines) d.entries[0] === l && (d.triedAt = t());
      const c = await r(l);
      for (const d of l.lines) c.type === "answered" && c.others ? i(d) : ta(d, e, i);
    }
    return {
      wake: i,
      schedule: (l) => ta(l, e, i),
      begin(l) {
        lf(l, l.reply, t()), af(l, e, a);
      },
    };
  }
  var bw = 1e3,
    hw = 50,
    ww = 20,
    xw = 2e3,
    kw = 1e3,
    Rw = 8;
  function Sw(e) {
    let n = new Map(),
      t = 0;
    return {
      numberOf(r) {
        for (const [s, { forgetAt: i }] of n) {
          if (i > e()) break;
          n.delete(s);
        }
        const o = n.get(r);
        return n.delete(r), o?.order ?? ++t;
      },
      remember(r, o) {
        n.set(r, { order: o, forgetAt: e() + xw });
      },
    };
  }
  function Ew(e, n) {
    const t = new Set(),
      r = new Map(),
      o = new Map();
    return {
      all: t,
      find: (s) => o.get(s),
      isFull: (s = "") => t.size >= e || (r.get(s) ?? 0) >= n,
      add(s, i) {
        const { owner: a = "" } = s.request;
        t.add(s), o.set(i, s), r.set(a, (r.get(a) ?? 0) + 1);
      },
      remove(s, i) {
        const { owner: a = "" } = s.request,
          l = (r.get(a) ?? 1) - 1;
        t.delete(s), o.get(i) === s && o.delete(i), l > 0 ? r.set(a, l) : r.delete(a);
      },
    };
  }
  function Ow({ waitable: e, args: n, reply: t, waitMs: r }) {
    const o = It(t);
    if (o?.status !== e.refusal) return 0;
    const s = (Number(n[e.notAfter]) - o.at(1)) / 1e3 - hw;
    return Math.min(r, s);
  }
  var Uo = ({ waitable: e, args: n, keys: t }) => `${t[0]} ${n[e.id]}`;
  function Aw(e, n) {
    const t = new Map();
    return {
      all: t,
      open(r) {
        const o = t.get(r);
        if (o) return o;
        const s = {
          key: r,
          entries: [],
          due: new Map(),
          isDirty: !1,
          trying: void 0,
          triedAt: e(),
          forget: Qn,
          close() {
            t.get(r) === s && (t.delete(r), n({ type: "unwatch", key: r }));
          },
        };
        return t.set(r, s), n({ type: "watch", key: r }), s;
      },
    };
  }
  function Tw({ now: e, emit: n, arrivals: t, accounts: r, tries: o }, s, i) {
    const { request: a, since: l, order: c } = s,
      d = Uo(a);
    (s.isEnded = !0),
      s.forget(),
      Go(s),
      r.remove(s, d),
      i !== "answered" && t.remember(d, c),
      n({ type: "ended", script: a.waitable.name, ending: i, heldMs: e() - l });
    for (const u of s.lines) o.schedule(u);
  }
  function Mw(e, n, t, r, o) {
    const { signal: s, reply: i } = n,
      a = e.now(),
      l = {
        request: n,
        kind: Vo(n),
        lines: r,
        since: a,
        until: a + t,
        order: e.arrivals.numberOf(Uo(n)),
        reply: i,
        heldMs: 0,
        running: void 0,
        isEnded: !1,
        refreshAt: Number.POSITIVE_INFINITY,
        forget: Qn,
        end(d, u) {
          l.isEnded ||
            (s?.removeEventListener("abort", c),
            Tw(e, l, d),
            u ? o.reject(u.error) : o.resolve({ reply: l.reply, ending: d, heldMs: l.heldMs }));
        },
      },
      c = () => l.end("aborted");
    return s?.addEventListener("abort", c), l;
  }
  function Cw(e, n, t) {
    const { lines: r, accounts: o, tries: s, emit: i } = e,
      { keys: a, waitable: l, owner: c } = n,
      d = Uo(n),
      u = o.find(d),
      f = u?.running !== void 0;
    return (
      u?.end("replaced"),
      new Promise((m, p) => {
        const y = a.map(r.open),
          g = Mw(e, n, t, y, { resolve: m, reject: p });
        o.add(g, d), Ho(g), s.begin(g), i({ type: "held", script: l.name, owner: c });
        for (const b of y) f ? s.wake(b) : s.schedule(b);
      })
    );
  }
  function ra(e) {
    let { now: n, after: t, most: r = bw, mostOfOwner: o = r, checkMs: s = kw, onEvent: i = Qn } = e,
      a = !1,
      l = { now: n, after: t, checkMs: s, emit: i },
      c = Aw(n, i),
      d = Ew(r, o),
      u = cf(l, () => a),
      f = { ...l, lines: c, accounts: d, tries: u, arrivals: Sw(n) };
    return {
      get size() {
        return d.all.size;
      },
      isWatched: (m) => c.all.has(m),
      hold(m) {
        const p = Ow(m);
        if (!(a || m.signal?.aborted || !(p >= ww))) {
          if (d.find(Uo(m)) === void 0 && d.isFull(m.owner)) {
            i({ type: "full", script: m.waitable.name, owner: m.owner });
            return;
          }
          return Cw(f, m, p);
        }
      },
      wake(m) {
        const p = c.all.get(m);
        p && u.wake(p);
      },
      async wakeAll() {
        const m = [...c.all.values()];
        for (; m.length > 0; ) {
          const p = m.splice(0, Rw);
          for (const y of p) u.wake(y);
          await Promise.all(p.map(({ trying: y }) => y));
        }
      },
      async closeAll() {
        a = !0;
        const m = [];
        for (const p of [...d.all]) p.running ? m.push(p.running) : p.end("closed");
        await Promise.allSettled(m);
      },
    };
  }
  var vw = /^(flushall|flushdb)$/i;
  function oa(e, n) {
    const t = ra(n);
    function r(s) {
      const [i = "", a = ""] = s;
      if (!(t.size === 0 || (/^evalsha$/i.test(i) && !Qi(a))))
        if (vw.test(i)) t.wakeAll();
        else for (const l of s) t.wake(l);
    }
    async function o(s, i, a, l) {
      const c = Zi(s);
      if (!c) return;
      const { args: d } = c,
        u = s.slice(0, s.length - d.length),
        f = async (p) => e.run([...u, ...p]),
        m = await t.hold({ ...c, reply: i, waitMs: a, run: f, signal: l });
      return m?.ending === "aborted" && l?.throwIfAborted(), m;
    }
    return {
      ran: r,
      changed: () => {
        t.wakeAll();
      },
      async perform(s, i, a) {
        const l = Ji(i),
          c = a ?? void 0,
          d = s.shape === "command" ? Xi(i.header("prefer")) : void 0;
        if (d === void 0) {
          const p = Yi(e, s, l);
          for (const y of s.commands) r(y);
          return p;
        }
        const u = s.commands[0],
          f = e.run(u);
        r(u);
        const m = await o(u, f, d, c);
        return m ? { ...yr(m.reply, l), headers: { ...ea(m.heldMs) } } : yr(f, l);
      },
    };
  }
  function Lw(e, n) {
    let t = Array.from({ length: n.length + 1 }, (r, o) => o);
    for (const [r, o] of [...e].entries()) {
      const s = [r + 1];
      for (let i = 1; i <= n.length; i++) {
        const a = (t[i - 1] ?? 0) + (o === n[i - 1] ? 0 : 1);
        s.push(Math.min(a, (t[i] ?? 0) + 1, (s[i - 1] ?? 0) + 1));
      }
      t = s;
    }
    return t[n.length] ?? 0;
  }
  function gr(e, n, t) {
    if (typeof e != "object" || e === null) throw new TypeError(`${n}: options must be an object`);
    const r = Object.keys(t),
      o = (s, i) => Lw(i.toLowerCase().slice(0, 64), s.toLowerCase());
    for (const s of Object.keys(e)) {
      if (r.includes(s)) continue;
      const [i] = r.sort((a, l) => o(a, s) - o(l, s));
      throw new TypeError(`${n}: no option "${s}": nearest "${i}"`);
    }
  }
  var Pw = { ms: 1, s: 1e3, m: 6e4, h: 36e5, d: 864e5 };
  function Xe(e, n) {
    const [, t, r = ""] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(String(e)) ?? [],
      o = typeof e == "number" ? e : Number(t) * (Pw[r] ?? Number.NaN);
    if (!(o >= 0 && Number.isFinite(o))) throw new TypeError(`${n} must be milliseconds, or a text such as "31s"`);
    return o;
  }
  function df(e, n) {
    return typeof e == "number"
      ? e < 0
        ? -Xe(-e, n)
        : Xe(e, n)
      : String(e).startsWith("-")
        ? -Xe(e.slice(1), n)
        : Xe(e, n);
  }
  var uf = ["request lost", "answer lost", "late", "twice", "status 503", "away"];
  function ff() {
    const e = [];
    return {
      add(n) {
        gr(n, "fault", { kind: !0, on: !0, name: !0, times: !0, by: !0 });
        const { kind: t, times: r = 1, by: o = "10s" } = n;
        if (!uf.includes(t)) throw new TypeError(`kind must be one of ${uf.join(", ")}`);
        if (!(r > 0)) throw new RangeError("times must be at least 1");
        const s = { options: n, fault: { kind: t, byMs: Xe(o, "by") }, rest: r };
        return (
          e.push(s),
          () => {
            s.rest = 0;
          }
        );
      },
      meet({ operation: n, name: t }) {
        const r = e.find(({ options: o, rest: s }) => s > 0 && (o.on ?? n) === n && (o.name ?? t) === t);
        if (r) return r.rest--, r.fault;
      },
    };
  }
  var Nw = /^([a-z]+) 1 (\d+) (\d+) (\S*) (\S*) ([\s\S]*)$/;
  function pf(e) {
    const [, n, t, r, o = "", s = "", i = ""] = Nw.exec(e) ?? [];
    if (n === void 0) return;
    const a = [...s.matchAll(/([^:,]+):(\d+)/g)];
    return {
      kind: n,
      last: Number(t),
      til: Number(r),
      closed: o,
      holds: a.map(([, l = "", c]) => ({ id: l, until: Number(c) })),
      body: i,
    };
  }
  function yf({ kind: e, last: n, til: t, closed: r, holds: o, body: s }) {
    const i = o.map(({ id: a, until: l }) => `${a}:${l},`).join("");
    return `${e} 1 ${n} ${t} ${r} ${i} ${s}`;
  }
  var gf = (e, n) => `${e}{${n.replace(/[{}%]/g, encodeURIComponent)}}`;
  function br(e, n) {
    const [, t, r] =
        /^\{([^{}]*)\}(?:\/([^%]*(?:%[\dA-F]{2}[^%]*)*))?(?:%crowd|%fence)?$/.exec(e.slice(n.length)) ?? [],
      o = r ?? t;
    return !e.startsWith(n) || o === void 0 ? void 0 : o.replace(/%(7B|7D|25)/g, decodeURIComponent);
  }
  function sa(e = "") {
    const [n, t] = e.split("@").map(decodeURIComponent);
    return { label: n || void 0, holder: t || void 0 };
  }
  function bf({ kind: e, body: n }) {
    const t = { lock: 1, fair: 1, rw: 2, once: 3 };
    return sa(n.split(" ")[t[e] ?? -1]);
  }
  var hf = (e) => /^\d+ \S* \S/.test(e);
  function $w(e) {
    const [, n = "0", t = ""] = /^(\d+) (\S*) /.exec(e) ?? [];
    return `${Number(n) + 1} ${t}  `;
  }
  var mf = {
    lock: (e) => ` ${e} 0 0`,
    fair: (e) => ` ${e} 0 0`,
    rw: (e, n) => `0  ${e} ${n} 0 `,
    once: (e, n, t) => $w(t),
  };
  function wf(e, n, t, r) {
    const o = mf[e];
    if (!o) throw new TypeError(`kind must be one of ${Object.keys(mf).join(", ")}`);
    return o(n === void 0 ? "" : encodeURIComponent(n), t, r);
  }
  var xf = 6e4,
    Iw = 864e5,
    _w = "4e15";
  function Do({ run: e }, n) {
    const t = e("GET", n);
    return typeof t == "string" ? pf(Me(t)) : void 0;
  }
  function Bo({ run: e, micros: n }, t, r) {
    const o = Math.ceil(Math.max(r.til - n(), r.last - n(), 0) / 1e3) + xf;
    e("SET", t, yf(r), "PX", o);
  }
  function ia({ run: e, micros: n }, t) {
    const r = e("ZRANGEBYSCORE", `${t}%crowd`, n() + 1, _w, "WITHSCORES"),
      o = Array.isArray(r) ? r : [];
    return o.flatMap((s, i) => (i % 2 === 0 ? [[s, Number(o[i + 1])]] : []));
  }
  var aa = ({ micros: e }, { until: n }) => n > e();
  function kf({ micros: e }, n, t, r) {
    const o = Math.ceil((e() + xf * 1e3) / 1e6),
      s = r.map((l) => `;${o}:${l.slice(24, 36)}${t}`).join(""),
      i = n.holds.filter(({ id: l }) => !r.includes(l)),
      a = Math.max(e(), ...i.map(({ until: l }) => l));
    return n.kind === "once" && t === "R"
      ? { ...n, closed: n.closed + s, holds: i }
      : { ...n, closed: n.closed + s, holds: i, til: a };
  }
  var Rf = (e, n, t) => t.holds.filter((r) => aa(e, r)).length + ia(e, n).length;
  function Fw(e, n, t, r) {
    const { run: o, micros: s } = e;
    if (r === "flushed") {
      o("DEL", n, `${n}%crowd`);
      return;
    }
    const i = s() - (r === "forced" ? 0.5 : 0);
    for (const [a] of ia(e, n)) o("ZADD", `${n}%crowd`, i, a);
    if (r === "expired") {
      const a = t.holds.map((l) => ({ ...l, until: Math.min(l.until, s()) }));
      Bo(e, n, { ...t, holds: a, til: t.kind === "once" ? t.til : s() });
    } else {
      const a = t.holds.map(({ id: l }) => l);
      Bo(e, n, { ...kf(e, t, "F", a), last: Math.max(t.last + 1, s()) });
    }
  }
  var qw = ({ engine: e, prefix: n }, t) =>
    [...e.keys.keys()]
      .filter(({ type: r }) => r === "string")
      .flatMap(({ key: r }) => {
        const o = Me(r);
        return br(o, n) === t ? [o] : [];
      });
  function Vw(e, n, t, r, o) {
    const { prefix: s, run: i, micros: a } = e,
      l = gf(s, n),
      c = Do(e, l);
    if (i("EXISTS", l) === 1 && !c) throw new Error(`"${n}" is in use as something else`);
    if (c && Rf(e, l, c) > 0) throw new Error(`"${n}" is held already`);
    const d = Math.max((c?.last ?? 0) + 1, a()),
      u = crypto.randomUUID(),
      f = a() + r * 1e3,
      m = c && c.til > a() ? c.body : "";
    if (t === "once" && hf(m)) throw new Error(`"${n}" is done already`);
    const p = wf(t, o, d, m),
      y = t === "once" ? Math.max(f, a() + Iw * 1e3) : f;
    return (
      Bo(e, l, { kind: t, last: d, til: y, closed: c?.closed ?? "", holds: [{ id: u, until: f }], body: p }),
      {
        token: d,
        release() {
          const g = Do(e, l);
          return g?.holds.some((b) => b.id === u && aa(e, b)) ? (Bo(e, l, kf(e, g, "R", [u])), !0) : !1;
        },
      }
    );
  }
  function Hw(e, n, t) {
    const r = qw(e, n).flatMap((o) => {
      const s = Do(e, o);
      return s && Rf(e, o, s) > 0 ? [{ key: o, record: s }] : [];
    });
    if (r.length === 0) throw new Error(`nobody holds "${n}"`);
    for (const { key: o, record: s } of r) Fw(e, o, s, t);
  }
  function Gw(e) {
    const { engine: n, prefix: t, run: r } = e,
      o = [];
    for (const { key: s, type: i } of n.keys.keys()) {
      const a = br(Me(s), t),
        l = i === "string" && a !== void 0 ? Do(e, Me(s)) : void 0;
      if (a === void 0 || !l) continue;
      const { kind: c, last: d } = l,
        u = (f, m, p) => {
          o.push({ name: a, kind: c, token: m, since: Math.floor(m / 1e3), until: Math.floor(f / 1e3), ...p });
        };
      for (const f of l.holds.filter((m) => aa(e, m))) u(f.until, d, bf(l));
      for (const [f, m] of ia(e, Me(s))) {
        const p = c === "semaphore" ? r("ZSCORE", `${Me(s)}%crowd`, `t${f.slice(0, 36)}`) : null,
          y = sa(/@(.*)$/.exec(f)?.[1]);
        u(m, typeof p == "string" ? Number(p) / 1024 : d, y);
      }
    }
    return o;
  }
  function Sf(e, n, t) {
    const r = {
      engine: e,
      prefix: n,
      run: (...o) => e.run(o.map((s) => Tn(String(s)))),
      micros: () => Math.round(t() * 1e3),
    };
    return { take: (o, s, i, a) => Vw(r, o, s, i, a), lose: (o, s) => Hw(r, o, s), list: () => Gw(r) };
  }
  var Uw = [
      ["granted", "acquire"],
      ["extended", "extend"],
      ["completed", "complete"],
      ["committed", "commit"],
      ["closed", "release"],
      ["called", "call"],
      ["written", "write"],
      ["seen", "read"],
      ["live", "inspect"],
      ["left", "countDown"],
      ["forced", "force"],
      ["set", "set"],
      ["done", "set"],
    ],
    Dw = (e) => Uw.find(([n]) => new RegExp(`return ?\\{ ?'${n}'`).test(e))?.[1] ?? "script";
  function Ef(e, n) {
    const t = new Map();
    function r(s) {
      const i = n(s);
      return t.has(i) || t.set(i, Dw(s)), i;
    }
    function o(s, i) {
      return s === "release" && i[1] === "0" ? "cancel" : s === "extend" && i[3] === "0" ? "verify" : s;
    }
    return ([s = []]) => {
      const [i = "", a = "", l = "", ...c] = s;
      if (!/^EVAL(SHA)?(_RO)?$/i.test(i)) return { operation: "command", name: void 0 };
      const d = /SHA/i.test(i) ? a.toLowerCase() : r(a),
        u = Number(l),
        f = t.get(d) ?? "script";
      return { operation: o(f, c.slice(u)), name: br(c[0] ?? "", e) };
    };
  }
  function Of(e) {
    let n = Number.NEGATIVE_INFINITY,
      t = [],
      r = () => e.now() < n,
      o = (i) => {
        t.push(i);
      };
    function s() {
      if (r()) return;
      const i = t;
      t = [];
      for (const a of i) a();
    }
    return {
      clock: {
        now: () => e.now(),
        monotonic: () => e.now(),
        timers: {
          setTimeout(i, a) {
            const l = { isOver: !1, stop: () => {}, unref: () => {} },
              c = () => {
                l.isOver || (r() ? o(c) : ((l.isOver = !0), i()));
              };
            return Object.assign(l, e.after(a, c));
          },
          clearTimeout(i) {
            (i.isOver = !0), i.stop();
          },
        },
      },
      freeze(i) {
        (n = Math.max(n, e.now() + i)), e.after(i, s);
      },
      thawed: () => (r() ? new Promise(o) : Promise.resolve()),
    };
  }
  var Bw = ["digest", "sign", "verify", "importKey", "encrypt", "decrypt", "deriveBits", "deriveKey"],
    la = 0,
    Af = new WeakSet();
  function Ww(e, n) {
    const t = (...r) => (
      la++,
      n.apply(e, r).finally(() => {
        la--;
      })
    );
    return Af.add(t), t;
  }
  function Tf() {
    const { subtle: e } = crypto;
    for (const n of Bw) {
      const t = e[n];
      Af.has(t) || Object.defineProperty(e, n, { value: Ww(e, t), configurable: !0, writable: !0 });
    }
  }
  var Mf = () => la > 0;
  var { setTimeout: Lf, Date: jw } = globalThis,
    { setImmediate: Cf } = globalThis,
    Kw = "document" in globalThis && "MessageChannel" in globalThis,
    Wo = () => globalThis.setTimeout !== Lf && globalThis.Date !== jw;
  function zw(e) {
    const { port1: n, port2: t } = new MessageChannel();
    (n.onmessage = () => {
      n.close(), e();
    }),
      t.postMessage(0);
  }
  var vf = () =>
    new Promise((e) => {
      Cf ? Cf(e) : Kw ? zw(e) : Lf(e, 0);
    });
  async function Pf() {
    await vf(), await vf();
  }
  function Nf() {
    const { clock: e } = globalThis.setTimeout;
    return e?.tickAsync ? e : void 0;
  }
  var Jw = 3,
    $f = 10;
  function If() {
    return {
      now: () => Date.now(),
      after(e, n) {
        const t = setTimeout(n, e);
        return { stop: () => clearTimeout(t), unref: () => t.unref?.() };
      },
      advance: () => Promise.reject(new Error('the time is real: advance works with time: "manual"')),
    };
  }
  function Yw() {
    let e = [],
      n = 0,
      t = {
        next: () => e[0],
        note() {
          n++;
        },
        add(r) {
          const o = e.findIndex((s) => s.at > r.at);
          return (
            e.splice(o === -1 ? e.length : o, 0, r),
            n++,
            () => {
              t.remove(r), n++;
            }
          );
        },
        remove(r) {
          const o = e.indexOf(r);
          return o !== -1 && e.splice(o, 1), o !== -1;
        },
        fire(r) {
          t.remove(r) && (n++, r.callback());
        },
        async settle(r) {
          let o = 0;
          for (; o < r; ) {
            const s = n;
            await Pf(), (o = n === s && !Mf() ? o + 1 : 0);
          }
        },
      };
    return t;
  }
  function _f(e) {
    let n = e ?? Date.now(),
      t,
      r = Yw();
    Tf();
    function o() {
      const a = t;
      return (t = Wo() ? Date.now() : void 0), t !== void 0 && a !== void 0 && (n += t - a), n;
    }
    async function s(a) {
      if (!Wo()) {
        n = a;
        return;
      }
      if (a === o()) return;
      const l = Nf();
      if (!l) throw new Error("these fake timers are moved by their own means, which moves this clock, too");
      await l.tickAsync(a - o());
    }
    return {
      now() {
        return r.note(), o();
      },
      after(a, l) {
        const c = { at: o() + Math.max(a, 0), callback: l },
          d = r.add(c),
          u = () => {};
        if (!Wo()) return { stop: d, unref: u };
        const f = globalThis.setTimeout(() => r.fire(c), a);
        return {
          stop: () => {
            globalThis.clearTimeout(f), d();
          },
          unref: u,
        };
      },
      async advance(a) {
        const l = o() + a;
        await r.settle($f);
        for (let c = r.next(); c && c.at <= l; c = r.next())
          await s(Math.max(c.at, o())), r.fire(c), await r.settle(Jw);
        await s(l), await r.settle($f);
      },
    };
  }
  var qf = "test-redis-token";
  function Qw(e) {
    let n = e >>> 0;
    return () => {
      n = (n + 1831565813) >>> 0;
      let t = Math.imul(n ^ (n >>> 15), n | 1);
      return (t ^= t + Math.imul(t ^ (t >>> 7), t | 61)), ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
  }
  function ca(e) {
    const n = e === "ECONNREFUSED" ? "connect" : "read";
    return new TypeError("fetch failed", { cause: Object.assign(new Error(`${n} ${e}`), { code: e, syscall: n }) });
  }
  function Zw(e) {
    let n = 0;
    return () => (Math.round(e() * 1e3) + ++n) / 1e3;
  }
  var Xw = { status: 503, body: '{"error":"Service Unavailable"}' };
  async function e0(e, n, t) {
    switch (e?.kind) {
      case void 0:
        return n();
      case "away":
        throw ca("ECONNREFUSED");
      case "request lost":
        throw ca("ECONNRESET");
      case "status 503":
        return Xw;
      case "late":
        return new Promise((r) => t.after(e.byMs, () => r(n())));
      case "twice":
        return n().catch(() => {}), n();
      case "answer lost":
        throw (await n(), ca("ECONNRESET"));
    }
  }
  function n0(e, n) {
    return n
      ? new Promise((t, r) => {
          const o = () => r(n.reason);
          n.addEventListener("abort", o), e.then(t, r).finally(() => n.removeEventListener("abort", o));
        })
      : e;
  }
  async function t0({ service: e, time: n, faults: t, purposeOf: r, requests: o }, s, i, a) {
    await s.thawed(), a?.signal?.throwIfAborted();
    const l = await Wi(i, a),
      c = zi(l, qf);
    if ("status" in c) return _o(c, l.method);
    const d = c.commands.map((p) => p.map(Me)),
      u = r(d);
    o.push({ ...u, commands: d, at: n.now() });
    const f = () => e.perform(c, l, a?.signal),
      m = await e0(t.meet(u), f, n);
    return await s.thawed(), _o(m, l.method);
  }
  function Ff(e, n) {
    const t = n();
    return e.changed(), t;
  }
  function r0(e) {
    const { clock: n, connection: t } = Object(e);
    return n ?? t?.clock;
  }
  function da(e = {}) {
    gr(e, "createTestRedis", { time: !0, start: !0, seed: !0, prefix: !0 });
    const { time: n = "manual", start: t, seed: r = 1, prefix: o = "leasehold:" } = e;
    if (n !== "manual" && n !== "real") throw new TypeError('time must be "manual" or "real"');
    let s = n === "manual" ? _f(t) : If(),
      i = Qw(r),
      a = 0,
      l = Zw(() => s.now() + a),
      c = Di({ dialect: "upstash", now: l, random: i }),
      d = Sf(c, o, l),
      u = ff(),
      f = [],
      m = new WeakMap(),
      p = oa(c, { now: () => s.now(), after: (...g) => s.after(...g).stop }),
      y = { service: p, time: s, faults: u, purposeOf: Ef(o, Jn), requests: f };
    return {
      get options() {
        const g = Of(s),
          { clock: b } = g;
        return (
          m.set(b, g),
          {
            url: "https://redis.invalid",
            token: qf,
            fetch: (h, w) => n0(t0(y, g, h, w), w?.signal),
            clock: b,
            random: i,
          }
        );
      },
      advance: async (g) => s.advance(Xe(g, "duration")),
      stepClock(g) {
        a += df(g, "duration");
      },
      async hold(g, b = {}) {
        gr(b, "hold", { kind: !0, lease: !0, label: !0 });
        const { kind: h = "lock", lease: w = "30s", label: k } = b,
          { token: L, release: P } = d.take(g, h, Xe(w, "lease"), k);
        return { token: L, release: async () => Ff(p, P) };
      },
      async lose(g, b = "expired") {
        Ff(p, () => d.lose(g, b));
      },
      fault: (g) => u.add(g),
      held: () => d.list(),
      requests: f,
      freeze(g, b) {
        const h = r0(g),
          w = h && m.get(h);
        if (!w) throw new TypeError("client must be made from options of this Redis: what createLocks or connect gave");
        w.freeze(Xe(b, "duration"));
      },
    };
  }
  var ua = 0.2 * 1e3,
    _t = (e, n) =>
      new Promise((t) => {
        e.timers.setTimeout(t, n);
      });
  function o0(e, n) {
    return n
      ? new Promise((t, r) => {
          n.addEventListener("abort", () => r(n.reason), { once: !0 }), e.then(t, r);
        })
      : e;
  }
  var s0 = () =>
    new TypeError("fetch failed", { cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }) });
  function i0(e, n) {
    if (n === "acquire" || n === "extend" || n === "release")
      return { operation: n, id: "", token: void 0, value: void 0 };
    if (n !== "write") return { operation: "other", id: "", token: void 0, value: void 0 };
    const [, t = "", r, , , o = ""] = e.slice(4);
    return o === ""
      ? { operation: "claim", id: t, token: Number(r), value: void 0 }
      : { operation: n, id: t, token: Number(r), value: o.slice(1) };
  }
  function Vf({ who: e, carrier: n, clock: t, seconds: r, operationOf: o, sent: s, arrived: i, lost: a }) {
    let l = !1;
    async function c(d, u) {
      const f = JSON.parse(String(u.body)).map(String),
        m = f[3]?.endsWith("%fence") ? "resource" : "lock",
        p = { who: e, to: m, sentAt: r() };
      s(p), await _t(n.clock, ua);
      const { signal: y, ...g } = u,
        b = await n.fetch(d, g),
        h = await b.text(),
        { result: w } = JSON.parse(h),
        k = Array.isArray(w) ? w : [];
      (p.arrivedAt = r()), (p.verdict = String(k[0]));
      const L = { exchange: p, ...i0(f, o(f)), reply: k };
      i(L);
      const P = l;
      if (
        ((l = !1),
        await _t(n.clock, ua / (P ? 2 : 1)),
        P ? ((p.lostAt = r()), a(L), await _t(n.clock, ua / 2)) : (p.answeredAt = r()),
        await _t(t, 0),
        P)
      )
        throw s0();
      return new Response(h, { status: b.status, headers: b.headers });
    }
    return {
      fetch: (d, u = {}) => o0(c(d, u), u.signal),
      loseNext() {
        l = !0;
      },
      get isLosing() {
        return l;
      },
    };
  }
  async function Hf({ name: e, lock: n, fence: t, work: r, rest: o, report: s }) {
    for (let i = 1; ; i++) {
      try {
        const a = await n.acquire({ lease: "8s", wait: "1h", label: e });
        try {
          await t.claim(a), await r(3), await t.write(a, `${e}, round ${i}`);
        } finally {
          await a.release();
        }
      } catch (a) {
        s(a);
      }
      await o(2);
    }
  }
  var jo = "invoice:42",
    a0 = "2s",
    l0 = 0.5;
  function c0(e, n) {
    return {
      async claim() {},
      async write({ name: t, token: r }, o) {
        const s = Math.max(r, ...[...n.keys()].map((i) => i + 1));
        n.set(s, r), await e.write({ name: t, token: s }, o);
      },
    };
  }
  function Gf({ who: e, redis: n, seconds: t, unfenced: r }, { phases: o, beliefs: s }, i) {
    let a = n.options,
      { clock: l, random: c } = a,
      d = Vf({
        who: e,
        carrier: n.options,
        clock: l,
        seconds: t,
        operationOf: (w) => n.requests.findLast(({ commands: k }) => k[0]?.join() === w.join())?.operation ?? "other",
        ...i,
      }),
      { fetch: u } = d,
      f = er({ ...a, fetch: u, requestTimeout: a0, onEvent: i.told }),
      m = f.lock(jo),
      p;
    function y(w) {
      const k = o.at(-1);
      k && k.to === void 0 && (k.to = t()), o.push({ what: w, from: t() });
    }
    function g() {
      p = void 0;
      const w = s.at(-1);
      w && (w.to ??= Math.min(t(), w.until));
    }
    function b({ token: w, expiresAt: k }) {
      const L = l.now() - t() * 1e3;
      return { token: w, from: t(), until: (k - L) / 1e3 };
    }
    const h = (w) => _t(l, (w + (c() - 0.5) * 2 * l0) * 1e3);
    return (
      Hf({
        name: e,
        lock: {
          async acquire(w) {
            return y("asks"), (p = await m.acquire(w)), y("works"), s.push(b(p)), p;
          },
        },
        fence: r ? c0(xt(f), r) : xt(f),
        work: h,
        rest(w) {
          return g(), y("rests"), h(w);
        },
        report: (w) => i.failed(w),
      }),
      {
        locks: f,
        view: () => p && { token: p.token, remaining: p.remaining / 1e3, over: p.signal.reason?.reason },
        loseNextAnswer: () => d.loseNext(),
        get isLosing() {
          return d.isLosing;
        },
      }
    );
  }
  var Ko = 1e6,
    hr = () => ({ running: void 0, isDead: !1, isFrozen: !1, lease: void 0 });
  function fa({ running: e, isDead: n, isFrozen: t, lease: r }) {
    return { state: n ? "dead" : e ? (t ? "frozen" : "runs") : "absent", lease: r, isLosing: e?.isLosing ?? !1 };
  }
  function Uf(e, n) {
    const t = da({ seed: e, start: Ko }),
      { clock: r } = t.options,
      o = ka(),
      s = { A: hr(), B: hr() },
      i = () => (r.now() - Ko) / 1e3,
      a = xl(o, i, (l) => fa(s[l]));
    return {
      redis: t,
      clock: r,
      history: o,
      narrator: a,
      players: s,
      seconds: i,
      ahead: 0,
      isFenceNew: !1,
      unfenced: n ? new Map() : void 0,
    };
  }
  function d0({ tenures: e, tokens: n }, { exchange: { who: t, arrivedAt: r = 0 }, reply: o }) {
    const [s = 0, i = 0] = o.slice(2).map(Number);
    if (!e.some((a) => a.token === s)) {
      if (s <= (n.at(-1) ?? 0)) throw new Error(`token ${s} is not higher than the last`);
      n.push(s), e.push({ who: t, token: s, from: r, until: r + i / 1e6 });
    }
  }
  function u0({ tenures: e }, { exchange: { who: n, arrivedAt: t = 0 } }) {
    const r = e.findLast((o) => o.who === n);
    r && r.to === void 0 && (r.to = t);
  }
  function f0({ writes: e }, { exchange: n, id: t, token: r, value: o, reply: s }) {
    const { who: i, arrivedAt: a = 0, verdict: l } = n;
    if (r === void 0 || (l !== "written" && l !== "stale") || e.some((u) => u.id === t)) return;
    const c = e.findLast((u) => u.value !== void 0 && u.refusedFor === void 0),
      d = l === "written" && c && c.token > r ? c.token : void 0;
    e.push({
      id: t,
      at: a,
      who: i,
      token: r,
      value: o,
      refusedFor: l === "stale" ? Number(s[2]) : void 0,
      overwrote: d,
    });
  }
  function wr(e, n) {
    const { redis: t, history: r, narrator: o, players: s, seconds: i } = e,
      a = r.instances[n].phases.at(-1);
    a && (a.to = i()),
      Object.assign(s[n], hr()),
      (s[n].running = Gf({ who: n, redis: t, seconds: i, unfenced: e.unfenced }, r.instances[n], {
        sent: (l) => r.exchanges.push(l),
        arrived(l) {
          const { operation: c, exchange: d } = l,
            u = l.token === void 0 ? void 0 : (e.unfenced?.get(l.token) ?? l.token),
            f = { ...l, token: u };
          c === "acquire" && d.verdict === "granted" && d0(r, f),
            c === "release" && d.verdict === "closed" && u0(r, f),
            (c === "claim" || c === "write") && f0(r, f),
            (e.isFenceNew ||= d.to === "resource"),
            o.arrived(f);
        },
        lost: (l) => o.lost(l),
        told: (l) => o.told(n, l),
        failed: (l) => o.failed(n, l),
      }));
  }
  var Df = 60,
    m0 = "3650d";
  function p0({ redis: e, clock: n, history: t, narrator: r, players: o, seconds: s }, i) {
    const a = o[i],
      { running: l } = a;
    l &&
      ((a.isFrozen = !0),
      n.timers.setTimeout(() => {
        a.running === l && ((a.isFrozen = !1), r.woke(i));
      }, et * 1e3),
      e.freeze(l.locks, et * 1e3),
      t.instances[i].freezes.push({ from: s(), to: s() + et }));
  }
  function y0({ redis: e, history: n, players: t, seconds: r }, o) {
    const { running: s } = t[o];
    if (!s) return;
    e.freeze(s.locks, m0);
    const { phases: i, freezes: a, beliefs: l } = n.instances[o],
      [c, d, u] = [i.at(-1), a.at(-1), l.at(-1)];
    c && (c.to = r()),
      d?.to !== void 0 && (d.to = Math.min(d.to, r())),
      u && (u.to ??= Math.min(u.until, r())),
      i.push({ what: "dead", from: r() }),
      Object.assign(t[o], { ...hr(), isDead: !0 });
  }
  function Bf(e, n) {
    (e.ahead += n), e.redis.stepClock(n * 1e3), e.history.clockSteps.push({ at: e.seconds(), by: n });
  }
  function ma({ players: e, ahead: n }, t) {
    if (t === "clock-forward") return n < Df;
    if (t === "clock-back") return n > -Df;
    const [r, o] = t.split("-"),
      { running: s, isDead: i, isFrozen: a } = e[o];
    return r === "start" ? i : r === "lose" ? s !== void 0 && !s.isLosing : s !== void 0 && (r === "kill" || !a);
  }
  function Wf(e, n) {
    const [t, r] = n.split("-");
    n === "clock-forward"
      ? Bf(e, nt)
      : n === "clock-back"
        ? Bf(e, -nt)
        : t === "freeze"
          ? p0(e, r)
          : t === "lose"
            ? e.players[r].running?.loseNextAnswer()
            : t === "kill"
              ? y0(e, r)
              : wr(e, r);
  }
  var g0 = 10,
    jf = 1 / Ft;
  async function b0({ redis: e }) {
    const n = er(e.options),
      t = xt(n),
      r = await n.lock("warm-up").acquire();
    return await t.write(r, ""), await t.read(r.name), await r.release(), t;
  }
  function h0({ history: { tenures: e }, narrator: n }, t, r) {
    for (const o of e)
      o.to === void 0 &&
        (t?.token === o.token
          ? (o.until = r + t.remaining)
          : ((o.to = o.until > r - jf && o.until <= r ? o.until : r), n.expired(o)));
  }
  async function w0(e, n, t) {
    let { redis: r, players: o, ahead: s, seconds: i } = e,
      a = r.held().find(({ name: u }) => u === jo),
      l = i(),
      c = a && { who: a.label ?? "", token: a.token, remaining: (a.until - Ko) / 1e3 - s - l },
      { fence: d } = t;
    if (e.isFenceNew) {
      e.isFenceNew = !1;
      const u = (await n.read(jo)) ?? void 0;
      d = u && { ...u, token: e.unfenced?.get(u.token) ?? u.token };
    }
    h0(e, c, l);
    for (const u of cn.map((f) => o[f])) u.isFrozen || (u.lease = u.running?.view());
    return { holder: c, fence: d, ahead: s };
  }
  async function Kf({ seed: e, deeds: n, isUnfenced: t = !1 }) {
    let r = Uf(e, t),
      o = await b0(r),
      s = [],
      i = n,
      a = 0,
      l = { holder: void 0, fence: void 0, ahead: 0 };
    function c(d) {
      ma(r, d) && (s.push({ action: d, tick: a }), r.narrator.deed(d, l.holder), Wf(r, d));
    }
    return (
      wr(r, "A"),
      {
        seed: e,
        isUnfenced: t,
        get deeds() {
          return [...s, ...i];
        },
        get tick() {
          return a;
        },
        get seconds() {
          return a / Ft;
        },
        history: r.history,
        get server() {
          return l;
        },
        instance: (d) => fa(r.players[d]),
        allows: (d) => ma(r, d),
        act(d) {
          (i = []), c(d);
        },
        async advance() {
          const d = i.filter((u) => u.tick <= a);
          i = i.slice(d.length);
          for (const { action: u } of d) c(u);
          await r.redis.advance(jf * 1e3), a++, (l = await w0(r, o, l)), a === g0 && wr(r, "B");
        },
      }
    );
  }
  var x0 =
      '<defs><pattern id="ice" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V9" class="ice"/></pattern></defs>',
    k0 = 1e3 / 31,
    R0 = 40,
    Zf = "#seed=1&do=freeze-A@2.4",
    S0 = 2.5,
    E0 = matchMedia("(max-width: 900px)"),
    O0 = 100,
    [Xf, A0, zf] = [Z("play"), Z("step"), Z("copied")],
    zo = Z("picture"),
    He = Z("look"),
    T0 = Z("log"),
    pa = Z("unfenced"),
    em = [...document.querySelectorAll("[data-action]")],
    nm = [...document.querySelectorAll(".story")],
    Se,
    Xn = !1,
    xr = 0,
    kr = [],
    Zn = 0,
    ya = 0,
    Jf = "";
  function ga(e) {
    (Xn = e), (Xf.textContent = e ? "Pause" : "Play");
  }
  var Yf = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  async function Jo(e, n) {
    const t = ++ya;
    (Se = void 0), (kr = []), (Zn = xr = 0), vl(), (He.max = He.value = "0");
    const r = await Kf(e),
      o = n ?? (Yf() ? S0 : 0);
    for (; r.seconds < o; ) await r.advance();
    t === ya && ((Se = r), ga(n === void 0 && !Yf()), rm(r), (document.body.dataset.ready = "true"));
  }
  function ba(e) {
    const { at: n, ...t } = Sa(e || Zf);
    tm(),
      (pa.checked = t.isUnfenced === !0),
      Jo(t, n).catch((r) => {
        Z("caption").textContent = `The run cannot begin: ${Object(r).message ?? r}`;
      });
  }
  function tm() {
    for (const e of nm)
      e.hash === (location.hash || Zf).replace("&fence=off", "")
        ? e.setAttribute("aria-current", "true")
        : e.removeAttribute("aria-current");
  }
  function Yo(e) {
    history.replaceState(null, "", `#${Ra(e)}`), tm();
  }
  function rm(e) {
    const n = e.seconds + (Xn ? Math.min(Zn, 0.99) / 10 : 0),
      t = Number(He.value) >= Number(He.max);
    (He.max = n.toFixed(1)), t && (He.value = He.max), He.setAttribute("aria-valuetext", on(Number(He.value)));
    const r = Number.parseFloat(getComputedStyle(zo).getPropertyValue("--pitch")),
      o = zo.clientWidth,
      s = [ya, n, He.value, o, e.history.notes.length, e.tick].join();
    if (s === Jf) return;
    Jf = s;
    const i = { width: o, pitch: r, isNarrow: E0.matches, now: n, shown: t ? n : Number(He.value) };
    zo.setAttribute("viewBox", `0 0 ${o} ${Al(i)}`), (zo.innerHTML = x0 + Cl(e.history, i));
    for (const a of cn) kl(e, a);
    Rl(e), Pl(e), Nl(e), Sl(em, e);
  }
  async function M0(e, n) {
    if (kr.length > 0) {
      for (const s of kr) e.act(s);
      (kr = []), Yo(e);
    }
    const t = Number(document.querySelector("[name=speed]:checked")?.value);
    T0.setAttribute("aria-live", Xn && t > 1 ? "off" : "polite"), Xn && (Zn += (n / 100) * t);
    const r = performance.now() + R0,
      o = e.history.notes.length;
    for (; (Xn ? Zn >= 1 : xr > 0) && performance.now() < r; )
      await e.advance(), Xn ? Zn-- : (xr = e.history.notes.length > o ? 0 : xr - 1);
    Zn = Math.min(Zn, t);
  }
  var Qf = performance.now();
  async function om() {
    const e = performance.now() - Qf;
    if (e >= k0) {
      Qf = performance.now();
      const n = Se;
      n && (await M0(n, Math.min(e, 250)), n === Se && rm(n));
    }
    requestAnimationFrame(() => {
      om();
    });
  }
  function C0(e) {
    Se && kr.push(e);
  }
  for (const e of em)
    e.addEventListener("click", () => {
      const { action: n, else: t } = e.dataset;
      C0(t && Se?.allows(t) ? t : n);
    });
  for (const e of nm)
    e.addEventListener("click", (n) => {
      n.preventDefault(), history.replaceState(null, "", e.hash), ba(e.hash);
    });
  Xf.addEventListener("click", () => ga(!Xn));
  A0.addEventListener("click", () => {
    ga(!1), (xr = O0);
  });
  Z("restart").addEventListener("click", () => Se && void Jo(Se));
  Z("other").addEventListener("click", () => {
    if (!Se) return;
    const { deeds: e, isUnfenced: n } = Se,
      t = { seed: Math.floor(Math.random() * 9e3) + 1e3, deeds: e, isUnfenced: n };
    Yo(t), Jo(t);
  });
  pa.addEventListener("change", () => {
    if (!Se) return;
    const { seed: e, deeds: n } = Se,
      t = { seed: e, deeds: n, isUnfenced: pa.checked };
    Yo(t), Jo(t);
  });
  Z("copy").addEventListener("click", async () => {
    Se && Yo(Se);
    const e = navigator.clipboard?.writeText(location.href) ?? Promise.reject();
    (zf.textContent = await e.then(
      () => "Copied.",
      () => "The address of this page is the link.",
    )),
      setTimeout(() => {
        zf.textContent = "";
      }, 4e3);
  });
  for (const e of ["log", "code"]) Z(e).tabIndex = 0;
  addEventListener("hashchange", () => ba(location.hash));
  ba(location.hash);
  om();
})();
