import type { Finding } from "../../operations/doctor/finding.ts";
import { byId, make, setText, tableOf } from "./elements.ts";
import type { Store } from "./store.ts";
import { clockTime, many, visible } from "./words.ts";

/** The doctor's verdicts on the server. */
export interface DoctorView {
  refresh(): void;
}

const VERDICTS: Readonly<Record<Finding["verdict"], string>> = {
  ok: "✓ ok",
  warn: "! warning",
  fail: "✕ failed",
  skip: "– unknown",
};

function verdictOn(findings: readonly Finding[]): string {
  const [failed, warned] = ["fail", "warn"].map(
    (verdict) => findings.filter((each) => each.verdict === verdict).length,
  );
  if (failed) return `${many(failed, "check")} failed: this server is not fit for locks.`;
  return warned ? `It works; ${many(warned, "warning")}.` : "Every check passed.";
}

export function makeDoctorView(store: Store): DoctorView {
  const run = make("button", { type: "button", id: "examine" }, "Check the server");
  const verdict = make("p", { class: "summary", role: "status" });
  const table = make("div", { class: "wide" });
  run.addEventListener("click", () => store.diagnose());
  byId("view-doctor").append(
    make(
      "section",
      { class: "card" },
      make("h2", {}, "Doctor"),
      make(
        "p",
        { class: "quiet" },
        "Checks the connection to the server, its settings, and whether the lock protocol works on it. It sends about 130 " +
          "requests. Its keys have their own prefix, and are deleted at the end.",
      ),
      run,
      verdict,
      table,
    ),
  );
  let shown: unknown;
  return {
    refresh() {
      const { examination, hello } = store;
      byId("tab-doctor").hidden = !hello?.canDiagnose;
      run.disabled = examination?.isRunning === true;
      if (!examination || examination === shown) return;
      shown = examination;
      const { isRunning, findings, problem, startedAt } = examination;
      const said = problem === undefined ? verdictOn(findings) : `It ended early: ${visible(problem)}`;
      setText(verdict, isRunning ? "Checking …" : `${said} (${clockTime(startedAt, Date.now())})`);
      const rows = findings.map((each) => [
        make("span", { "data-verdict": each.verdict }, VERDICTS[each.verdict]),
        each.check,
        visible(each.says),
        each.advice === undefined ? "" : visible(each.advice),
      ]);
      table.replaceChildren(
        ...(rows.length > 0 ? [tableOf("Findings", ["Verdict", "Check", "Found", "Advice"], rows)] : []),
      );
    },
  };
}
