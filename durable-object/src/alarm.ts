import type { ObjectStorage } from "./object-storage.ts";
import type { Survey, Tables } from "./tables.ts";

/** The minimum delay of an alarm, since a name in use would otherwise set it repeatedly. */
const MIN_DELAY_MS = 10 * 60_000;
/** An alarm is not moved for less: setting it is billed as a row. */
const MIN_GAIN_MS = 10 * 60_000;
const NEVER = Number.POSITIVE_INFINITY;

/** When to remove what has expired, or tables without keys; `NEVER` if nothing expires. */
function alarmTime({ count, firstExpiry = NEVER }: Survey, now: number): number {
  // A key is live up to and including the millisecond of its expiry.
  return Math.max(count === 0 ? now : firstExpiry + 1, now + MIN_DELAY_MS);
}

/** The one alarm of an object, after which something can have expired. */
export interface Alarm {
  set(survey: Survey): Promise<void>;
  /**
   * Ensures that an object with tables has an alarm, which comes at most 20 minutes after the first expiry.
   *
   * @param wasThere whether it had tables before the current request
   * @param soonest the first expiry of the keys that the request has written, in ms since 1970; 0 for a removed key
   */
  guard(tables: Tables | undefined, wasThere: boolean, soonest: number | undefined): Promise<void>;
  /** Records that the alarm has fired. */
  forget(): void;
}

/** Makes the alarm of an object. */
export function createAlarm(storage: ObjectStorage, now: () => number): Alarm {
  /** When the alarm fires; `NEVER` if none is needed; undefined if that is not known, or if none is set. */
  let setFor: number | undefined;

  async function setAt(at: number): Promise<void> {
    setFor = undefined;
    if (at !== NEVER) await storage.setAlarm(at);
    setFor = at;
  }

  return {
    set: (survey) => setAt(alarmTime(survey, now())),
    async guard(tables, wasThere, soonest = NEVER) {
      if (!tables?.exist) return;
      // The first write of an object and its alarm are stored together, since nothing is awaited between them.
      if (setFor === undefined && wasThere) setFor = (await storage.getAlarm()) ?? undefined;
      const latest = (setFor ?? NEVER) - MIN_GAIN_MS;
      if (setFor !== undefined && Math.max(soonest, now() + MIN_DELAY_MS) > latest) return;
      const at = alarmTime(tables.survey(), now());
      if (setFor === undefined || at <= latest) await setAt(at);
    },
    forget() {
      setFor = undefined;
    },
  };
}
