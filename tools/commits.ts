/**
 * Checks the form of commits: `type(scope): what`, at most 72 characters; a body for a change of behaviour or of
 * structure; no merges.
 *
 *   node tools/commits.ts [RANGE]     such as `origin/main..HEAD`; every commit since the form was agreed by default
 *
 * A shallow clone lacks the commits, so it checks nothing without a range; CI has a job with the whole history.
 */
import { execFileSync } from "node:child_process";

/** Two subjects of that morning have more than 72 characters. Every commit after it has the form. */
const AGREED = "2026-11-29T13:00:13Z";
const MAX_SUBJECT = 72;
const SUBJECT = /^(build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(\([\w ,/-]+\))?!?: \S.*[^.\s]$/;
/** The types whose commits need a reason. */
const REASONED = /^(feat|fix|perf|refactor)\b/;

/** What is wrong with a commit; undefined if nothing is. */
function faultOf(parents: string, subject: string, body: string): string | undefined {
  if (parents.includes(" ")) return "a merge: rebase instead";
  if (subject.length > MAX_SUBJECT) return `${subject.length} characters, more than ${MAX_SUBJECT}`;
  if (!SUBJECT.test(subject)) return "not of the form `type(scope): what`";
  if (REASONED.test(subject) && body.trim() === "") return "no body that says why";
  return undefined;
}

const git = (...args: string[]): string =>
  execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

function hasHistory(): boolean {
  try {
    return git("rev-parse", "--is-shallow-repository").trim() === "false";
  } catch {
    return false;
  }
}

const [range] = process.argv.slice(2);
if (range === undefined && !hasHistory()) console.log("No history here: no commit was checked.");
else
  for (const commit of git("log", "-z", "--format=%h%n%P%n%s%n%b", ...(range ? [range] : [`--since=${AGREED}`])).split(
    "\0",
  )) {
    if (commit === "") continue;
    const [id, parents = "", subject = "", ...body] = commit.split("\n");
    const fault = faultOf(parents, subject, body.join("\n"));
    if (fault === undefined) continue;
    console.error(`${id} ${subject}: ${fault}. See CONTRIBUTING.md.`);
    process.exitCode = 1;
  }
