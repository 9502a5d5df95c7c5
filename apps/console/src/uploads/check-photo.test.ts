import { expect, test } from '@jest/globals';
import { checkPhoto, type PhotoFault } from './check-photo.ts';

const JPEG = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);
const file = (...parts: BlobPart[]) => new File(parts, '<script>.jpg');

interface Case {
  readonly name: string;
  readonly given: File;
  readonly most: number | null;
  readonly fault: PhotoFault | null;
}

test.each<Case>([
  { name: 'a photo', given: file(JPEG), most: 100, fault: null },
  { name: 'a photo of the largest size', given: file(JPEG), most: 4, fault: null },
  { name: 'a photo while the limits are unknown', given: file(JPEG), most: null, fault: null },
  { name: 'a file without bytes', given: file(), most: 100, fault: 'empty' },
  { name: 'a photo beyond the largest size', given: file(JPEG), most: 3, fault: 'too_large' },
  {
    name: 'a text with the name of a photo',
    given: file('no picture at all'),
    most: 100,
    fault: 'no_picture',
  },
])('$name', async ({ given, most, fault }) => {
  const checked = checkPhoto(given, most).then(
    () => null,
    (error: unknown) => error,
  );
  expect(await checked).toEqual(fault === null ? null : expect.objectContaining({ fault }));
});

test('a file that was deleted since it was chosen', async () => {
  const gone = file(JPEG);
  gone.slice = () => {
    const part = new Blob();
    part.arrayBuffer = () => Promise.reject(new DOMException('not found', 'NotFoundError'));
    return part;
  };
  await expect(checkPhoto(gone, null)).rejects.toMatchObject({ fault: 'unreadable' });
});
