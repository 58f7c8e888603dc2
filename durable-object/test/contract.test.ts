import { afterAll } from "vitest";
import { contracts } from "../../test/contract/all.ts";
import { durableObject } from "../src/port.ts";
import { localNamespace } from "./support/namespace.ts";

const objects = localNamespace();
objects.forgets = true;
afterAll(() => objects.close());

contracts("objects that leave memory after each call", () => ({ redis: durableObject(objects) }));
