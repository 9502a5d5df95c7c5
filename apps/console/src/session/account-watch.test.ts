import { afterEach, expect, test } from '@jest/globals';
import { AccountWatch } from './account-watch.ts';

const watches: AccountWatch[] = [];
/** The account that the service has for the cookie of all tabs. */
let current = 'ada';
const open = () => {
  const watch = new AccountWatch(() => Promise.resolve(current));
  watches.push(watch);
  return watch;
};
const replaced = (watch: AccountWatch) =>
  new Promise<void>((resolve) => {
    watch.subscribe(resolve);
    if (watch.isReplaced) resolve();
  });

afterEach(() => {
  for (const watch of watches.splice(0)) watch.close();
});

test('an account is replaced when another one signs in in another tab', async () => {
  const [first, second] = [open(), open()];
  first.read('ada');
  second.read('ada');
  expect(first.isReplaced).toBe(false);
  second.read(null);
  current = 'bea';
  second.read('bea');
  await replaced(first);
  expect(second.isReplaced).toBe(false);
});

test('an account is replaced when the session that is read again is that of another one', () => {
  const watch = open();
  watch.read('ada');
  watch.read('bea');
  expect(watch.isReplaced).toBe(true);
});

test('a tab without an account takes any', () => {
  const watch = open();
  watch.read(null);
  watch.read('ada');
  expect(watch.isReplaced).toBe(false);
});
