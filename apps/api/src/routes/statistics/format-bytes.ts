const UNITS = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

/** Formats a size with its unit, rounded to about three digits: `512 B`, `1.46 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length);
  const value = bytes / 1024 ** power;
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  return `${value.toFixed(digits)} ${UNITS[power - 1]!}`;
}
