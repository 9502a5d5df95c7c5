import { bestClasses as bestClassesByKernel } from '@sightline/engine/kernels/best-classes';
import { drawFit as drawFitByKernel } from '@sightline/engine/kernels/draw-fit';
import { packFit } from '@sightline/engine/kernels/pack-fit';
import { packInto as packByKernel } from '@sightline/engine/kernels/pack-tensor';
import { warpAffine as warpByKernel } from '@sightline/engine/kernels/warp-affine';
import { bestClasses } from '@sightline/engine/math/best-classes';
import { drawFit } from '@sightline/engine/math/fit';
import { letterbox, letterboxSmooth } from '@sightline/engine/math/letterbox';
import { packInto, packTensor } from '@sightline/engine/math/pack-tensor';
import { noise } from '@sightline/engine/math/testing/noise';
import { warpAffine } from '@sightline/engine/math/warp-affine';
import { type Measured, repeat } from './bench.ts';
import { markdownTable } from './markdown-table.ts';
import { median, timed } from './statistics.ts';

const ROUNDS = 31;
/** The number of calls until V8 has compiled both sides. */
const WARM_UP = 10;

const FACES = 5;
const FACE_SIZE = { width: 112, height: 112 };
const INPUT = { width: 640, height: 640 };
const SPEC = {
  mean: [127.5, 127.5, 127.5],
  std: [128, 128, 128],
  colorOrder: 'rgb',
} as const;

interface Comparison {
  readonly name: string;
  readonly reference: () => unknown;
  readonly kernel: () => unknown;
}

export async function measureKernels(): Promise<Measured> {
  const rows: string[][] = [];
  for (const { name, reference, kernel } of comparisons()) {
    const round = async () => ({ reference: await timed(reference), kernel: await timed(kernel) });
    await repeat(WARM_UP, round);
    const rounds = await repeat(ROUNDS, round);
    const cell = (values: readonly number[]) => median(values).toFixed(2);
    rows.push([
      name,
      cell(rounds.map((each) => each.reference)),
      cell(rounds.map((each) => each.kernel)),
      cell(rounds.map((each) => each.kernel / each.reference)),
    ]);
  }
  const text = `## Kernels

Milliseconds of what the engine computes itself, in WebAssembly and by the functions in TypeScript that are the
reference, on the same pixels in turns. Both have the same results, bit by bit.

${markdownTable(['work', 'reference', 'kernel', 'kernel / reference'], rows)}`;
  return { text };
}

function comparisons(): Comparison[] {
  const photo = noise(819, 546);
  const large = noise(3024, 4032);
  const face = noise(FACE_SIZE.width, FACE_SIZE.height).data;
  const fit = letterbox(photo, INPUT);
  const shrunk = letterboxSmooth(large, { width: 960, height: 1280 });
  const input = new Float32Array(3 * INPUT.width * INPUT.height);
  const faceInput = new Float32Array(face.length);
  const classes = 80;
  const cells = 8400;
  const scores = Float32Array.from({ length: classes * cells }, (_, i) => (i % 1009) / 1009);
  return [
    {
      name: '819x546 into the 640x640 input of SCRFD',
      reference: () => packTensor(drawFit(photo, fit), INPUT, SPEC),
      kernel: () => packFit(input, photo, { fit, spec: SPEC }),
    },
    {
      name: `${FACES} aligned faces of 112x112`,
      reference: () => eachFace((map) => warpAffine(photo, map, FACE_SIZE)),
      kernel: () => eachFace((map) => warpByKernel(photo, map, FACE_SIZE)),
    },
    {
      name: `${FACES} faces into the input of a recognizer`,
      reference: () => eachFace(() => packInto(faceInput, face, SPEC)),
      kernel: () => eachFace(() => packByKernel(faceInput, face, SPEC)),
    },
    {
      name: '3024x4032 shrunk to 960x1280',
      reference: () => drawFit(large, shrunk),
      kernel: () => drawFitByKernel(large, shrunk),
    },
    {
      name: `best of ${classes} classes in ${cells} cells of YOLOv8`,
      reference: () => bestClasses(scores, cells),
      kernel: () => bestClassesByKernel(scores, cells),
    },
  ];
}

/** Calls the function with the transform of a face of about 90 pixels, turned a little more each time. */
function eachFace(use: (map: Parameters<typeof warpAffine>[1]) => unknown): void {
  for (let i = 0; i < FACES; i++) {
    const a = 1.2 * Math.cos(i / 5);
    const c = 1.2 * Math.sin(i / 5);
    use({ a, b: -c, tx: -100 * i, c, d: a, ty: -150 });
  }
}
