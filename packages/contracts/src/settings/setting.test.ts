import { expect, test } from '@jest/globals';
import { SettingValue } from './setting.ts';

test('a refusal lists the types that a value may have', () => {
  expect(SettingValue.safeParse({}).error?.issues[0]?.message).toBe(
    'Expected a number, a text, true, false or a list of texts',
  );
});
