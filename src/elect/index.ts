export { type ElectOptions, elect, type LostTerm } from "./elect.ts";
