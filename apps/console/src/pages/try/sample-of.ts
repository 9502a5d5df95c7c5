import type { SampleRequest } from './code-samples.ts';
import type { Photo } from './photo.ts';

/** The names of the members that contain a photo. */
export interface PhotoMembers {
  readonly file: string;
  readonly url: string;
}

const ONE: readonly PhotoMembers[] = [{ file: 'file', url: 'image_url' }];
const TWO: readonly PhotoMembers[] = [
  { file: 'file1', url: 'image1_url' },
  { file: 'file2', url: 'image2_url' },
];

/**
 * Describes a request for the samples of code.
 *
 * @param photos one or two; a photo that is not chosen yet gets the name of the first
 */
export function sampleOf(
  path: string,
  photos: readonly (Photo | null)[],
  fields: Readonly<Record<string, string | number | undefined>> = {},
): SampleRequest {
  const members = photos.length === 1 ? ONE : TWO;
  const pairs = photos.map((photo, index) => ({ photo, member: members[index]! }));
  const files = pairs
    .filter(({ photo }) => photo?.url === undefined)
    .map(({ photo, member }) => [member.file, photo?.file?.name ?? 'photo.jpg'] as const);
  const urls = pairs.flatMap(({ photo, member }) =>
    photo?.url === undefined ? [] : [[member.url, photo.url] as const],
  );
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    url: location.origin + path,
    files: Object.fromEntries(files),
    fields: Object.fromEntries([...urls, ...given]) as SampleRequest['fields'],
  };
}
