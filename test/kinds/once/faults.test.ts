import { overcomesAll } from "../../faults/suite.ts";
import { onceSites } from "./sites.ts";

overcomesAll("once", onceSites);
