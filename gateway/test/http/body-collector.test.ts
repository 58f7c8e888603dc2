import fc from "fast-check";
import { expect, it } from "vitest";
import { createCollector } from "../../src/http/body-collector.ts";
import { createBudget } from "../../src/shared/budget.ts";
import { BodyTooLarge } from "../../src/shared/error-answers.ts";

const pieces = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 30 });

it("puts a body together from any pieces, and leaves them as they are", () => {
  fc.assert(
    fc.property(pieces, fc.nat(50), (chunks, room) => {
      const all = Buffer.concat(chunks);
      const copies = chunks.map((chunk) => chunk.slice());
      const collector = createCollector(
        all.length + room,
        createBudget(2 ** 30, () => {})
          .portion()
          .hold(),
      );
      for (const chunk of chunks) collector.add(chunk);
      expect(collector.whole()).toEqual(all);
      expect(chunks).toEqual(copies);
    }),
  );
});

it("refuses what is more than the limit, by a byte as well", () => {
  fc.assert(
    fc.property(pieces, (chunks) => {
      const size = Buffer.concat(chunks).length;
      fc.pre(size > 0);
      const collector = createCollector(
        size - 1,
        createBudget(2 ** 30, () => {})
          .portion()
          .hold(),
      );
      expect(() => {
        for (const chunk of chunks) collector.add(chunk);
      }).toThrow(BodyTooLarge);
    }),
  );
});
