import type { ObjectStorage } from "./object-storage.ts";
import type { Survey, Tables } from "./tables.ts";

/** The minimum delay of an alarm, since a name in use would otherwise set it repeatedly. */
const LEAST_DELAY_MS = 10 * 60_000;
/** An object with more keys is swept at least this often. Expired keys of a smaller object wait for its last key. */
const SMALL = 10;
const MOST_DELAY_MS = 24 * 60 * 60_000;

/** When to remove expired keys; undefined if none expires. */
function alarmTime({ count, lastExpiry }: Survey, now: number): number | undefined {
  if (lastExpiry === undefined || count === 0) return undefined;
  // A key is live up to and including the millisecond of its expiry.
  const wanted = Math.max(lastExpiry + 1, now + LEAST_DELAY_MS);
  return count > SMALL ? Math.min(wanted, now + MOST_DELAY_MS) : wanted;
}

/** The one alarm of an object, after which something can have expired. */
export interface Alarm {
  set(survey: Survey): Promise<void>;
  /** Ensures that an object with keys has an alarm. @param wasThere whether it had keys before the current request */
  guard(tables: Tables | undefined, wasThere: boolean): Promise<void>;
  /** Records that the alarm has fired. */
  forget(): void;
}

/** Makes the alarm of an object. */
export function createAlarm(storage: ObjectStorage, now: () => number): Alarm {
  let isSet = false;
  const alarm: Alarm = {
    async set(survey) {
      const at = alarmTime(survey, now());
      isSet = false;
      if (at !== undefined) await storage.setAlarm(at);
      isSet = at !== undefined;
    },
    async guard(tables, wasThere) {
      if (isSet || !tables?.exist) return;
      // The first write of an object and its alarm are stored together, since nothing is awaited between them.
      if (wasThere && (await storage.getAlarm()) !== null) isSet = true;
      else await alarm.set(tables.survey());
    },
    forget() {
      isSet = false;
    },
  };
  return alarm;
}
