import type { HttpResponse, Respond } from "./message.ts";

interface Due {
  readonly response: HttpResponse;
  take(response: HttpResponse): void;
}

/**
 * Wraps `respond` so that responses go out together, once everything that has arrived is read. To write each as soon
 * as it is there would take longer: its client asks again at once, and smaller batches of requests reach Redis. No
 * response goes out in the turn of its request: those behind it are read first, one of which may be the last before a
 * drain.
 */
export function inBatches(respond: Respond): Respond {
  let due: Due[] = [];
  function flush(): void {
    const now = due;
    due = [];
    for (const { take, response } of now) take(response);
  }
  return (request, take) =>
    respond(request, (response) => {
      if (due.push({ take, response }) === 1) queueMicrotask(flush);
    });
}
