import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { format } from 'prettier';
import { replaceSection } from '../quality/replace-section.ts';

/** The page of figures. */
export const PAGE = resolve(import.meta.dirname, '../../docs/performance.md');

/** A part of the page between markers, which can be measured and written alone. */
export type SectionName =
  'jobs' | 'archives' | 'swaps' | 'events' | 'operator' | 'switches' | 'api-pods' | 'library';

/** @returns a part of the page with its markers */
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
