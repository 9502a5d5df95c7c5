import { describe, expect, test } from '@jest/globals';
import { createTerminal, type Output } from './terminal.ts';

function recorded(isTTY: boolean): Output & { text: string } {
  return {
    isTTY,
    text: '',
    write(text: string) {
      this.text += text;
    },
  };
}

describe('createTerminal', () => {
  test('colors the output on a terminal', () => {
    const terminal = createTerminal(recorded(true), {});
    expect(terminal.styled('green', 'Ada')).toBe('\u001b[32mAda\u001b[0m');
  });

  test.each([
    ['a file', false, {}],
    ['NO_COLOR', true, { NO_COLOR: '1' }],
    ['a dumb terminal', true, { TERM: 'dumb' }],
  ])('writes no colors to %s', (_, isTTY, environment) => {
    const output = recorded(isTTY);
    const terminal = createTerminal(output, environment);
    terminal.heading('People');
    terminal.line(terminal.styled('green', 'Ada'));
    expect(output.text).toBe('\nPeople\nAda\n');
  });

  test('an empty NO_COLOR does not count', () => {
    const terminal = createTerminal(recorded(true), { NO_COLOR: '' });
    expect(terminal.styled('bold', 'x')).not.toBe('x');
  });

  test('a line replaces the state before it', () => {
    const output = recorded(true);
    const terminal = createTerminal(output, {});
    terminal.state('1 of 2');
    terminal.state('2 of 2');
    terminal.line('done');
    expect(output.text).toBe('1 of 2\r\u001b[K2 of 2\r\u001b[Kdone\n');
  });

  test('states are not written to a file', () => {
    const output = recorded(false);
    createTerminal(output, {}).state('1 of 2');
    expect(output.text).toBe('');
  });
});
