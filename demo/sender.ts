/** A retrying sender: it retries after the requested time, at another instance. */
import { setTimeout as pause } from "node:timers/promises";
import type { Delivery } from "./deliveries.ts";

export interface Answer {
  readonly id: string;
  readonly code: number;
  /** The outcome reported by the Worker: `processed`, `duplicate`, `running`, `stale`, … */
  readonly status: string;
  /** Time in the Worker outside its own work, in whole ms, as its clock has no more. */
  readonly dedupeMs: number | undefined;
}

const MAX_TRIES = 12;

export async function post(url: string, delivery: Delivery, extra: Record<string, string> = {}): Promise<Response> {
  const headers = { ...delivery.headers, ...extra };
  return fetch(`${url}/webhooks/github`, { method: "POST", headers, body: delivery.body });
}

/** Sends one copy until its final answer, and reports every answer. */
export async function sendPatiently(
  urls: readonly string[],
  first: number,
  delivery: Delivery,
  extra: Record<string, string>,
  onAnswer: (answer: Answer) => void,
): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const response = await post(urls[(first + tries) % urls.length] as string, delivery, extra);
    await response.text();
    const timing = /dedupe;dur=([\d.]+)/.exec(response.headers.get("Server-Timing") ?? "")?.[1];
    onAnswer({
      id: delivery.id,
      code: response.status,
      status: response.headers.get("Leasehold-Status") ?? "",
      dedupeMs: timing === undefined ? undefined : Number(timing),
    });
    if (response.status !== 409) return;
    await pause(Number(response.headers.get("Retry-After") ?? 1) * 1000);
  }
}
