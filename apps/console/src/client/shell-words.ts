/** The variable with the key, in all code that the console shows. */
export const KEY_VARIABLE = 'SIGHTLINE_API_KEY';

/** The header with the key, for a shell that has the variable. */
export const KEY_ARGUMENT = `-H "X-API-Key: $${KEY_VARIABLE}"`;

export const JSON_ARGUMENT = `-H 'Content-Type: application/json'`;

/** Quotes a text for a POSIX shell. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A command with each argument on its own line. */
export function shellCommand(lines: readonly string[]): string {
  return lines.join(' \\\n  ');
}
