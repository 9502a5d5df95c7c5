/** The address of a photo in a text; null if the text is no address of http or https. */
export function photoAddress(text: string): string | null {
  const address = text.trim();
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol) ? address : null;
}

/** The addresses in the lines of a text, and the lines that are none. Empty lines count as neither. */
export function photoAddresses(text: string) {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return {
    addresses: lines.filter((line) => photoAddress(line) !== null),
    others: lines.filter((line) => photoAddress(line) === null),
  };
}
