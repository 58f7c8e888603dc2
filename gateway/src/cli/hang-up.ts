/** Remembers SIGHUP until there is a handler. */
export interface HangUp {
  /** Calls `act` for every signal from now on, and once now if one was already received. */
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
