import { isMainThread, Worker } from 'node:worker_threads';
import { countBuffers } from '@sightline/platform/process/count-buffers';

const DECODED = 5;

/** Prints the bytes that a thread holds after it has decoded HEIC files, and after it has refused some. */
async function measure(): Promise<void> {
  const { decodeImage } = await import('../decode-image.ts');
  const { PixelBudget } = await import('../pixel-budget.ts');
  const { fixture } = await import('./fixture.ts');
  const heldAfter = async (maxPixels: number): Promise<number> => {
    const budget = PixelBudget.alone(maxPixels);
    const limits = { maxBytes: 1e6, maxPixels };
    const before = process.memoryUsage().external;
    for (let i = 0; i < DECODED; i++) {
      const decoding = decodeImage(fixture('master.heic'), { limits, budget });
      const image = await decoding.catch(() => null);
      image?.[Symbol.dispose]();
    }
    return process.memoryUsage().external - before;
  };
  console.log(JSON.stringify({ decoded: await heldAfter(1e6), refused: await heldAfter(40_000) }));
}

if (isMainThread) {
  countBuffers();
  new Worker(new URL(import.meta.url));
} else {
  await measure();
}
