/**
 * The parts of the next `upstash-sync-token`. A client returns the token to read its own writes, and some clients
 * compare it with the previous one. Servers ignore it, since all commands go to where the writes are. So any rising
 * number works. It begins with the time in ms, to rise across restarts as well; three digits follow, as text, since
 * numbers of that length are slow to format.
 */
let ms: number | undefined;
let start = "";
let count = 100;

export function nextSyncToken(): string {
  // Workers have no time before the first request.
  if (ms === undefined) {
    ms = Date.now();
    start = String(ms);
  }
  if (++count > 999) {
    count = 100;
    start = String(++ms);
  }
  return start + count;
}
