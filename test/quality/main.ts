import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { discoverPacks } from '@sightline/engine/packs/discover-packs';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import { format, resolveConfig } from 'prettier';
import { openStarter } from '../support/fixtures/open-starter.ts';
import { hasShared, shared } from '../support/fixtures/shared.ts';
import { measurePack } from './measure-pack.ts';
import { renderFigures } from './render-figures.ts';
import { replaceSection } from './replace-section.ts';

/** The model card of each pack. The card has a section with the pack's name. */
const CARDS = new Map([
  ['insightface', 'insightface.md'],
  ['yolov8n', 'yolo.md'],
  ['starter-faces', 'starter.md'],
  ['starter-objects', 'starter.md'],
]);

const { values } = parseArgs({
  options: {
    /** The folders of packs; by default the shared folder and the starter's. */
    models: { type: 'string', multiple: true },
    /** The names of the packs to measure; by default all packs. */
    pack: { type: 'string', multiple: true },
    write: { type: 'boolean', default: false },
  },
});

async function findPacks(): Promise<ModelPack[]> {
  const folders = values.models ?? [shared('packs')];
  const found = await Array.fromAsync(folders, (folder) => discoverPacks(folder));
  const packs = found.flatMap((discovery) => discovery.packs);
  if (values.models === undefined) packs.push(...(await openStarter()));
  const names = packs.map(({ manifest }) => manifest.name);
  const unknown = values.pack?.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new Error(`No pack is called "${unknown}"; there are: ${names.join(', ')}.`);
  }
  return packs.filter(({ manifest }) => values.pack?.includes(manifest.name) ?? true);
}

async function writeToCard(pack: string, figures: string): Promise<void> {
  const card = CARDS.get(pack);
  if (card === undefined) throw new Error(`The pack ${pack} has no card in docs/models.`);
  const path = resolve(import.meta.dirname, '../../docs/models', card);
  const page = replaceSection(await readFile(path, 'utf8'), pack, figures);
  const style = { ...(await resolveConfig(path)), filepath: path, proseWrap: 'always' } as const;
  await writeFile(path, await format(page, style));
}

async function measureQuality(): Promise<void> {
  for (const pack of await findPacks()) {
    const { name } = pack.manifest;
    console.error(`measuring ${name} ...`);
    const figures = renderFigures(await measurePack(pack));
    console.log(`## ${name}\n\n${figures}\n`);
    if (values.write) await writeToCard(name, figures);
  }
}

if (hasShared()) await measureQuality();
else {
  console.error(
    `The photos to measure with are not in ${shared('photos')}; set SIGHTLINE_SHARED to a folder that has them.`,
  );
  process.exitCode = 1;
}
