/**
 * The reasons that excuse what a check finds: sentences of docs/guarantees.md under "Not guaranteed", and an operator
 * who forces.
 */
export type Sentence =
  | "A lease can end early"
  | "The first request of a client"
  | "A token can fall"
  | "A try that does not wait is not remembered when it is refused"
  | "A quorumLock needs discipline"
  | "forced by an operator"
  | "A permit that expired counts again";
