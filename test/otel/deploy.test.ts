import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNoopMeter, type Meter } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import { otel } from "../../src/otel/index.ts";
import { textOf } from "../documents/markdown.ts";

const DEPLOY = join(import.meta.dirname, "../../docs/deploy");
const alerts = readFileSync(join(DEPLOY, "prometheus-alerts.yml"), "utf8");
const dashboard = JSON.parse(readFileSync(join(DEPLOY, "grafana-dashboard.json"), "utf8")) as {
  readonly panels: readonly { readonly type: string; readonly targets?: readonly { readonly expr: string }[] }[];
};

/** The metrics that the code makes: their names, and the endings of a histogram's, with their unit and without. */
function metricsOfCode(): ReadonlyMap<string, readonly string[]> {
  const made = new Map<string, readonly string[]>();
  const noop = createNoopMeter();
  const meter: Meter = Object.assign(Object.create(noop) as Meter, {
    createHistogram(name: string) {
      made.set(
        name,
        ["", "_seconds"].flatMap((unit) => ["_bucket", "_count", "_sum"].map((end) => unit + end)),
      );
      return noop.createHistogram(name);
    },
    createCounter(name: string) {
      made.set(name, ["_total"]);
      return noop.createCounter(name);
    },
    createUpDownCounter(name: string) {
      made.set(name, [""]);
      return noop.createUpDownCounter(name);
    },
  });
  otel({ meter }).onEvent({ kind: "lock", name: "a", type: "acquired", token: 1, waitedMs: 0, polls: 1 });
  return made;
}
const metrics = metricsOfCode();
const inPrometheus = new Set(
  [...metrics].flatMap(([name, endings]) => endings.map((ending) => name.replaceAll(".", "_") + ending)),
);

/**
 * Names of metrics in an expression: what no label list, no grouping and no function is. A histogram's must stand there
 * with its unit and without.
 */
const metricsIn = (expression: string): readonly string[] => {
  const both = [...expression.matchAll(/__name__=~"(leasehold_\w+)\(_seconds\)\?(_\w+)"/g)].flatMap(
    ([, name = "", end = ""]) => [name + end, `${name}_seconds${end}`],
  );
  const bare = expression.replace(/\{[^}]*\}/g, "").replace(/\bby \([^)]*\)/g, "");
  return [...both, ...(bare.match(/\bleasehold_\w+/g) ?? [])];
};
/** Names of labels in an expression. */
const labelsIn = (expression: string): readonly string[] => [
  ...[...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(", ")),
  ...[...expression.matchAll(/(\w+)(?:=~|!=|=)"/g)].map(([, label = ""]) => label),
];
/** As the code names attributes. */
const LABELS = /^(le|__name__|error_type|leasehold_(kind|name|operation|outcome|reason|sender|status|why))$/;

/** The rules, read line by line: any other line than a rule file has is an error. */
function rulesOf(text: string): readonly Readonly<Record<string, string>>[] {
  const rules: Record<string, string>[] = [];
  const known =
    /^(?:#.*|groups:| {2}- name: \w+| {4}rules:| {6}- (alert): (\w+)| {8}(expr|for): (.+)| {8}(?:labels|annotations):| {10}(severity|summary|description|runbook_url): (.+))$/;
  for (const line of text.trimEnd().split("\n")) {
    const found = known.exec(line);
    if (!found) throw new Error(`not a line of a rule: ${line}`);
    const [key, value] = found.slice(1).filter((part) => part !== undefined);
    if (key === "alert") rules.push({});
    const rule = rules.at(-1);
    if (rule && key !== undefined && value !== undefined) rule[key] = value;
  }
  return rules;
}

describe("deploy/", () => {
  const rules = rulesOf(alerts);

  it("alerts on metrics and labels that the code makes, and says of each what to do", () => {
    expect(rules.length).toBeGreaterThan(5);
    for (const rule of rules) {
      const found = metricsIn(rule["expr"] ?? "");
      expect(found.length).toBeGreaterThan(0);
      for (const metric of found) expect(inPrometheus).toContain(metric);
      for (const label of labelsIn(rule["expr"] ?? "")) expect(label).toMatch(LABELS);
      expect(Object.keys(rule)).toEqual(
        expect.arrayContaining(["alert", "expr", "severity", "summary", "description", "runbook_url"]),
      );
    }
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    const headings = [...textOf("docs/operations.md").matchAll(/^## (.+)$/gm)].map(([, text = ""]) => text);
    const anchors = headings.map((text) => text.toLowerCase().replaceAll(" ", "-"));
    for (const { runbook_url = "" } of rules) {
      const [page, anchor] = runbook_url.split("#");
      expect(page).toBe("https://leasehold.github.io/leasehold/operations");
      expect(anchors).toContain(anchor);
    }
  });

  it("has alerts that promtool accepts, where it is installed", () => {
    const file = join(DEPLOY, "prometheus-alerts.yml");
    const { error, status, stdout, stderr } = spawnSync("promtool", ["check", "rules", file], { encoding: "utf8" });
    if (error) console.warn("promtool is not installed, so only our own reader has read the alerts");
    else expect([status, stdout + stderr]).toEqual([0, expect.stringContaining(`${rules.length} rules found`)]);
  });

  it("shows every metric on the dashboard, and no others", () => {
    const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    const shown = new Set(expressions.flatMap(metricsIn));
    for (const metric of shown) expect(inPrometheus).toContain(metric);
    for (const label of expressions.flatMap(labelsIn)) expect(label).toMatch(LABELS);
    for (const name of metrics.keys())
      expect([...shown].filter((metric) => metric.startsWith(name.replaceAll(".", "_")))).not.toEqual([]);
  });
});

it("docs/observability.md has a row for every metric", () => {
  const rows = [...textOf("docs/observability.md").matchAll(/^\| `(leasehold\.[\w.]+)` \|/gm)].map(([, name]) => name);
  expect(rows.sort()).toEqual([...metrics.keys()].sort());
});

/** The text of the Prometheus exporter of OpenTelemetry's JavaScript SDK (0.223.0), and as a collector names the same. */
const EXPORTED = readFileSync(join(import.meta.dirname, "exported/prometheus-exporter.txt"), "utf8");
const NAMINGS: readonly (readonly [exporter: string, text: string])[] = [
  ["the Prometheus exporter of the JavaScript SDK", EXPORTED],
  ["a collector", EXPORTED.replace(/^(leasehold_\w+_duration)_(bucket|count|sum)\{/gm, "$1_seconds_$2{")],
];

/** The samples of a text in Prometheus's format. */
const samplesOf = (text: string): readonly (readonly [series: string, value: string])[] =>
  [...text.matchAll(/^(leasehold_\w+\{.*\}) (\S+)$/gm)].map(([, series = "", value = ""]) => [series, value]);

const hasPromtool = !spawnSync("promtool", ["--version"]).error;
if (!hasPromtool) console.warn("promtool is not installed: no alert and no panel is evaluated here");

/** Asks promtool whether these expressions have these values, where each series has the values that `given` makes. */
function evaluated(text: string, given: (value: string) => string, at: string, expected: readonly [string, number][]) {
  const dir = mkdtempSync(join(tmpdir(), "leasehold-alerts-"));
  const test = {
    rule_files: [join(DEPLOY, "prometheus-alerts.yml")],
    evaluation_interval: "1m",
    tests: [
      {
        interval: "1m",
        input_series: samplesOf(text).map(([series, value]) => ({ series, values: given(value) })),
        promql_expr_test: expected.map(([expr, value]) => ({
          expr,
          eval_time: at,
          exp_samples: [{ labels: "{}", value }],
        })),
      },
    ],
  };
  // JSON is YAML.
  writeFileSync(join(dir, "test.yml"), JSON.stringify(test));
  const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", join(dir, "test.yml")], {
    encoding: "utf8",
  });
  rmSync(dir, { recursive: true });
  return [status, stdout + stderr] as const;
}
const firing = (alert: string): string =>
  `count(count by (alertname) (ALERTS{alertname="${alert}",alertstate="firing"}))`;

describe.runIf(hasPromtool).each(NAMINGS)("under the names of %s", (_exporter, text) => {
  const rare = ["StaleWrite", "LeaseLost", "Unanswered", "Unprotected", "CronFailed"];
  const frequent = ["LeaseExpiring", "WaitLong", "ManyWaiters", "RequestsFail", "DedupeFails"];
  const alerts = (names: readonly string[]): [string, number][] => names.map((name) => [firing(`Leasehold${name}`), 1]);

  it("alerts on what is rare fire at the first event, of a counter that was not there before", () => {
    expect(evaluated(text, (value) => `_x20 ${value}x40`, "22m", alerts(rare))).toEqual([0, expect.anything()]);
  });

  it("alerts on what is frequent fire when it lasts", () => {
    expect(evaluated(text, (value) => `0+${60 * Number(value)}x60`, "50m", alerts(frequent))).toEqual([
      0,
      expect.anything(),
    ]);
  });

  it("no alert fires where nothing happens", () => {
    const none: [string, number] = ['count(ALERTS{alertstate="firing"}) or vector(0)', 0];
    expect(evaluated(text, () => "0x60", "50m", [none])).toEqual([0, expect.anything()]);
  });

  it("every panel of the dashboard shows something", () => {
    const shown = dashboard.panels
      .flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
      .map((expr) => expr.replaceAll("$__rate_interval", "5m").replace(/\$(kind|name)/g, ".*"))
      .map((expr): [string, number] => [`count(${expr}) > bool 0`, 1]);
    expect(shown.length).toBeGreaterThan(15);
    expect(evaluated(text, (value) => `0+${Number(value)}x60`, "50m", shown)).toEqual([0, expect.anything()]);
  });
});

it("the text of the exporter has every metric", () => {
  const names = new Set(samplesOf(EXPORTED).map(([series]) => series.replace(/\{.*/, "")));
  for (const [name, endings] of metrics)
    expect(
      endings.some((ending) => names.has(name.replaceAll(".", "_") + ending)),
      name,
    ).toBe(true);
});
