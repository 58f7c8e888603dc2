import type { Answer, Order } from "../orders.ts";

/** Reads orders from lines of text, however the chunks are split. */
export function createReader(take: (order: Order) => void): (text: string) => void {
  let rest = "";
  return (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(JSON.parse(line) as Order);
  };
}

export const toLine = (answer: Answer): string => `${JSON.stringify(answer)}\n`;
