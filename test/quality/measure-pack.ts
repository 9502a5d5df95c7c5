import type { ModelPack } from '@sightline/engine/packs/manifest';
import {
  compareFaces,
  compareObjects,
  type FaceAgreement,
  type ObjectAgreement,
} from './measure-agreement.ts';
import { type GroupFigures, measureGroups } from './measure-groups.ts';
import { measureOpenSets, type OpenSetFigures } from './measure-open-set.ts';
import { measureService, type ServiceFigures } from './measure-service.ts';
import { measureTurned, type TurnedFigures } from './measure-turned.ts';
import { measureVerification, type VerificationFigures } from './measure-verification.ts';
import { PhotoAnalyst } from './photo-analyst.ts';
import { readFaceReferences, readObjectReference } from './references.ts';

export interface FacePackFigures {
  readonly task: 'face';
  readonly verification: VerificationFigures;
  readonly openSet: OpenSetFigures;
  readonly groups: GroupFigures;
  readonly service: ServiceFigures;
  /** The agreement with each reference implementation on the photos of people. */
  readonly detection: readonly FaceAgreement[];
  /** The agreement with each reference implementation on some LFW photos. */
  readonly portraits: readonly FaceAgreement[];
  readonly turned: TurnedFigures;
}

export interface ObjectPackFigures {
  readonly task: 'object';
  readonly objects: readonly ObjectAgreement[];
}

export type PackFigures = FacePackFigures | ObjectPackFigures;

/** Measures how well a pack recognizes what is in the shared photos. */
export async function measurePack(pack: ModelPack): Promise<PackFigures> {
  await using analyst = await PhotoAnalyst.open(pack);
  if (pack.manifest.task !== 'face') {
    return { task: 'object', objects: await compareObjects(analyst, await readObjectReference()) };
  }
  const references = await readFaceReferences();
  const compare = (folder: string) =>
    Array.fromAsync(references, (reference) => compareFaces(analyst, reference, folder));
  const calibration = pack.manifest.similarity_calibration ?? null;
  return {
    task: 'face',
    verification: await measureVerification(analyst, calibration),
    openSet: await measureOpenSets(analyst, calibration),
    groups: await measureGroups(analyst, calibration),
    detection: await compare('people'),
    portraits: await compare('lfw'),
    turned: await measureTurned(analyst),
    service: await measureService(pack),
  };
}
