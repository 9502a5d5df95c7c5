import { type ReadArchive, readArchive } from '../support/fixtures/read-archive.ts';

/** The content of an archive with labels and digests instead of ids, so that two archives can be compared. */
export async function archivedContent(bytes: Uint8Array): Promise<readonly unknown[]> {
  const archive = await readArchive(bytes);
  const labels = new Map(archive.identities.map(({ identity, label }) => [identity, label]));
  const images = archive.images.map((record) => ({
    ...record,
    image: undefined,
    file: record.file.sha256,
    original: record.original?.sha256 ?? null,
    detections: record.detections.map((each) => contentOf(archive, each, labels)),
  }));
  const identities = archive.identities.map((record) => ({ ...record, identity: undefined }));
  const byDigest = images.toSorted((a, b) => a.digest.localeCompare(b.digest));
  return [identities.toSorted((a, b) => a.label.localeCompare(b.label)), byDigest];
}

function contentOf(
  archive: ReadArchive,
  record: ReadArchive['detections'][number],
  labels: ReadonlyMap<number, string>,
): object {
  return {
    ...record,
    detection: undefined,
    identity: record.identity === null ? null : labels.get(record.identity),
    crop: record.crop.sha256,
    looks: archive.vectorsOf(record),
    vectors: record.vectors.map(({ reference }) => reference),
    rejected_from: record.rejected_from.map((pair) => labels.get(pair.identity)),
  };
}
