/** The report of `npm run prove` in Markdown. */
import { commandLine, isFine, type Outcome } from "./step.ts";

export interface Setting {
  readonly commit: string;
  readonly seed: number;
  readonly date: string;
  /** The machine and the versions, such as "2 cores, Node 24.1.0, Redis 7.0.15". */
  readonly machine: string;
}

const cell = (text: string): string => text.replaceAll("|", "\\|");

function rowOf(outcome: Outcome): string {
  const { step, figures, findings, seconds } = outcome;
  const verdict = isFine(outcome) ? "holds" : `**fails**: ${cell(findings.join("; "))}`;
  return `| ${step.name} | ${cell(step.shows)} | ${cell(figures)} | ${verdict} | ${seconds.toFixed(0)} s |`;
}

const tailOf = ({ step, tail }: Outcome): string => `## ${step.name}\n\n\`\`\`text\n${tail.trimEnd()}\n\`\`\``;

export function reportOf(outcomes: readonly Outcome[], { commit, seed, date, machine }: Setting): string {
  const failed = outcomes.filter((outcome) => !isFine(outcome));
  const minutes = outcomes.reduce((total, { seconds }) => total + seconds, 0) / 60;
  const verdict =
    failed.length === 0
      ? `All ${outcomes.length} steps hold.`
      : `${failed.length} of ${outcomes.length} steps failed: ${failed.map(({ step }) => step.name).join(", ")}.`;
  return `${[
    "# Report of npm run prove",
    `${verdict} Commit ${commit}, ${date}, ${machine}, ${minutes.toFixed(1)} minutes. Run it again with \`npm run prove -- --seed ${seed}\`.`,
    [
      "| step | what would be refuted | figures | verdict | time |",
      "|---|---|---|---|--:|",
      ...outcomes.map(rowOf),
    ].join("\n"),
    `Each step alone, from the root of the checkout:\n\n\`\`\`sh\n${outcomes.map(({ step }) => commandLine(step)).join("\n")}\n\`\`\``,
    ...failed.map(tailOf),
  ].join("\n\n")}\n`;
}
