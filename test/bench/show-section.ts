import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { format } from 'prettier';
import { replaceSection } from '../quality/replace-section.ts';

/** The page with the figures. */
export const PAGE = resolve(import.meta.dirname, '../../docs/performance.md');

/** A section of the page, which can be measured and written separately. */
export type SectionName =
  'jobs' | 'archives' | 'swaps' | 'events' | 'operator' | 'switches' | 'api-pods' | 'library';

/** Puts the section's markers around its text. */
export function markedSection(name: SectionName, text = ''): string {
  return `<!-- measured: ${name} -->\n\n${text}\n\n<!-- end: ${name} -->`;
}

export function formatMarkdown(text: string): Promise<string> {
  return format(text, { parser: 'markdown', printWidth: 100 });
}

/** Prints a section. With `isWritten` it also replaces the section of the page. */
export async function showSection(
  name: SectionName,
  text: string,
  isWritten: boolean,
): Promise<void> {
  const section = await formatMarkdown(text);
  console.log(section);
  if (!isWritten) return;
  const page = await readFile(PAGE, 'utf8');
  await writeFile(PAGE, replaceSection(page, name, section));
}
