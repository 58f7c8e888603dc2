import { overcomesAll } from "../../faults/suite.ts";
import { rwSites } from "./sites.ts";

overcomesAll("rw", rwSites);
