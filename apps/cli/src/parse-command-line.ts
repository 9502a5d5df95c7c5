import { parseArgs } from 'node:util';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Command, CommandInput } from './command.ts';

/** What a command line asks for; null: help. */
export type Invocation =
  ({ readonly command: Command } & Pick<CommandInput, 'options' | 'operands'>) | null;

/**
 * Finds the command and reads its options.
 *
 * @throws StartError that names the word that is wrong, and what would be right
 */
export function parseCommandLine(
  commands: readonly Command[],
  words: readonly string[],
): Invocation {
  if (words.length === 0 || words.includes('--help') || words.includes('-h')) return null;
  const command = commands.find(({ name }) => `${words.join(' ')} `.startsWith(`${name} `));
  if (command === undefined) {
    const names = commands.map(({ name }) => name).join(', ');
    throw new StartError(`There is no command "${words.join(' ')}"; there are: ${names}.`);
  }
  const args = words.slice(command.name.split(' ').length);
  const { values, positionals } = readOptions(command, args);
  if (positionals.length !== command.operands.length) throw wrongUse(command);
  return { command, options: values, operands: positionals };
}

function readOptions(command: Command, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: command.options, allowPositionals: true }) as {
      values: CommandInput['options'];
      positionals: string[];
    };
  } catch (error) {
    throw wrongUse(command, error as Error);
  }
}

function wrongUse({ name, usage }: Command, cause?: Error): StartError {
  const why = cause === undefined ? '' : `${cause.message} `;
  return new StartError(`${why}Usage: sightline ${name} ${usage}`, { cause });
}

/** The text of `sightline --help`. */
export function commandHelp(commands: readonly Command[]): string {
  const lines = commands.map(
    ({ name, usage, summary }) => `  sightline ${name} ${usage}`.trimEnd() + `\n      ${summary}`,
  );
  return [
    'Usage:',
    ...lines,
    '',
    'The data folder is ./data, or the one that SIGHTLINE_DATA names. The rows are in SIGHTLINE_DATABASE_URL if it is set.',
    'The commands key, index and check also work while the service runs.',
  ].join('\n');
}
