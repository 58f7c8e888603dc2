import { overcomesAll } from "../../faults/suite.ts";
import { lockSites } from "./sites.ts";

overcomesAll("lock", lockSites);
