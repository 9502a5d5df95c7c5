import { StartError } from '../lifecycle/start-error.ts';
import { nearestWord } from './nearest-word.ts';
import type { Environment } from './read-environment.ts';
import type { Variable } from './variable.ts';
import { type Config, type GroupName, VARIABLE_GROUPS, VARIABLES } from './variable-groups.ts';

export interface ParsedConfig<Name extends GroupName> {
  readonly config: Config<Name>;
  /** One sentence for each variable that is set but that no process reads. */
  readonly warnings: readonly string[];
}

/**
 * Parses and validates the environment variables of the given groups.
 *
 * @throws StartError that names every invalid variable and its valid values
 */
export function parseConfig<const Name extends GroupName>(
  environment: Environment,
  groups: readonly Name[],
): ParsedConfig<Name> {
  const invalid: string[] = [];
  const variables = groups.flatMap((name) =>
    Object.entries<Variable<unknown>>(VARIABLE_GROUPS[name].variables),
  );
  const entries = variables.map(([key, variable]) => {
    // An empty value counts as unset, because Compose files and shell scripts often cannot omit a variable.
    const set = environment[variable.name]?.trim() ?? '';
    const text = set === '' ? defaultOf(variable, environment) : set;
    const parsed = variable.schema.safeParse(text);
    if (!parsed.success) invalid.push(explain(variable, text, parsed.error.issues[0]?.message));
    return [key, parsed.data] as const;
  });
  if (invalid.length > 0) {
    throw new StartError(['The configuration is invalid.', ...invalid].join('\n'));
  }
  return {
    config: Object.fromEntries(entries) as unknown as Config<Name>,
    warnings: unknownVariables(environment),
  };
}

function defaultOf({ default: text }: Variable<unknown>, environment: Environment): string | null {
  return typeof text === 'function' ? text(environment) : text;
}

function explain(
  { name, secret }: Variable<unknown>,
  text: string | null,
  reason = 'is not valid',
): string {
  if (secret === true) return `  ${name} ${reason}.`;
  // The text may be an address with a password, so the part before `@` is masked.
  const shown = text?.replace(/^(\w+:\/\/)?[^]*@/, '$1***@') ?? null;
  return `  ${name} is ${JSON.stringify(shown)}, but ${reason}.`;
}

function unknownVariables(environment: Environment): string[] {
  const known: string[] = Object.values(VARIABLES).map(({ name }) => name);
  return Object.keys(environment)
    .filter((name) => name.startsWith('SIGHTLINE_') && !known.includes(name))
    .sort()
    .map((name) => {
      const meant = nearestWord(name, known);
      const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
      return `${name} is set, but nothing reads it.${hint}`;
    });
}
