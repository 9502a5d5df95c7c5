import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { replaceSection } from '../quality/replace-section.ts';

/** The page of figures. */
export const PAGE = resolve(import.meta.dirname, '../../docs/performance.md');

/** Prints a section; with `isWritten` it replaces that of the page, and nothing else of it changes. */
export async function showSection(
  name: string,
  section: string,
  isWritten: boolean,
): Promise<void> {
  console.log(section);
  if (!isWritten) return;
  const page = await readFile(PAGE, 'utf8');
  await writeFile(PAGE, replaceSection(page, name, section));
}
