import { nearest } from "../../../gateway/src/shared/nearest-name.ts";
import { type Command, EXIT, type Flag, UsageError } from "../command.ts";
import { COMMON_FLAGS, VERSION_FLAG } from "../flags.ts";
import { TARGET_FLAGS } from "../open-target.ts";

type Flags = Readonly<Record<string, Flag>>;

const COMMON: Flags = { ...TARGET_FLAGS, ...COMMON_FLAGS };
const flagsOf = ({ options }: Command): Flags => ({ ...options, ...COMMON });
const words = (flags: Flags): string =>
  Object.keys(flags)
    .map((name) => `--${name}`)
    .join(" ");
const wordsBefore = (commands: readonly Command[]): string =>
  [...commands.map(({ name }) => name), "help", words({ ...COMMON, version: VERSION_FLAG })].join(" ");

/** The flags with a value, of all commands. */
const takingOf = (commands: readonly Command[]): readonly (readonly [name: string, flag: Flag])[] =>
  Object.entries(Object.assign({}, ...commands.map(flagsOf)) as Flags).filter(([, { type }]) => type === "string");

/** A text between single quotes, for every shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The words that may follow, as shell cases: after a flag its values, after a command its flags. */
function casesOf(commands: readonly Command[]): { readonly values: string; readonly flags: string } {
  const shells = "completion) offered='bash zsh fish' ;;\n    fence) offered='sql' ;;";
  const names = commands.map(({ name }) => name).join(" ");
  const values = takingOf(commands).map(
    ([name, { choices = [] }]) => `    --${name}) offered='${choices.join(" ")}' ;;`,
  );
  const flags = commands.map((command) => `    ${command.name}) offered='${words(flagsOf(command))}' ;;`);
  return {
    values: [...values, `    ${shells}`, `    help) offered='${names}' ;;`].join("\n"),
    flags: flags.join("\n"),
  };
}

/** The part shared by bash and zsh: finds the command, and sets `offered`. */
function chooseWords(commands: readonly Command[]): string {
  const { values, flags } = casesOf(commands);
  return `  case $previous in
${values}
    *) case $command in
${flags}
    *) offered='${wordsBefore(commands)}' ;;
    esac ;;
  esac`;
}

const namesOf = (commands: readonly Command[]): string => commands.map(({ name }) => name).join("|");

const bash = (commands: readonly Command[]): string => `# bash: put this into ~/.bashrc:
#   eval "$(leasehold completion bash)"
_leasehold() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command='' offered='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in ${namesOf(commands)}) command=$word; break ;; esac
  done
${chooseWords(commands)}
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
}
complete -F _leasehold leasehold`;

const zsh = (commands: readonly Command[]): string => `#compdef leasehold
# zsh: put this into ~/.zshrc, behind compinit:
#   eval "$(leasehold completion zsh)"
_leasehold() {
  local previous="\${words[CURRENT-1]}" command='' offered='' word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case $word in ${namesOf(commands)}) command=$word; break ;; esac
  done
${chooseWords(commands)}
  compadd -- \${=offered}
}
compdef _leasehold leasehold`;

function fish(commands: readonly Command[]): string {
  const line = (...parts: readonly string[]): string => ["complete -c leasehold", ...parts].join(" ");
  const lineOf = (condition: string, [name, { type, short, choices, help }]: readonly [string, Flag]): string => {
    const value = choices ? ` -x -a ${quoted(choices.join(" "))}` : " -x";
    return line(
      condition,
      `-l ${name}${short ? ` -s ${short}` : ""}${type === "string" ? value : ""} -d ${quoted(help)}`,
    );
  };
  const names = commands.map(({ name }) => name).join(" ");
  return [
    "# fish: leasehold completion fish > ~/.config/fish/completions/leasehold.fish",
    line("-f"),
    ...commands.map(({ name, summary }) => line("-n __fish_use_subcommand", `-a ${name} -d ${quoted(summary)}`)),
    line("-n __fish_use_subcommand", `-a help -d ${quoted("show the help of a command")}`),
    lineOf("-n __fish_use_subcommand", ["version", VERSION_FLAG]),
    line(`-n '__fish_seen_subcommand_from help'`, `-a ${quoted(names)}`),
    line(`-n '__fish_seen_subcommand_from completion'`, "-a 'bash zsh fish'"),
    ...commands.flatMap(({ name, options }) =>
      Object.entries(options).map((flag) => lineOf(`-n '__fish_seen_subcommand_from ${name}'`, flag)),
    ),
    ...Object.entries(COMMON).map((flag) => lineOf("", flag)),
  ].join("\n");
}

const SHELLS: Readonly<Record<string, (commands: readonly Command[]) => string>> = { bash, zsh, fish };

export const completion: Command = {
  name: "completion",
  operands: "SHELL",
  summary: "print completions for bash, zsh or fish",
  more: `In ~/.bashrc: eval "$(leasehold completion bash)". In ~/.zshrc, after compinit: eval "$(leasehold completion zsh)". For fish:
leasehold completion fish > ~/.config/fish/completions/leasehold.fish. It sends nothing to a server, so it cannot complete a NAME.`,
  options: {},
  async run({ out, commands }, { operands }) {
    const [shell = "", ...others] = operands;
    const script = Object.hasOwn(SHELLS, shell) && others.length === 0 ? SHELLS[shell] : undefined;
    if (!script) {
      const like = nearest(shell, Object.keys(SHELLS));
      throw new UsageError(`give bash, zsh or fish${like === undefined ? "" : `: did you mean ${like}?`}`);
    }
    out.line(script(commands));
    return EXIT.done;
  },
};
