import { expect, test } from '@jest/globals';
import { freeBytesOf } from './free-bytes.ts';

test('free bytes are those of the disk on which the folder is', async () => {
  expect(await freeBytesOf(import.meta.dirname)).toBeGreaterThan(0);
  await expect(freeBytesOf('/no/such/folder')).rejects.toMatchObject({ code: 'ENOENT' });
});
