import { markdownTable as table } from './markdown-table.ts';
import type { KernelFigures } from './measure-kernels.ts';

/** The times of the work on pixels and scores around the networks. */
export function kernelSection(kernels: readonly KernelFigures[]): string {
  return `## Kernels

Milliseconds of what the engine computes itself, in WebAssembly and by the functions in TypeScript that are the
reference, on the same pixels in turns. Both have the same results, bit by bit.

${table(
  ['work', 'reference', 'kernel', 'kernel / reference'],
  kernels.map(({ name, reference, kernel, share }) => [
    name,
    reference.toFixed(2),
    kernel.toFixed(2),
    share.median.toFixed(2),
  ]),
)}
`;
}
