import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { digestOfMediaKey, environmentOfMediaKey, isMediaKey } from '../media/media-key.ts';
import type { MediaEntry, MediaStore } from '../media/media-store.ts';
import { ORPHAN_GRACE_MS } from '../media/orphan-grace.ts';
import { findDrift } from '../vectors/find-drift.ts';
import type { IndexDeps } from '../vectors/index-changes.ts';
import type { EnvironmentEraser } from './environment-eraser.ts';
import { KeyLedger } from './key-ledger.ts';
import type { MaintenanceStore } from './maintenance-store.ts';

export interface CheckDeps {
  readonly maintenance: Pick<MaintenanceStore, 'contradictions' | 'mediaKeys' | 'orphans'>;
  readonly eraser: Pick<EnvironmentEraser, 'pending'>;
  readonly media: MediaStore;
  /** The index; if absent, it is not compared. */
  readonly vectors?: IndexDeps;
}

export interface CheckOptions {
  /** Whether every file is read, and its digest compared with its key. */
  readonly deep?: boolean;
  /** The age from which a file without a row is a finding, in ms; an hour if absent. */
  readonly orphanAgeMs?: number;
  readonly signal?: AbortSignal;
}

const PAGE = 1000;
/** The longest wait for pending changes to be applied to the index, in ms. */
const SETTLE_MS = 2000;
const PAUSE_MS = 50;
const MINUTE_MS = 60_000;

/**
 * Compares rows, files and index with each other. Returns one sentence per finding. Other processes may write at the same
 * time, because changes in progress are not findings. Needs a few bytes of memory per file.
 *
 * @throws StoreUnavailable, VectorsUnavailable
 */
export async function checkConsistency(
  deps: CheckDeps,
  options: CheckOptions = {},
): Promise<readonly string[]> {
  const contradictions = await deps.maintenance.contradictions(options.signal);
  const fileFindings = await checkFiles(deps, options);
  const indexFindings = deps.vectors ? await checkIndex(deps.vectors, options.signal) : [];
  // `push(...findings)` fails with hundreds of thousands of findings, because V8 limits the arguments of a call.
  return [...contradictions, ...fileFindings, ...indexFindings];
}

async function checkFiles(deps: CheckDeps, options: CheckOptions): Promise<string[]> {
  const { deep = false, orphanAgeMs = ORPHAN_GRACE_MS, signal } = options;
  const files = await KeyLedger.of(storedKeys(deps, signal));
  const findings: string[] = [];
  for await (const key of mediaKeys(deps, signal)) {
    const listed = files.tick(key);
    if (listed && !deep) continue;
    const finding = await checkFile(deps, { key, deep }, signal);
    if (finding !== null) findings.push(finding);
  }
  // A file that is being uploaded has no row yet, so only old files without a row are findings.
  if (files.left === 0) return findings;
  return findings.concat(await checkRowless(deps, files, { orphanAgeMs, signal }));
}

async function* storedKeys({ media }: CheckDeps, signal?: AbortSignal): AsyncGenerator<string> {
  for await (const { key } of media.list('', signal)) yield key;
}

async function* mediaKeys(deps: CheckDeps, signal?: AbortSignal): AsyncGenerator<string> {
  for (let after: string | null = ''; after !== null;) {
    const keys = await deps.maintenance.mediaKeys({ after, limit: PAGE }, signal);
    yield* keys;
    after = keys.length === PAGE ? keys.at(-1)! : null;
  }
}

/** A missing file is only a finding if its row still exists, because a request may have just deleted file and row. */
async function checkFile(
  { media, maintenance }: CheckDeps,
  { key, deep }: { readonly key: string; readonly deep: boolean },
  signal?: AbortSignal,
): Promise<string | null> {
  if (!isMediaKey(key)) return `The key ${JSON.stringify(key)} of a row is not a media key.`;
  const object = await media.open(key, undefined, signal);
  if (object === null) {
    const [orphan] = await maintenance.orphans([key], signal);
    return orphan === undefined ? `The file ${key} of a row does not exist.` : null;
  }
  if (!deep) {
    await object.body.cancel();
    return null;
  }
  const hash = createHash('sha256');
  for await (const chunk of object.body) hash.update(chunk);
  return hash.digest('hex') === digestOfMediaKey(key)
    ? null
    : `The bytes of the file ${key} are not those that were stored.`;
}

/**
 * Finds old files without a row. It lists all files again, because the ledger does not contain whole keys, only a
 * part of each. The deletion of an environment removes its files after its rows.
 */
async function checkRowless(
  { media, maintenance, eraser }: CheckDeps,
  files: KeyLedger,
  {
    orphanAgeMs,
    signal,
  }: { readonly orphanAgeMs: number; readonly signal: AbortSignal | undefined },
): Promise<string[]> {
  const findings: string[] = [];
  let batch: MediaEntry[] = [];
  const check = async () => {
    const keys = batch.map(({ key }) => key);
    const orphans = new Set(await maintenance.orphans(keys, signal));
    const deleting = new Set(await eraser.pending(signal));
    for (const entry of batch) {
      if (!orphans.has(entry.key) || deleting.has(environmentOfMediaKey(entry.key))) continue;
      if (await exists(media, entry.key, signal)) findings.push(describeOrphan(entry));
    }
    batch = [];
  };
  for await (const entry of media.list('', signal)) {
    if (entry.ageMs < orphanAgeMs || !files.isLeft(entry.key)) continue;
    batch.push(entry);
    if (batch.length === PAGE) await check();
  }
  if (batch.length > 0) await check();
  return findings;
}

/** A request or the end of a deletion may have removed the file since the store listed it. */
async function exists(
  media: Pick<MediaStore, 'open'>,
  key: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const object = await media.open(key, undefined, signal);
  await object?.body.cancel();
  return object !== null;
}

function describeOrphan({ key, size, ageMs }: MediaEntry): string {
  const minutes = Math.floor(ageMs / MINUTE_MS);
  return `The file ${key} (${size} bytes, ${minutes} min old) belongs to no row.`;
}

async function checkIndex(deps: IndexDeps, signal?: AbortSignal): Promise<string[]> {
  const findings: string[] = [];
  for (const space of await deps.source.possibleSpaces(signal)) {
    const settle = () => whenSettled(deps, signal);
    const drift = await findDrift(deps, { space, settle }, signal);
    const where = `${space.kind} of model ${space.modelId} in environment ${space.environmentId}`;
    for (const [id, kind] of drift) findings.push(`In the index ${id} is ${kind}: ${where}.`);
  }
  return findings;
}

async function whenSettled({ changeLog }: IndexDeps, signal?: AbortSignal): Promise<void> {
  for (let waited = 0; waited < SETTLE_MS; waited += PAUSE_MS) {
    if ((await changeLog.backlog(signal)) === 0) return;
    await sleep(PAUSE_MS, undefined, { signal });
  }
}
