import { overcomesAll } from "../../faults/suite.ts";
import { fairSites } from "./sites.ts";

overcomesAll("fair lock", fairSites);
