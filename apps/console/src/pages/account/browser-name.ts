/** The names of browsers and systems in the text by which a browser identifies itself, the more specific first. */
const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const;

const SHOWN_LENGTH = 40;

/** A short name such as "Firefox, Linux"; for other programs the beginning of their own text. */
export function browserName(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const nameIn = (names: readonly (readonly [string, string])[]) =>
    names.find(([mark]) => userAgent.includes(mark))?.[1];
  const found = [nameIn(BROWSERS), nameIn(SYSTEMS)].filter((name) => name !== undefined);
  return found.length === 0 ? userAgent.slice(0, SHOWN_LENGTH) : found.join(', ');
}
