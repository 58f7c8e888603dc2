import type { ObjectStorage } from "./object-storage.ts";
import type { Survey, Tables } from "./tables.ts";

/** An alarm is no nearer than this, since a name that is in use would set it again and again. */
const LEAST_DELAY_MS = 10 * 60_000;
/** An object with more keys is swept at least that often. Expired keys of a small one wait for its last key. */
const SMALL = 10;
const MOST_DELAY_MS = 24 * 60 * 60_000;

/** When to look for expired keys; undefined where none expires. */
function alarmTime({ count, lastExpiry }: Survey, now: number): number | undefined {
  if (lastExpiry === undefined || count === 0) return undefined;
  // A key lives up to and with the millisecond of its expiry.
  const wanted = Math.max(lastExpiry + 1, now + LEAST_DELAY_MS);
  return count > SMALL ? Math.min(wanted, now + MOST_DELAY_MS) : wanted;
}

/** The one alarm of an object, after which something can have expired. */
export interface Alarm {
  set(survey: Survey): Promise<void>;
  /** Sees to it that an object with keys has an alarm. @param wasThere whether it had keys before the present request */
  guard(tables: Tables | undefined, wasThere: boolean): Promise<void>;
  /** The alarm is gone. */
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
