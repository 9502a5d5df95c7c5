import { photo } from '../support/fixtures/photo.ts';

let made = 0;

/** A shared photo with a comment of its own in it, so that it was never stored before. */
export async function freshPhoto(path: string): Promise<File> {
  const file = await photo(path);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = new TextEncoder().encode(`${process.pid} ${performance.now()} ${made++}`);
  const comment = new Uint8Array([0xff, 0xfe, 0, text.length + 2, ...text]);
  // Behind the two bytes that begin every JPEG.
  return new File([bytes.subarray(0, 2), comment, bytes.subarray(2)], file.name);
}
