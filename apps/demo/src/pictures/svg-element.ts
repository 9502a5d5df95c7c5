/**
 * An SVG element as text.
 *
 * @param attributes values by SVG attribute name; numbers are written with at most two decimals
 */
export function svgElement(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content = '',
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${short(value)}"`);
  return `<${name}${written.join('')}>${content}</${name}>`;
}

function short(value: string | number): string | number {
  return typeof value === 'number' ? Math.round(value * 100) / 100 : value;
}
