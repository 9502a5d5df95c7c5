import { expect, test } from '@jest/globals';
import { NoSecretKey } from '../secrets/secret-errors.ts';
import { openUrl, sealUrl } from './posted-url.ts';

const SCOPE = { environmentId: 7 };
/** A box whose secrets are the texts in base64, with the environment. */
const secrets = {
  seal: (text: string, id: number) => Buffer.from(`${id} ${btoa(text)}`),
  open: (sealed: Uint8Array, id: number) => {
    const [environment, text] = Buffer.from(sealed).toString().split(' ');
    if (environment !== String(id)) throw new Error('another environment');
    return atob(text!);
  },
};

test.each([
  'http://ann:secret@a.test/b.jpg?c=d@e#f',
  'http://ann@a.test/',
  'http://:secret@a.test/',
  'https://a%20n:s%3Ae%25c%3Ar%40t@a.test:8443/',
])('the credentials of %s are sealed, and come back', (url) => {
  const stored = sealUrl(url, SCOPE, secrets);
  expect(stored.imageUrl).toBe(url.replace(/\/\/.*?@/, '//'));
  expect(stored.credentials).toEqual(expect.any(String));
  expect(openUrl(stored, SCOPE, secrets)).toBe(url);
});

test.each(['http://a.test/b.jpg?c=d@e', 'no URL'])('%s is stored as it is', (url) => {
  const stored = sealUrl(url, SCOPE, secrets);
  expect(stored).toEqual({ imageUrl: url });
  expect(openUrl(stored, SCOPE, secrets)).toBe(url);
});

test('without a key, a URL with credentials is refused', () => {
  const seal = () => {
    throw new NoSecretKey();
  };
  expect(() => sealUrl('http://ann@a.test/', SCOPE, { seal, open: seal })).toThrow(NoSecretKey);
  expect(sealUrl('http://a.test/', SCOPE, { seal, open: seal }).credentials).toBeUndefined();
});
