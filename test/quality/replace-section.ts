/**
 * Replaces the text between the markers of a section of a Markdown page: `<!-- measured: NAME -->` and `<!--
 * end: NAME -->`, each on a line of its own.
 *
 * @throws Error if the page has no such section
 */
export function replaceSection(page: string, name: string, text: string): string {
  const [from, to] = placeOf(page, name);
  return `${page.slice(0, from)}\n\n${text.trim()}\n\n${page.slice(to)}`;
}

/** Returns the text between the markers. @throws Error if the page has no such section */
export function sectionOf(page: string, name: string): string {
  return page.slice(...placeOf(page, name));
}

function placeOf(page: string, name: string): readonly [number, number] {
  const [start, end] = [`<!-- measured: ${name} -->`, `<!-- end: ${name} -->`];
  const from = page.indexOf(start);
  const to = page.indexOf(end, from);
  if (from === -1 || to === -1) throw new Error(`The page has no section ${start} ... ${end}.`);
  return [from + start.length, to];
}
