import { expect, test } from '@jest/globals';
import { sharp } from './sharp.ts';
import { write } from './writing.ts';

/** The alpha channel of a rendered text, in base64. */
async function ink(text: string): Promise<string> {
  const { png } = await write(text, 20);
  return (await sharp(png).extractChannel('alpha').raw().toBuffer()).toString('base64');
}

test('letters differ, so they are not the boxes of a missing font', async () => {
  const letters = await Promise.all(['A', 'W', 'Ж', 'ß', '5'].map(ink));
  expect(new Set(letters).size).toBe(5);
});

test('markup in a name is written as text', async () => {
  const [plain, marked] = await Promise.all([write('b', 20), write('<b>&"', 20)]);
  expect(marked.width).toBeGreaterThan(3 * plain.width);
});
