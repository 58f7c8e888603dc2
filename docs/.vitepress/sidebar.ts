import type { DefaultTheme } from "vitepress";

const group = (text: string, pages: readonly (readonly [text: string, page: string])[]): DefaultTheme.SidebarItem => ({
  text,
  items: pages.map(([title, page]) => ({ text: title, link: `/${page}` })),
});

/** The entries of the packages, as the reference names them. */
const ENTRIES = [
  ...["http", "hono", "node", "lambda", "cron", "fence", "elect", "list", "queue", "otel"].map(
    (entry) => `leasehold/${entry}`,
  ),
  ...["ioredis", "node-redis", "bun"].map((entry) => `leasehold/${entry}`),
  ...["leasehold-agents", "leasehold-agents/mcp", "leasehold-agents/chat", "leasehold-nest"],
];

/** The map of the documents. */
export const sidebar: DefaultTheme.SidebarItem[] = [
  group("Start", [
    ["leasehold in five minutes", ""],
    ["Which lock do I need?", "which-lock"],
    ["SET NX or leasehold?", "set-nx"],
    ["From another lock", "migrating"],
  ]),
  group("Guides", [
    ["Locks", "locks"],
    ["Lease, wait and ttl", "durations"],
    ["Webhooks", "webhooks"],
    ["Webhooks on each framework", "webhook-hosts"],
    ["Stripe on Workers", "stripe"],
    ["Crons", "cron"],
    ["Fencing", "fencing"],
    ["Exactly once, in your database", "exactly-once"],
    ["One result for all callers", "one-result"],
    ["Single flight", "single-flight"],
    ["Agents", "agents"],
    ["Newest wins, queue, reject", "newest-wins"],
    ["Tool calls, once (MCP)", "mcp"],
    ["Chat bots (Chat SDK)", "chat"],
    ["Keep-alive", "keep-alive"],
    ["Hand a lease to a queue", "hand-over"],
    ["Leader election", "leader"],
    ["Graceful shutdown", "shutdown"],
    ["Tests", "testing"],
    ["Redis over TCP", "tcp"],
    ["Next.js", "nextjs"],
    ["NestJS", "nest"],
    ["Express", "express"],
    ["Effect", "effect"],
    ["Reserve, then spend", "spend"],
    ["Rate limits", "rate-limits"],
  ]),
  group("Operate", [
    ["Operations", "operations"],
    ["The gateway in detail", "gateway"],
    ["Durable Objects", "durable-object"],
    ["Command line", "command-line"],
    ["The page", "ui"],
    ["Locks for agents (MCP)", "agent-locks"],
    ["Traces and metrics", "observability"],
  ]),
  group("Reference", [
    ["Errors", "errors"],
    ["Guarantees", "guarantees"],
    ["Costs", "costs"],
    ["Scale and prices", "scale"],
    ["How waiting works", "waiting"],
    ["Webhook senders", "senders"],
    ["Limits of platforms", "limits"],
    ["Glossary", "glossary"],
    ["Versions", "versions"],
    ["Roadmap", "roadmap"],
    ["leasehold", "reference/leasehold"],
    ...ENTRIES.map((entry) => [entry, `reference/${entry}`] as const),
  ]),
  group("Research", [
    ["Proof", "proof"],
    ["Histories", "histories"],
    ["Mutation tests", "mutation"],
    ["Faults of other locks", "faults-of-others"],
    ["Benchmarks", "benchmarks"],
  ]),
];
