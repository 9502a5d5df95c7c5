import { expect, test } from '@jest/globals';
import { errorCode, errorCodes } from './error-codes.ts';

test('an error is named by its code, else by its class, never by its message', () => {
  expect(errorCode(Object.assign(new Error('at db:5432'), { code: 'ECONNREFUSED' }))).toBe(
    'ECONNREFUSED',
  );
  expect(errorCode(new TypeError('secret'))).toBe('TypeError');
  expect(errorCode({ code: 'password=x y', name: 'a b' })).toBe('unknown');
  expect(errorCode('text')).toBe('unknown');
});

test('the codes of causes follow', () => {
  const refused = Object.assign(new Error(''), { code: 'ECONNREFUSED' });
  const error = Object.assign(new Error('', { cause: refused }), { code: 'store_unavailable' });
  expect(errorCodes(error)).toBe('store_unavailable < ECONNREFUSED');
  expect(errorCodes(undefined)).toBe('unknown');
});
