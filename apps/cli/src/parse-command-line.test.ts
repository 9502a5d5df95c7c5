import { describe, expect, test } from '@jest/globals';
import type { Command, CommandEntry } from './command.ts';
import { commandHelp, parseCommandLine } from './parse-command-line.ts';

const create: Command = {
  options: { label: { type: 'string' } },
  operands: [],
  run: () => Promise.resolve(),
};
const revoke: Command = { options: {}, operands: ['ID'], run: () => Promise.resolve() };
const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'key create',
    usage: '[--label TEXT]',
    summary: 'Creates a key.',
    load: () => Promise.resolve(create),
  },
  {
    name: 'key revoke',
    usage: 'ID',
    summary: 'Revokes a key.',
    load: () => Promise.resolve(revoke),
  },
];

describe('parseCommandLine', () => {
  test('finds a command of two words, its options and its operands', async () => {
    expect(await parseCommandLine(COMMANDS, ['key', 'create', '--label', 'phone'])).toMatchObject({
      command: create,
      options: { label: 'phone' },
    });
    expect(await parseCommandLine(COMMANDS, ['key', 'revoke', '7'])).toMatchObject({
      command: revoke,
      operands: ['7'],
    });
  });

  test('no words and --help ask for help', async () => {
    expect(await parseCommandLine(COMMANDS, [])).toBeNull();
    expect(await parseCommandLine(COMMANDS, ['key', 'create', '--help'])).toBeNull();
    expect(commandHelp(COMMANDS)).toContain('sightline key revoke ID');
  });

  test.each([
    [['key'], /no command "key".*key create, key revoke/],
    [['keys', 'create'], /no command/],
    [['key', 'revoke'], /Usage: sightline key revoke ID/],
    [['key', 'revoke', '7', '8'], /Usage/],
    [
      ['key', 'create', '--lable', 'x'],
      /^Unknown option '--lable'\.\nUsage: sightline key create \[--label TEXT\]$/,
    ],
    [['key', 'create', '--label'], /argument missing\nUsage: sightline key create/],
  ])('refuses %j with an explanation', async (words, sentence) => {
    await expect(parseCommandLine(COMMANDS, words)).rejects.toThrow(sentence);
  });
});
