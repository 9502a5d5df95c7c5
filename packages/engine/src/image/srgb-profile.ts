/** Red, green and blue of sRGB, adapted to D50: XYZ, as in the profile of IEC 61966-2-1. */
const COLORANTS = {
  rXYZ: [0.436, 0.2225, 0.0139],
  gXYZ: [0.3851, 0.7169, 0.0971],
  bXYZ: [0.1431, 0.0606, 0.7141],
} as const;
/** The largest difference of a colorant, which is far too small to change a level. */
const COLORANT_TOLERANCE = 0.0005;
const CURVES = ['rTRC', 'gTRC', 'bTRC'] as const;
/** The largest difference in levels of 0..255; half a level would change the rounded value. */
const LEVEL_TOLERANCE = 0.4;
/** Tables that a color management module would use instead of colorants and curves. */
const TABLES = ['A2B0', 'A2B1', 'A2B2', 'D2B0', 'D2B1', 'D2B2'];

const HEADER_BYTES = 128;
const ENTRY_BYTES = 12;
const MAX_TAGS = 100;

/** From an encoded value to a linear one, both 0..1. */
type Curve = (encoded: number) => number;

/**
 * Whether an ICC profile (ICC.1:2022) describes sRGB, so that a conversion to sRGB would change no
 * 8-bit value. Most profiles in photos do; they come from many programs and differ in their bytes. A
 * damaged profile does not.
 */
export function isSrgbProfile(profile: Uint8Array): boolean {
  const view = new DataView(profile.buffer, profile.byteOffset, profile.byteLength);
  return isDisplayOfRgb(view) && describesSrgb(view, readTags(view));
}

function isDisplayOfRgb(view: DataView): boolean {
  return text(view, 12) === 'mntr' && text(view, 16) === 'RGB ' && text(view, 20) === 'XYZ ';
}

/** The tags' offsets, by signature. */
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

/** Null for a curve type that profiles of sRGB do not use. */
function readCurve(view: DataView, at: number): Curve | null {
  const type = text(view, at);
  if (type === 'curv') return sampledCurve(view, at + 12, word(view, at + 8));
  return type === 'para' && half(view, at + 8) === 3 ? parametricCurve(view, at + 12) : null;
}

/** A curve of equidistant samples. Null for fewer than two, which stand for a plain power. */
function sampledCurve(view: DataView, at: number, count: number): Curve | null {
  // Not `<`, so that NaN is not a count.
  if (!(count >= 2)) return null;
  return (encoded) => {
    const position = encoded * (count - 1);
    const first = Math.min(Math.floor(position), count - 2);
    const lower = half(view, at + 2 * first);
    const upper = half(view, at + 2 * first + 2);
    return (lower + (position - first) * (upper - lower)) / 65_535;
  };
}

/** A curve that is a power from `d` on and a line below. */
function parametricCurve(view: DataView, at: number): Curve {
  const [g, a, b, c, d] = [0, 4, 8, 12, 16].map((offset) => fixed(view, at + offset));
  return (encoded) => (encoded >= d! ? (a! * encoded + b!) ** g! : c! * encoded);
}

/** Whether the curve, followed by the encoding of sRGB, leads back to each of the 256 levels. */
function keepsLevels(curve: Curve): boolean {
  for (let level = 0; level < 256; level++) {
    const encoded = 255 * encode(curve(level / 255));
    // Not `>`, so that NaN is not a level.
    if (!(Math.abs(encoded - level) <= LEVEL_TOLERANCE)) return false;
  }
  return true;
}

function encode(linear: number): number {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
}

// Reads beyond the end of the profile return an empty text or NaN.

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

/** A number with 16 bits behind the point. */
function fixed(view: DataView, at: number): number {
  return at + 4 > view.byteLength ? NaN : view.getInt32(at) / 65_536;
}
