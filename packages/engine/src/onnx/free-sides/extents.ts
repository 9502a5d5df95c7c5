/** The length of a side of the graph's input, divided by a stride. */
export type Side = `height/${number}` | `width/${number}`;
/** A length, or the length of a side of a feature map. */
export type Atom = number | Side;
/** A product of lengths, in row-major order: `['height/8', 'width/8']` is the cells of a grid, row by row. */
export type Part = readonly Atom[];
/**
 * The length of a dimension as a function of the input's height and width: parts that were concatenated. A fixed
 * length is a single part with a single number.
 */
export type Extent = readonly Part[];
export type Shape = readonly Extent[];

/** The size for which the graph was exported, and the number of which the sides of all later inputs are multiples. */
export interface FullSize {
  readonly width: number;
  readonly height: number;
  readonly step: number;
}

export function fixed(length: number): Extent {
  return [[length]];
}

/** The length of a dimension; undefined if it depends on the size of the input. */
export function fixedLength([part, ...more]: Extent): number | undefined {
  const [atom, ...others] = part ?? [];
  return more.length === 0 && others.length === 0 && typeof atom === 'number' ? atom : undefined;
}

export function isVariable(extent: Extent): boolean {
  return fixedLength(extent) === undefined;
}

export function sameExtent(left: Extent, right: Extent): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** The product of atoms, without unnecessary ones. Adjacent numbers are multiplied. */
export function productOf(atoms: readonly Atom[]): Extent {
  const part: Atom[] = [];
  for (const atom of atoms) {
    const last = part.at(-1);
    if (typeof atom === 'number' && typeof last === 'number') part[part.length - 1] = last * atom;
    else part.push(atom);
  }
  const needed = part.filter((atom) => atom !== 1);
  return [needed.length === 0 ? [1] : needed];
}

/** The length that a dimension has at the full size. */
export function fullLength(extent: Extent, full: FullSize): number {
  const parts = extent.map((part) =>
    part.reduce<number>((product, atom) => product * atomLength(atom, full), 1),
  );
  return parts.reduce((sum, length) => sum + length, 0);
}

export function atomLength(atom: Atom, full: FullSize): number {
  if (typeof atom === 'number') return atom;
  const { side, stride } = sideOf(atom);
  return full[side] / stride;
}

export function sideOf(atom: Side): { side: 'height' | 'width'; stride: number } {
  const [side, stride] = atom.split('/') as ['height' | 'width', string];
  return { side, stride: Number(stride) };
}

/**
 * The side of a feature map whose stride is `factor` times that of another one.
 *
 * @returns undefined if the sides of some input are not multiples of the new stride. A side of a single cell at the full
 *   size is not supported either, because it could be mistaken for a length of 1.
 */
export function rescaled(extent: Extent, factor: number, full: FullSize): Extent | undefined {
  const [[atom, ...others] = [], ...more] = extent;
  if (typeof atom !== 'string' || others.length > 0 || more.length > 0) return undefined;
  const { side, stride: before } = sideOf(atom);
  const stride = before * factor;
  const fits = Number.isInteger(stride) && stride >= 1 && full.step % stride === 0;
  if (!fits || full[side] % full.step !== 0 || full[side] / stride < 2) return undefined;
  return [[`${side}/${stride}`]];
}
