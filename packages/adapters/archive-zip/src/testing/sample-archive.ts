import type { ArchiveHead } from '@sightline/contracts/archive/archive-head';
import type { ArchivedDetection } from '@sightline/contracts/archive/archived-detection';
import type { ArchivedIdentity } from '@sightline/contracts/archive/archived-identity';
import type { ArchivedImage } from '@sightline/contracts/archive/archived-image';
import type { ArchivedModel } from '@sightline/contracts/archive/archived-model';
import { digestOf } from '@sightline/core/media/digest-of';
import type { z } from 'zod';
import { writeZip } from '../write-zip.ts';
import { linesEntry, storedEntry } from '../zip-entry.ts';
import { sampleJpeg } from './sample-jpeg.ts';

type DetectionRecord = z.input<typeof ArchivedDetection>;
type ImageRecord = z.input<typeof ArchivedImage>;

const AT = '2026-01-02T03:04:05.678Z';

/** An image of 400 x 300 pixels. The given fields replace the default values of its record. */
export interface SampleImage extends Partial<Omit<ImageRecord, 'detections'>> {
  readonly detections?: readonly SampleDetection[];
}

export interface SampleDetection extends Partial<DetectionRecord> {
  /** The face's embeddings, by model. Each becomes a reference if the face is confirmed. */
  readonly looks?: Readonly<Record<number, Float32Array>>;
}

export interface SampleArchive {
  readonly head?: Partial<z.input<typeof ArchiveHead>>;
  readonly models?: readonly Partial<z.input<typeof ArchivedModel>>[];
  readonly identities?: readonly Partial<z.input<typeof ArchivedIdentity>>[];
  readonly images?: readonly SampleImage[];
}

/** The files of a valid archive, by name. The given parts replace default values. */
export function sampleFiles({
  head = {},
  models = [],
  identities = [],
  images = [],
}: SampleArchive): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const product = '0.1.0';
  const known = { format: 'sightline-archive', version: 1, created_at: AT, product, whole: true };
  files.set('sightline.json', Buffer.from(JSON.stringify({ ...known, ...head })));
  files.set('models.jsonl', linesOf(models.map((model, i) => ({ model: i + 1, ...model }))));
  const defaults = { type: 'face', external_ref: null, created_at: AT };
  files.set(
    'identities.jsonl',
    linesOf(identities.map((identity, i) => ({ identity: i + 1, ...defaults, ...identity }))),
  );
  if (images.length > 0) addPage(files, images);
  return files;
}

function addPage(files: Map<string, Uint8Array>, images: readonly SampleImage[]): void {
  const floats: number[] = [];
  const detections = { next: 1 };
  const records = images.map(({ detections: found = [], ...image }, i) => {
    const id = image.image ?? i + 1;
    const file = sampleJpeg(200, 150, `image ${id}`);
    files.set(`images/${id}.jpg`, file);
    return {
      image: id,
      digest: digestOf(Buffer.from(`posted ${id}`)),
      size: 1000,
      format: 'jpeg',
      width: 400,
      height: 300,
      external_ref: null,
      uploaded_at: AT,
      file: { ...fileOf(`images/${id}.jpg`, file), width: 200, height: 150 },
      original: null,
      ...image,
      detections: found.map((one) => {
        const detection = one.detection ?? detections.next;
        detections.next = detection + 1;
        const crop = sampleJpeg(20, 20, `crop ${detection}`);
        files.set(`crops/${detection}.jpg`, crop);
        return recordOf({ detection, ...one }, fileOf(`crops/${detection}.jpg`, crop), floats);
      }),
    };
  });
  files.set('pages/000001/images.jsonl', linesOf(records));
  files.set('pages/000001/vectors.f32', new Uint8Array(Float32Array.from(floats).buffer));
}

function recordOf(
  { looks = {}, ...given }: SampleDetection,
  crop: DetectionRecord['crop'],
  floats: number[],
) {
  const { identity = null, type = 'face' } = given;
  const status = given.review_status ?? (identity === null ? 'pending' : 'confirmed');
  const vectors = Object.entries(looks).map(([model, look]) => {
    const offset = floats.push(...look) - look.length;
    const reference = status === 'confirmed' ? { created_at: AT } : null;
    return { model: Number(model), offset, reference };
  });
  return {
    type,
    bbox: { x: 10, y: 10, w: 50, h: 50 },
    confidence: 0.9,
    quality: type === 'face' ? 0.9 : null,
    landmarks: null,
    class_name: null,
    class_id: null,
    identity,
    is_cover: false,
    similarity: null,
    review_status: status,
    decided_by: 'automatic',
    is_manual: false,
    dismissed_at: null,
    mismatch_reviewed: false,
    embedding_source: vectors.length > 0 ? 'aligned' : null,
    age: null,
    gender: null,
    pose: null,
    detected_at: AT,
    crop,
    vectors,
    rejected_from: [],
    ...given,
  };
}

export function fileOf(path: string, bytes: Uint8Array) {
  return { path, sha256: digestOf(bytes), size: bytes.length };
}

export function linesOf(records: readonly unknown[]): Uint8Array {
  return Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

export async function zipOf(files: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array> {
  const entries = async function* () {
    for (const [name, bytes] of files) {
      const isLines = name.endsWith('.jsonl');
      const lines = () => Buffer.from(bytes).toString().split('\n').slice(0, -1);
      yield isLines ? await linesEntry(name, lines()) : storedEntry(name, bytes);
    }
  };
  return Buffer.concat(await Array.fromAsync(writeZip(entries(), new Date(AT))));
}
