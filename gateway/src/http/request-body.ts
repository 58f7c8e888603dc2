import type { Hold } from "../shared/budget.ts";
import { BodyMissing, BodyTooLarge } from "../shared/error-answers.ts";
import { createCollector } from "./body-collector.ts";

/** The maximum bytes kept of a body that was not requested yet; beyond that, the client must wait. */
const MAX_UNASKED = 65_536;

/** The body of one request, while it arrives. */
export interface RequestBody {
  /** Whether no more of it is to be read for now. */
  readonly isFull: boolean;
  /** Like {@link HttpRequest.body}. */
  read(limit: number, room: Hold): Promise<Buffer>;
  /** Adds the next piece. */
  add(bytes: Buffer): void;
  /** Records that all of it has arrived. */
  end(): void;
  /** Records that the rest will not arrive. */
  cut(): void;
  /** Drops an unrequested body, since the request is answered. */
  drop(): void;
}

/** @param asked called when the body is requested, so that more of it can be read */
export function createBody(asked: () => void): RequestBody {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let isWhole = false;
  let isCut = false;
  let isDropped = false;
  let take: ((piece: Buffer) => void) | undefined;
  let settle = (): void => {};

  return {
    get isFull() {
      return take === undefined && !isDropped && bytes > MAX_UNASKED;
    },
    read(limit, room) {
      return new Promise((resolve, reject) => {
        const collector = createCollector(limit, room);
        take = (piece) => {
          try {
            collector.add(piece);
          } catch (error) {
            isDropped = true;
            reject(error);
          }
        };
        settle = () => {
          if (isCut) reject(new BodyMissing());
          else if (isWhole) resolve(collector.whole());
        };
        for (const piece of pieces) take(piece);
        pieces = [];
        asked();
        settle();
      });
    },
    add(piece) {
      if (isDropped) return;
      if (take !== undefined) {
        take(piece);
        return;
      }
      bytes += piece.length;
      pieces.push(piece);
    },
    end() {
      isWhole = true;
      settle();
    },
    cut() {
      isCut = !isWhole;
      settle();
    },
    drop() {
      isDropped = true;
      pieces = [];
    },
  };
}

/** Why a body must not be read, by its length in the head. */
export function tooLarge(length: string | undefined, limit: number): BodyTooLarge | undefined {
  return Number(length) > limit ? new BodyTooLarge(limit) : undefined;
}
