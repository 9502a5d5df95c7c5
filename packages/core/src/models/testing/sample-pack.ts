import type { CatalogEntry } from '../catalog-entry.ts';

export function samplePack(name: string): CatalogEntry {
  return {
    name,
    task: 'object',
    version: '1',
    license: 'MIT',
    commercialUse: true,
    commercialUseReason: null,
    provides: [],
    embeddingDim: null,
    classes: [],
    files: [{ address: 'https://example.org/pack.zip', sha256: null, bytes: null }],
  };
}
