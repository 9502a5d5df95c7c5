import type { Variable } from './variable.ts';
import { ALL_GROUPS, type GroupName, VARIABLE_GROUPS } from './variable-groups.ts';

export function configHelp(groups: readonly GroupName[]): string {
  const names = groups.flatMap((group) => variablesOf(group).map(({ name }) => name));
  const width = Math.max(...names.map((name) => name.length));
  return groups
    .map((group) => [
      `${VARIABLE_GROUPS[group].title}:`,
      ...variablesOf(group).map(
        (each) => `  ${each.name.padEnd(width)}  ${each.description} (${shownDefault(each)})`,
      ),
    ])
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

export function configMarkdown(): string {
  return ALL_GROUPS.map((group) =>
    [
      `## ${VARIABLE_GROUPS[group].title}`,
      '',
      '| variable | default | meaning |',
      '|---|---|---|',
      ...variablesOf(group).map(
        (each) => `| \`${each.name}\` | ${shownDefault(each)} | ${each.description} |`,
      ),
    ].join('\n'),
  ).join('\n\n');
}

function variablesOf(group: GroupName): readonly Variable<unknown>[] {
  return Object.values<Variable<unknown>>(VARIABLE_GROUPS[group].variables);
}

function shownDefault(variable: Variable<unknown>): string {
  const { default: text, defaultShown } = variable;
  return defaultShown ?? (typeof text === 'string' ? text : 'unset');
}
