import { describe, expect, test } from '@jest/globals';
import type { Command } from './command.ts';
import { commandHelp, parseCommandLine } from './parse-command-line.ts';

const create: Command = {
  name: 'key create',
  usage: '[--label TEXT]',
  summary: 'Creates a key.',
  options: { label: { type: 'string' } },
  operands: [],
  run: () => Promise.resolve(),
};
const revoke: Command = {
  name: 'key revoke',
  usage: 'ID',
  summary: 'Revokes a key.',
  options: {},
  operands: ['ID'],
  run: () => Promise.resolve(),
};
const COMMANDS = [create, revoke];

describe('parseCommandLine', () => {
  test('finds a command of two words, its options and its operands', () => {
    expect(parseCommandLine(COMMANDS, ['key', 'create', '--label', 'phone'])).toMatchObject({
      command: create,
      options: { label: 'phone' },
    });
    expect(parseCommandLine(COMMANDS, ['key', 'revoke', '7'])).toMatchObject({
      command: revoke,
      operands: ['7'],
    });
  });

  test('takes no words and --help as a question for help', () => {
    expect(parseCommandLine(COMMANDS, [])).toBeNull();
    expect(parseCommandLine(COMMANDS, ['key', 'create', '--help'])).toBeNull();
    expect(commandHelp(COMMANDS)).toContain('sightline key revoke ID');
  });

  test.each([
    [['key'], /no command "key".*key create, key revoke/],
    [['keys', 'create'], /no command/],
    [['key', 'revoke'], /Usage: sightline key revoke ID/],
    [['key', 'revoke', '7', '8'], /Usage/],
    [['key', 'create', '--lable', 'x'], /--lable.*Usage: sightline key create/s],
  ])('refuses %j with a sentence', (words, sentence) => {
    expect(() => parseCommandLine(COMMANDS, words)).toThrow(sentence);
  });
});
