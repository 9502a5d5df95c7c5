import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { keyName } from './key-name.ts';
import { Keyboard } from './keyboard.ts';

const event = (
  key: string,
  held: Partial<Record<'ctrl' | 'meta' | 'alt' | 'shift', true>> = {},
) => ({
  key,
  ctrlKey: held.ctrl ?? false,
  metaKey: held.meta ?? false,
  altKey: held.alt ?? false,
  shiftKey: held.shift ?? false,
});

describe('the name of a key', () => {
  test.each([
    [event('n'), 'N'],
    [event('N', { shift: true }), 'Shift+N'],
    [event('?', { shift: true }), '?'],
    [event(' '), 'Space'],
    [event('Escape'), 'Esc'],
    [event('k', { ctrl: true }), 'Ctrl+K'],
    [event('k', { meta: true }), 'Ctrl+K'],
    [event('ArrowLeft', { shift: true }), 'Shift+ArrowLeft'],
    [event('ä'), 'Ä'],
  ])('%j is %s', (pressed, name) => expect(keyName(pressed)).toBe(name));
});

describe('a keyboard', () => {
  let now: number;
  let keyboard: Keyboard;
  const go = jest.fn();
  const find = jest.fn();
  const undo = jest.fn();

  beforeEach(() => {
    jest.clearAllMocks();
    now = 0;
    keyboard = new Keyboard(() => now);
    keyboard.register([
      { id: 'go', label: 'Go to people', keys: ['G P'], run: go },
      { id: 'find', label: 'Find', keys: ['Ctrl+K'], run: find },
      { id: 'undo', label: 'Undo', keys: ['Z'], run: undo },
    ]);
  });

  test('runs the command of a key, and of two keys in turn', () => {
    expect(keyboard.press('Z', false)).toBe(true);
    expect(keyboard.press('G', false)).toBe(true);
    expect(keyboard.press('P', false)).toBe(true);
    expect([undo.mock.calls.length, go.mock.calls.length]).toEqual([1, 1]);
  });

  test('forgets the first key of a sequence after a while', () => {
    keyboard.press('G', false);
    now = 2_000;
    expect(keyboard.press('P', false)).toBe(false);
    expect(go).not.toHaveBeenCalled();
  });

  test('leaves letters, spaces and deletions to fields for text', () => {
    keyboard.register([{ id: 'mark', label: 'Mark', keys: ['Space', 'Delete'], run: go }]);
    expect(keyboard.press('Z', true)).toBe(false);
    expect(keyboard.press('Space', true)).toBe(false);
    expect(keyboard.press('Delete', true)).toBe(false);
    expect(keyboard.press('Ctrl+K', true)).toBe(true);
    expect([undo.mock.calls.length, find.mock.calls.length]).toEqual([0, 1]);
  });

  test('prefers what was registered last, until it is removed', () => {
    const close = jest.fn();
    const remove = keyboard.register([{ id: 'close', label: 'Close', keys: ['Z'], run: close }]);
    keyboard.press('Z', false);
    remove();
    keyboard.press('Z', false);
    expect([close.mock.calls.length, undo.mock.calls.length]).toEqual([1, 1]);
  });

  test('passes over disabled commands', () => {
    keyboard.register([{ id: 'other', label: 'Other', keys: ['Z'], run: go, isDisabled: true }]);
    keyboard.press('Z', false);
    expect([go.mock.calls.length, undo.mock.calls.length]).toEqual([0, 1]);
  });

  test('keys of the table can be changed', () => {
    const rename = jest.fn();
    keyboard.register([{ id: 'people.rename', label: 'Rename', run: rename }]);
    expect(keyboard.press('F2', false)).toBe(true);
    keyboard.apply({ characterKeys: true, changed: { 'people.rename': 'Q' } });
    expect(keyboard.press('F2', false)).toBe(false);
    expect(keyboard.press('Q', false)).toBe(true);
    expect(keyboard.activeKeys('people.rename')).toEqual(['Q']);
    expect(rename).toHaveBeenCalledTimes(2);
    keyboard.apply({ characterKeys: false, changed: { 'people.rename': 'Q' } });
    expect(keyboard.press('Q', false)).toBe(false);
    expect(keyboard.activeKeys('people.rename')).toEqual([]);
  });

  test('keys without Ctrl or Alt can be switched off', () => {
    keyboard.apply({ characterKeys: false, changed: {} });
    expect(keyboard.press('Z', false)).toBe(false);
    expect(keyboard.press('G', false)).toBe(false);
    expect(keyboard.press('Ctrl+K', false)).toBe(true);
    expect(undo).not.toHaveBeenCalled();
  });
});
