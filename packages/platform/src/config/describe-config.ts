import { type Variable, VARIABLES } from './variables.ts';

const variables: readonly Variable<unknown>[] = Object.values(VARIABLES);

/** The variables as `--help` lists them, one per line. */
export function configHelp(): string {
  const width = Math.max(...variables.map(({ name }) => name.length));
  return variables
    .map((each) => `  ${each.name.padEnd(width)}  ${each.description} (${shownDefault(each)})`)
    .join('\n');
}

/** The variables as a table in Markdown. */
export function configMarkdown(): string {
  const rows = variables.map(
    (each) => `| \`${each.name}\` | ${shownDefault(each)} | ${each.description} |`,
  );
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

function shownDefault(variable: Variable<unknown>): string {
  const { default: text, defaultShown } = variable;
  return defaultShown ?? (typeof text === 'string' ? text : 'unset');
}
