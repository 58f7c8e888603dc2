/** SIGHUP, from before there is anybody who can act on it. */
export interface HangUp {
  /** Says what to do at each one from now on; for those that have come already it is done now, once. */
  take(act: () => void): void;
}

/** Listens for SIGHUP, which would end the process otherwise. */
export function listenForHangUp(): HangUp {
  let hasCome = false;
  let act = (): void => {
    hasCome = true;
  };
  process.on("SIGHUP", () => act());
  return {
    take(next) {
      act = next;
      if (hasCome) next();
      hasCome = false;
    },
  };
}
