/** The red, green and blue of sRGB in XYZ, adapted to D50, as in the profile of IEC 61966-2-1. */
const COLORANTS = {
  rXYZ: [0.436, 0.2225, 0.0139],
  gXYZ: [0.3851, 0.7169, 0.0971],
  bXYZ: [0.1431, 0.0606, 0.7141],
} as const;
/**
 * The largest accepted difference between a value of a colorant and that of sRGB. It is far too small to change a
 * level.
 */
const COLORANT_TOLERANCE = 0.0005;
const CURVES = ['rTRC', 'gTRC', 'bTRC'] as const;
/**
 * The largest accepted difference between a level (0..255) and the level that a conversion to sRGB would make of it.
 * Half a level would change the rounded value.
 */
const LEVEL_TOLERANCE = 0.4;
/** The tables that a color management module would use instead of colorants and curves. */
const TABLES = ['A2B0', 'A2B1', 'A2B2', 'D2B0', 'D2B1', 'D2B2'];

const HEADER_BYTES = 128;
const ENTRY_BYTES = 12;
const MAX_TAGS = 100;

/** Converts an encoded value to a linear value, both 0..1. */
type Curve = (encoded: number) => number;

/**
 * Returns whether an ICC profile (ICC.1:2022) describes sRGB, so that a conversion to sRGB would
 * change no 8-bit value. Most profiles in photos describe sRGB, but they come from many programs
 * and differ in their bytes. A damaged profile counts as different from sRGB.
 */
export function isSrgbProfile(profile: Uint8Array): boolean {
  const view = new DataView(profile.buffer, profile.byteOffset, profile.byteLength);
  return isDisplayOfRgb(view) && describesSrgb(view, readTags(view));
}

function isDisplayOfRgb(view: DataView): boolean {
  return text(view, 12) === 'mntr' && text(view, 16) === 'RGB ' && text(view, 20) === 'XYZ ';
}

function readTags(view: DataView): ReadonlyMap<string, number> {
  const count = Math.min(word(view, HEADER_BYTES) || 0, MAX_TAGS);
  const first = HEADER_BYTES + 4;
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const entry = first + ENTRY_BYTES * index;
      return [text(view, entry), word(view, entry + 4)];
    }),
  );
}

function describesSrgb(view: DataView, tags: ReadonlyMap<string, number>): boolean {
  if (TABLES.some((signature) => tags.has(signature))) return false;
  const hasColorants = Object.entries(COLORANTS).every(([signature, expected]) => {
    const at = tags.get(signature);
    return at !== undefined && isNear(view, at, expected);
  });
  return (
    hasColorants &&
    CURVES.every((signature) => {
      const at = tags.get(signature);
      const curve = at === undefined ? null : readCurve(view, at);
      return curve !== null && keepsLevels(curve);
    })
  );
}

function isNear(view: DataView, at: number, expected: readonly number[]): boolean {
  if (text(view, at) !== 'XYZ ') return false;
  return expected.every(
    (value, axis) => Math.abs(fixed(view, at + 8 + 4 * axis) - value) <= COLORANT_TOLERANCE,
  );
}

/** Returns null for a curve type that profiles of sRGB do not use. */
function readCurve(view: DataView, at: number): Curve | null {
  const type = text(view, at);
  if (type === 'curv') return sampledCurve(view, at + 12, word(view, at + 8));
  return type === 'para' && half(view, at + 8) === 3 ? parametricCurve(view, at + 12) : null;
}

/**
 * Returns a curve of equidistant samples, or null for fewer than two samples, which mean a plain
 * power curve.
 */
function sampledCurve(view: DataView, at: number, count: number): Curve | null {
  // The comparison is negated so that NaN is not accepted as a count.
  if (!(count >= 2)) return null;
  return (encoded) => {
    const position = encoded * (count - 1);
    const first = Math.min(Math.floor(position), count - 2);
    const lower = half(view, at + 2 * first);
    const upper = half(view, at + 2 * first + 2);
    return (lower + (position - first) * (upper - lower)) / 65_535;
  };
}

/** Returns a curve that is a power function from `d` on and linear below `d`. */
function parametricCurve(view: DataView, at: number): Curve {
  const [g, a, b, c, d] = [0, 4, 8, 12, 16].map((offset) => fixed(view, at + offset));
  return (encoded) => (encoded >= d! ? (a! * encoded + b!) ** g! : c! * encoded);
}

/**
 * Returns whether the curve followed by the encoding of sRGB maps each of the 256 levels to itself.
 */
function keepsLevels(curve: Curve): boolean {
  for (let level = 0; level < 256; level++) {
    const encoded = 255 * encode(curve(level / 255));
    // The comparison is negated so that NaN is not accepted as a level.
    if (!(Math.abs(encoded - level) <= LEVEL_TOLERANCE)) return false;
  }
  return true;
}

function encode(linear: number): number {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
}

// The readers below return an empty text or NaN beyond the end of the profile.

function text(view: DataView, at: number): string {
  if (at + 4 > view.byteLength) return '';
  return String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)));
}

function word(view: DataView, at: number): number {
  return at + 4 > view.byteLength ? NaN : view.getUint32(at);
}

function half(view: DataView, at: number): number {
  return at + 2 > view.byteLength ? NaN : view.getUint16(at);
}

function fixed(view: DataView, at: number): number {
  return at + 4 > view.byteLength ? NaN : view.getInt32(at) / 65_536;
}
