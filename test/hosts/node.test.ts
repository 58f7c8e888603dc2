/** The table of shapes on Node. */
import { beforeAll } from "vitest";
import { useStack } from "../support/use-stack.ts";
import { type Application, application } from "./application.ts";
import { askAll } from "./questions.ts";
import { SHAPES } from "./shapes/index.ts";

const stack = useStack();
let made: Application;
beforeAll(() => {
  made = application(stack);
});

askAll(SHAPES.map((shape) => ({ ...shape, start: () => shape.start(made) })));
