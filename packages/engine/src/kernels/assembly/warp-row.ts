/**
 * Samples the source along one row of the target. The reference, `warpAffine` of `math`, explains
 * the rounding of each step.
 *
 * @param source address that pixel (0, 0) would have; only the sampled part is in memory
 * @param stride bytes per source row
 * @param stepX source pixels per target pixel, in single precision; startX is the position of the
 *   first target pixel
 * @param out gets RGB bytes
 */
export function warpRow(
  source: usize,
  stride: i32,
  width: i32,
  height: i32,
  stepX: f64,
  stepY: f64,
  startX: f64,
  startY: f64,
  out: usize,
  outEnd: usize,
): void {
  const lastX = <f64>(width - 1);
  const lastY = <f64>(height - 1);
  for (let column: f64 = 0; out < outEnd; column += 1, out += 3) {
    const x = <f64>(<f32>(stepX * column + startX));
    const y = <f64>(<f32>(stepY * column + startY));
    if (x >= 0 && y >= 0 && x < lastX && y < lastY) {
      sampleInside(source, stride, x, y, out);
    } else if (x > -1 && y > -1 && x < <f64>width && y < <f64>height) {
      sampleEdge(source, stride, width, height, x, y, out);
    } else {
      store<u16>(out, 0);
      store<u8>(out, 0, 2);
    }
  }
}

function sampleInside(source: usize, stride: i32, x: f64, y: f64, out: usize): void {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const at = source + <i32>top * stride + 3 * <i32>left;
  const upper = v128.load64_zero(at);
  const lower = v128.load64_zero(at + stride);
  const toRight = f64x2.splat(<f64>(<f32>(x - left)));
  const down = f64x2.splat(<f64>(<f32>(y - top)));
  const upperRedGreen = mix(firstRedGreen(upper), secondRedGreen(upper), toRight);
  const lowerRedGreen = mix(firstRedGreen(lower), secondRedGreen(lower), toRight);
  const both = i8x16.shuffle(upper, lower, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
  const blue = mix(firstBlues(both), secondBlues(both), toRight);
  const redGreen = f64x2.nearest(mix(upperRedGreen, lowerRedGreen, down));
  const lowerBlue = i8x16.shuffle(
    blue,
    blue,
    8,
    9,
    10,
    11,
    12,
    13,
    14,
    15,
    8,
    9,
    10,
    11,
    12,
    13,
    14,
    15,
  );
  store<u8>(out, <i32>f64x2.extract_lane(redGreen, 0));
  store<u8>(out, <i32>f64x2.extract_lane(redGreen, 1), 1);
  store<u8>(out, <i32>nearest(f64x2.extract_lane(mix(blue, lowerBlue, down), 0)), 2);
}

/**
 * Interpolates with a single rounding, like a fused multiply-add. The weight applies to `b`, in
 * single precision.
 */
function mix(a: v128, b: v128, weight: v128): v128 {
  const mixed = f64x2.add(a, f64x2.mul(weight, f64x2.sub(b, a)));
  return f64x2.promote_low_f32x4(f32x4.demote_f64x2_zero(mixed));
}

function firstRedGreen(pixels: v128): v128 {
  const lanes = i8x16(0, -1, -1, -1, 1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
  return f64x2.convert_low_i32x4_s(i8x16.swizzle(pixels, lanes));
}

function secondRedGreen(pixels: v128): v128 {
  const lanes = i8x16(3, -1, -1, -1, 4, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
  return f64x2.convert_low_i32x4_s(i8x16.swizzle(pixels, lanes));
}

function firstBlues(pixels: v128): v128 {
  const lanes = i8x16(2, -1, -1, -1, 10, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
  return f64x2.convert_low_i32x4_s(i8x16.swizzle(pixels, lanes));
}

function secondBlues(pixels: v128): v128 {
  const lanes = i8x16(5, -1, -1, -1, 13, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
  return f64x2.convert_low_i32x4_s(i8x16.swizzle(pixels, lanes));
}

/**
 * Samples between pixels of which some are outside the source. Pixels outside the source count as
 * black.
 */
function sampleEdge(
  source: usize,
  stride: i32,
  width: i32,
  height: i32,
  x: f64,
  y: f64,
  out: usize,
): void {
  const left = <i32>Math.floor(x);
  const top = <i32>Math.floor(y);
  const hasLeft = left >= 0;
  const hasRight = left + 1 < width;
  const hasUpper = top >= 0;
  const hasLower = top + 1 < height;
  const toRight = <f64>(<f32>(x - <f64>left));
  const down = <f64>(<f32>(y - <f64>top));
  const at = source + top * stride + 3 * left;
  for (let c: usize = 0; c < 3; c++) {
    const upper = mixOne(
      hasUpper && hasLeft ? <f64>load<u8>(at + c) : 0,
      hasUpper && hasRight ? <f64>load<u8>(at + c, 3) : 0,
      toRight,
    );
    const lower = mixOne(
      hasLower && hasLeft ? <f64>load<u8>(at + c + stride) : 0,
      hasLower && hasRight ? <f64>load<u8>(at + c + stride, 3) : 0,
      toRight,
    );
    store<u8>(out + c, <i32>nearest(mixOne(upper, lower, down)));
  }
}

function mixOne(a: f64, b: f64, weight: f64): f64 {
  return <f64>(<f32>(a + weight * (b - a)));
}
