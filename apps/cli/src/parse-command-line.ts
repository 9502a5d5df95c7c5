import { parseArgs } from 'node:util';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Command, CommandEntry, CommandInput } from './command.ts';

/** A parsed command line; null if it asks for help. */
export type Invocation =
  ({ readonly command: Command } & Pick<CommandInput, 'options' | 'operands'>) | null;

/**
 * Finds the command, loads it and reads its options.
 *
 * @throws StartError that names the invalid word and the valid usage
 */
export async function parseCommandLine(
  commands: readonly CommandEntry[],
  words: readonly string[],
): Promise<Invocation> {
  if (words.length === 0 || words.includes('--help') || words.includes('-h')) return null;
  const entry = commands.find(({ name }) => `${words.join(' ')} `.startsWith(`${name} `));
  if (entry === undefined) {
    const names = commands.map(({ name }) => name).join(', ');
    throw new StartError(`There is no command "${words.join(' ')}"; there are: ${names}.`);
  }
  const command = await entry.load();
  const args = words.slice(entry.name.split(' ').length);
  const { values, positionals } = readOptions(command, args, entry);
  if (positionals.length !== command.operands.length) throw wrongUse(entry);
  return { command, options: values, operands: positionals };
}

function readOptions({ options }: Command, args: readonly string[], entry: CommandEntry) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true }) as {
      values: CommandInput['options'];
      positionals: string[];
    };
  } catch (error) {
    throw wrongUse(entry, error as Error);
  }
}

function wrongUse({ name, usage }: CommandEntry, cause?: Error): StartError {
  // Node's message ends with advice on arguments that begin with a dash. The advice is removed, because no command
  // here takes such arguments.
  const why = cause?.message.replace(/ To specify a positional argument .*/s, '');
  const lines = [why, `Usage: sightline ${name} ${usage}`.trimEnd()];
  return new StartError(lines.filter((line) => line !== undefined).join('\n'), { cause });
}

export function commandHelp(commands: readonly CommandEntry[]): string {
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
