import { expect, test } from '@jest/globals';
import { localFileOf } from '@sightline/core/media/testing/local-file-of';
import { patterned, read, someObject, type OpenedStore } from './some-object.ts';

export function describeRefusals(store: OpenedStore): void {
  test.each([
    '',
    '../../secret',
    '/etc/passwd',
    '1/sources/../../x',
    '1\\sources\\x',
    '1/sources/ab\0.jpg',
    '1/sources/ab/photo.jpg',
  ])('refuses the key %j', async (key) => {
    const refusal = { name: 'RangeError', message: expect.not.stringContaining('/') };
    await expect(store().put(key, patterned(1))).rejects.toMatchObject(refusal);
    await expect(store().putFile(key, localFileOf(patterned(1)))).rejects.toMatchObject(refusal);
    await expect(store().open(key)).rejects.toMatchObject(refusal);
    await expect(store().remove([key])).rejects.toMatchObject(refusal);
  });

  test('removes nothing if one of the keys is bad', async () => {
    const { key, bytes } = someObject(5);
    await store().put(key, bytes);
    await expect(store().remove([key, '..'])).rejects.toMatchObject({ name: 'RangeError' });
    expect(await read(store(), key)).toMatchObject({ size: 5 });
  });
}
