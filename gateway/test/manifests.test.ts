/** The compose file and the manifests of Kubernetes: against schemas of what they use, and against each other. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { SETTINGS } from "../src/shared/settings.ts";

const read = (name: string): string => readFileSync(join(import.meta.dirname, "../deploy", name), "utf8");
const ajv = new Ajv({ allErrors: true });

type Schema = Readonly<Record<string, unknown>>;
const text: Schema = { type: "string", minLength: 1 };
const flag: Schema = { type: "boolean" };
const port: Schema = { type: "integer", minimum: 1, maximum: 65_535 };
const count: Schema = { type: "integer", minimum: 0 };
const list = (items: Schema): Schema => ({ type: "array", items, minItems: 1 });
const mapOf = (value: Schema): Schema => ({ type: "object", additionalProperties: value });
/** An object with these keys and no others. Those of `optional` may be missing. */
const object = (
  properties: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema => ({
  type: "object",
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
  additionalProperties: false,
});

const selector = object({ matchLabels: mapOf(text) });
const probe = object({
  httpGet: object({ path: text, port: text }),
  periodSeconds: count,
  timeoutSeconds: count,
});
const container = object({
  name: text,
  image: text,
  ports: list(object({ name: text, containerPort: port })),
  env: list(object({ name: text, value: text })),
  volumeMounts: list(object({ name: text, mountPath: text, readOnly: flag })),
  livenessProbe: probe,
  readinessProbe: probe,
  lifecycle: object({ preStop: object({ exec: object({ command: list(text) }) }) }),
  resources: object({ requests: mapOf(text), limits: mapOf(text) }),
  securityContext: object({
    allowPrivilegeEscalation: { const: false },
    readOnlyRootFilesystem: { const: true },
    capabilities: object({ drop: { const: ["ALL"] } }),
  }),
});
const pod = object({
  automountServiceAccountToken: { const: false },
  terminationGracePeriodSeconds: count,
  securityContext: object({
    runAsNonRoot: { const: true },
    runAsUser: count,
    fsGroup: count,
    seccompProfile: object({ type: { const: "RuntimeDefault" } }),
  }),
  containers: list(container),
  volumes: list(object({ name: text, secret: object({ secretName: text }) })),
});
const peerPorts = list(object({ protocol: { enum: ["TCP", "UDP"] }, port }));
const peers = list(object({}, { podSelector: selector, namespaceSelector: selector }));
const SPECS: Readonly<Record<string, Schema>> = {
  "apps/v1 Deployment": object({
    replicas: count,
    selector,
    template: object({ metadata: object({ labels: mapOf(text) }), spec: pod }),
  }),
  "v1 Service": object({ selector: mapOf(text), ports: list(object({ name: text, port, targetPort: text })) }),
  "policy/v1 PodDisruptionBudget": object({ maxUnavailable: count, selector }),
  "networking.k8s.io/v1 NetworkPolicy": object({
    podSelector: selector,
    policyTypes: { const: ["Ingress", "Egress"] },
    ingress: list(object({ ports: peerPorts }, { from: peers })),
    egress: list(object({ ports: peerPorts }, { to: peers })),
  }),
};
const compose = object({
  services: mapOf(
    object(
      { restart: text },
      {
        image: text,
        build: object({ context: text, dockerfile: text }),
        command: list(text),
        environment: mapOf(text),
        secrets: list(text),
        ports: list(text),
        depends_on: mapOf(object({ condition: { const: "service_healthy" } })),
        read_only: flag,
        cap_drop: list(text),
        security_opt: list(text),
        mem_limit: { type: "string", pattern: "^\\d+m$" },
        stop_grace_period: text,
        volumes: list(text),
        healthcheck: object({ test: list(text), interval: text, timeout: text, retries: count }),
      },
    ),
  ),
  secrets: mapOf(object({ file: text })),
  volumes: mapOf(object({})),
});

function check(schema: Schema, value: unknown): void {
  const validate = ajv.compile(schema);
  validate(value);
  expect(validate.errors ?? []).toEqual([]);
}

const VARIABLES = new Set(SETTINGS.flatMap(({ env }) => env));
const known = (name: string): boolean => name === "NODE_OPTIONS" || VARIABLES.has(name);

it("the manifests of Kubernetes are valid, and name what there is", () => {
  const documents = parseAllDocuments(read("kubernetes.yml")).map((document) => document.toJS());
  const names = documents.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
  expect(names.sort()).toEqual(Object.keys(SPECS).sort());
  for (const { apiVersion, kind, metadata, spec } of documents) {
    check(object({ name: text }, { labels: mapOf(text) }), metadata);
    check(SPECS[`${apiVersion} ${kind}`] ?? {}, spec);
  }
  const specOf = (kind: string) => documents.find((document) => document.kind === kind).spec;
  const { template, selector: selected } = specOf("Deployment");
  const { labels } = template.metadata;
  const [gateway] = template.spec.containers;
  const selectors = [
    selected.matchLabels,
    specOf("Service").selector,
    specOf("PodDisruptionBudget").selector.matchLabels,
    specOf("NetworkPolicy").podSelector.matchLabels,
  ];
  for (const one of selectors) expect(one).toEqual(labels);
  const ports = gateway.ports.map((one: { name: string }) => one.name);
  for (const used of [gateway.livenessProbe, gateway.readinessProbe]) expect(ports).toContain(used.httpGet.port);
  for (const { targetPort } of specOf("Service").ports) expect(ports).toContain(targetPort);
  expect([gateway.livenessProbe.httpGet.path, gateway.readinessProbe.httpGet.path]).toEqual(["/health", "/ready"]);
  for (const { name } of gateway.env) expect([name, known(name)]).toEqual([name, true]);
  expect(gateway.volumeMounts[0].name).toBe(template.spec.volumes[0].name);
  // The gateway's own drain and the hook before it fit into the time that it gets.
  expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(
    9 + Number(gateway.lifecycle.preStop.exec.command[1]),
  );
});

it("the compose file is valid, and names what there is", () => {
  const file = parse(read("compose.yml"));
  check(compose, file);
  const { gateway } = file.services;
  for (const name of Object.keys(gateway.environment)) expect([name, known(name)]).toEqual([name, true]);
  for (const name of gateway.secrets) expect(Object.keys(file.secrets)).toContain(name);
  for (const name of Object.keys(gateway.depends_on)) expect(Object.keys(file.services)).toContain(name);
  expect(gateway.environment.LEASEHOLD_TOKEN_FILE).toBe(`/run/secrets/${gateway.secrets[0]}`);
});
