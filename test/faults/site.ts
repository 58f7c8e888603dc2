import type { Turn } from "../../src/index.ts";
import type { World } from "./stage.ts";

/** A call of the SDK that meets a fault. */
export interface Site {
  readonly name: string;
  /** The script whose requests meet it. */
  readonly script: string;
  /** Whether it goes on trying for more than a second. */
  readonly patient: boolean;
  arrange(world: World): Promise<Scene>;
}

export interface Scene {
  /** Calls `arm` when the faults are to begin. */
  act(arm: () => void): Promise<unknown>;
  /** It worked: what it gave is right, and so is the state of the server. Asked again after every late copy. */
  worked(): Promise<void>;
  /** It failed: everything is as it was. */
  unchanged(): Promise<void>;
  /** Ends what stands; the name is free with the next request, or done for good. */
  end(): Promise<void>;
  /** Still as `end` left it. */
  ended(): Promise<void>;
}

export function started(turn: Turn | undefined): Extract<Turn, { status: "started" }> {
  if (turn?.status !== "started") throw new Error(`the attempt should have started, and is ${turn?.status}`);
  return turn;
}
