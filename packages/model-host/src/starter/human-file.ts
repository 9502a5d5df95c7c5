import type { ModelFile } from '@sightline/model-downloads/model-file';

/** Describes a model file of the npm package @vladmandic/human. The package's code is not used. */
export function humanFile(file: Omit<ModelFile, 'sources'>): ModelFile {
  return {
    ...file,
    sources: [{ npmPackage: '@vladmandic/human', path: `models/${file.name}` }],
  };
}
