import { expect, test } from '@jest/globals';
import { COMMAND_IDS, COMMANDS, type CommandId } from './commands.ts';
import { isChoosable, refusalOf } from './key-choice.ts';

const usual = (id: CommandId): readonly string[] => COMMANDS[id].keys;

test('no two commands that may be active together have the same key', () => {
  const conflicts = COMMAND_IDS.flatMap((id) =>
    usual(id).flatMap((key) => refusalOf(key, id, usual) ?? []),
  );
  expect(conflicts).toEqual([]);
});

test.each([
  ['Q', 'people.merge', null],
  ['Z', 'people.merge', { kind: 'taken', by: 'frame.undo' }],
  ['G', 'people.merge', { kind: 'taken', by: 'frame.go.overview' }],
  ['M', 'frame.undo', { kind: 'taken', by: 'people.merge' }],
  ['R', 'people.merge', null],
  ['Y', 'person.enroll', null],
  ['Y', 'person.reject', { kind: 'taken', by: 'person.confirm' }],
  ['Ctrl+C', 'people.merge', { kind: 'reserved' }],
  ['Alt+C', 'people.merge', null],
] as const)('%s for %s: %j', (key, command, refusal) =>
  expect(refusalOf(key, command, usual)).toEqual(refusal),
);

test('a key that another command has given up is free', () => {
  const keysOf = (id: CommandId) => (id === 'frame.undo' ? ['Q'] : usual(id));
  expect(refusalOf('Z', 'people.merge', keysOf)).toBeNull();
  expect(refusalOf('Q', 'people.merge', keysOf)).toEqual({ kind: 'taken', by: 'frame.undo' });
});

test.each(['Tab', 'Shift+Tab', 'Enter', 'Esc', 'ArrowLeft', 'Shift+Space', 'Dead', 'Shift+Shift'])(
  '%s is not chosen',
  (key) => expect(isChoosable(key)).toBe(false),
);
