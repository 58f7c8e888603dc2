/** SIGHUP, remembered until there is somebody to act on it. */
export interface HangUp {
  /** Calls `act` for every signal from now on, and once now if any has come already. */
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
