import { readFileSync } from 'node:fs';
import type { GraphModelFiles } from '../convert-graph-model.ts';

const MODELS = '../../../../../node_modules/@vladmandic/human/models/';

/** A network from the npm package @vladmandic/human. */
export function publishedModel(name: 'faceres' | 'centernet'): GraphModelFiles {
  const read = (file: string) => readFileSync(new URL(MODELS + file, import.meta.url));
  return { model: read(`${name}.json`), weights: read(`${name}.bin`) };
}
