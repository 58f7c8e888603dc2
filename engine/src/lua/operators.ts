import {
  type Arithmetic,
  arithmetic,
  compute,
  concat,
  equals,
  isLess,
  LONG_TEXT,
  lengthOf,
  negate,
  type Site,
} from "./operations.ts";
import type { Get } from "./scope.ts";
import { isTrue } from "./value.ts";

/** Applies an operator to the values of both sides; the left one is evaluated first. */
export function binary(operator: string, a: Get, b: Get, site: Site): Get {
  switch (operator) {
    case "==":
      return (frame) => {
        const one = a(frame);
        const other = b(frame);
        if (typeof one === "object" || (typeof one === "string" && one.length > LONG_TEXT))
          return equals(site, one, other);
        return one === other;
      };
    case "~=":
      return (frame) => {
        const one = a(frame);
        const other = b(frame);
        if (typeof one === "object" || (typeof one === "string" && one.length > LONG_TEXT))
          return !equals(site, one, other);
        return one !== other;
      };
    case "<":
      return (frame) => isLess(site, a(frame), b(frame), false);
    case "<=":
      return (frame) => isLess(site, a(frame), b(frame), true);
    case ">":
      return (frame) => {
        const one = a(frame);
        return isLess(site, b(frame), one, false);
      };
    case ">=":
      return (frame) => {
        const one = a(frame);
        return isLess(site, b(frame), one, true);
      };
    case "..":
      return (frame) => {
        const one = a(frame);
        const other = b(frame);
        if (typeof one !== "string" || typeof other !== "string") return concat(site, one, other);
        site.machine.budget.text(one.length + other.length);
        return one + other;
      };
    default:
      return arithmeticOf(operator as Arithmetic, a, b, site);
  }
}

function arithmeticOf(operator: Arithmetic, a: Get, b: Get, site: Site): Get {
  if (operator === "+")
    return (frame) => {
      const one = a(frame);
      const other = b(frame);
      return typeof one === "number" && typeof other === "number" ? one + other : arithmetic(site, "+", one, other);
    };
  if (operator === "-")
    return (frame) => {
      const one = a(frame);
      const other = b(frame);
      return typeof one === "number" && typeof other === "number" ? one - other : arithmetic(site, "-", one, other);
    };
  return (frame) => {
    const one = a(frame);
    const other = b(frame);
    return typeof one === "number" && typeof other === "number"
      ? compute(operator, one, other)
      : arithmetic(site, operator, one, other);
  };
}

/** `and` and `or`: the right side is evaluated only if the left one does not decide. */
export function logical(operator: string, left: Get, right: Get): Get {
  if (operator === "and")
    return (frame) => {
      const value = left(frame);
      return isTrue(value) ? right(frame) : value;
    };
  return (frame) => {
    const value = left(frame);
    return isTrue(value) ? value : right(frame);
  };
}

/** Applies an operator to one value. */
export function unary(operator: string, get: Get, site: Site): Get {
  if (operator === "not") return (frame) => !isTrue(get(frame));
  if (operator === "#") return (frame) => lengthOf(site, get(frame));
  return (frame) => {
    const value = get(frame);
    return typeof value === "number" ? -value : negate(site, value);
  };
}
