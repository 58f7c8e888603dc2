import type { HttpResponse, Respond } from "./message.ts";

interface Due {
  readonly response: HttpResponse;
  write(response: HttpResponse): void;
}

/**
 * Wraps `respond`: holds responses back until the end of the present turn, and then writes them one after the other. To
 * write each as soon as it is made would take longer: its client asks again at once, and smaller batches of requests
 * reach Redis. No response goes out before the requests that came together with its own are read: during a drain one
 * of those is the last.
 */
export function inBatches(respond: Respond): Respond {
  let held: Due[] = [];
  function flush(): void {
    const due = held;
    held = [];
    for (const { write, response } of due) write(response);
  }
  return (request, write) =>
    respond(request, (response) => {
      if (held.push({ write, response }) === 1) queueMicrotask(flush);
    });
}
