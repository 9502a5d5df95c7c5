import { expect, test } from '@jest/globals';
import { photoAddress, photoAddresses } from './photo-address.ts';

test.each([
  [' https://example.org/a.jpg\n', 'https://example.org/a.jpg'],
  ['http://user:secret@example.org/ä b.jpg', 'http://user:secret@example.org/ä b.jpg'],
  ['javascript:alert(1)', null],
  ['data:image/png;base64,AAAA', null],
  ['file:///etc/passwd', null],
  ['example.org/a.jpg', null],
  ['', null],
])('%j is the address %j', (text, address) => {
  expect(photoAddress(text)).toBe(address);
});

test('each line of a text is an address or not', () => {
  expect(
    photoAddresses('https://a.example/1.jpg\r\n\n  ftp://b.example\nhttp://c.example'),
  ).toEqual({
    addresses: ['https://a.example/1.jpg', 'http://c.example'],
    others: ['ftp://b.example'],
  });
});
