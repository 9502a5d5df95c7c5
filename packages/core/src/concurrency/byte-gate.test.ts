import { expect, test } from '@jest/globals';
import { ByteGate } from './byte-gate.ts';

/** Holds amounts one after another, and returns those that are held after each step of the test. */
function holder(most: number) {
  const gate = new ByteGate(most);
  const held = new Map<string, Disposable>();
  return {
    begin: (name: string, bytes: number) =>
      void gate.hold(bytes).then((hold) => held.set(name, hold)),
    end: (name: string) => {
      held.get(name)![Symbol.dispose]();
      held.get(name)![Symbol.dispose]();
      held.delete(name);
    },
    held: async () => {
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
      return [...held.keys()];
    },
  };
}

test('work holds no more than the limit together, and waits in its order', async () => {
  const { begin, end, held } = holder(10);
  begin('a', 4);
  begin('b', 6);
  begin('c', 5);
  begin('d', 1);
  expect(await held()).toEqual(['a', 'b']);
  end('a');
  // There would be room for d, but c came first.
  expect(await held()).toEqual(['b']);
  end('b');
  expect(await held()).toEqual(['c', 'd']);
});

test('what is larger than the limit is held alone', async () => {
  const { begin, end, held } = holder(10);
  begin('a', 1);
  begin('large', 99);
  begin('b', 1);
  expect(await held()).toEqual(['a']);
  end('a');
  expect(await held()).toEqual(['large']);
  end('large');
  expect(await held()).toEqual(['b']);
});
