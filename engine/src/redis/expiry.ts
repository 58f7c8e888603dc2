import { toBigInt } from "./numbers.ts";
import { refuse } from "./reply.ts";

const LARGEST = 2n ** 63n - 1n;

/**
 * The time in ms at which a key expires, by an option: EX and PX count from now, EXAT and PXAT since 1970, EX and EXAT
 * in seconds.
 *
 * @throws ErrorReply for a time that is not positive or too large
 */
export function expiryBy(option: string, text: string, now: number, command: string): number {
  const value = toBigInt(text);
  const ms = option.startsWith("P") ? value : value * 1000n;
  const at = option.endsWith("AT") ? ms : ms + BigInt(Math.floor(now));
  if (value <= 0n || ms > LARGEST || at > LARGEST) refuse(`ERR invalid expire time in '${command}' command`);
  return Number(at);
}

/** Like `expiryBy`, for EXPIRE and related commands, which accept times in the past. */
export function pastOrFuture(
  text: string,
  seconds: boolean,
  isAbsolute: boolean,
  now: number,
  command: string,
): number {
  const value = toBigInt(text);
  const ms = seconds ? value * 1000n : value;
  const at = isAbsolute ? ms : ms + BigInt(Math.floor(now));
  if (ms > LARGEST || ms < -LARGEST || at > LARGEST) refuse(`ERR invalid expire time in '${command}' command`);
  return Number(at);
}
