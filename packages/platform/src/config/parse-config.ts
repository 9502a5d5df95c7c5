import { StartError } from '../lifecycle/start-error.ts';
import { nearestWord } from './nearest-word.ts';
import type { Environment } from './read-environment.ts';
import { type Variable, VARIABLES } from './variables.ts';

type Variables = typeof VARIABLES;

/** The configuration of a process, as the environment gives it. */
export type Config = {
  readonly [Key in keyof Variables]: Variables[Key] extends Variable<infer Value> ? Value : never;
};

export interface ParsedConfig {
  readonly config: Config;
  /** Sentences about variables that are set but mean nothing here. */
  readonly warnings: readonly string[];
}

/** @throws StartError that names every variable that is wrong, and what it has to be. */
export function parseConfig(environment: Environment): ParsedConfig {
  const wrong: string[] = [];
  const entries = Object.entries<Variable<unknown>>(VARIABLES).map(([key, variable]) => {
    // Set to nothing is how compose files and shells leave a variable out.
    const set = environment[variable.name]?.trim() ?? '';
    const text = set === '' ? defaultOf(variable, environment) : set;
    const parsed = variable.schema.safeParse(text);
    if (!parsed.success) wrong.push(explain(variable, text, parsed.error.issues[0]?.message));
    return [key, parsed.data] as const;
  });
  if (wrong.length > 0) throw new StartError(['The configuration is wrong.', ...wrong].join('\n'));
  return {
    config: Object.fromEntries(entries) as unknown as Config,
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
  // An address may have been given with a password.
  const shown = text?.replace(/\/\/.*@/, '//***@') ?? null;
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
