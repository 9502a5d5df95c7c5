import type { LibraryRequest } from './library-service.ts';

/** The values by which requests vary. */
export interface LibrarySubjects {
  /** A random number below the limit, evenly distributed. */
  readonly number: (below: number) => number;
  readonly images: number;
  readonly identities: number;
  readonly detections: number;
  readonly modelId: number;
  /** The key of the environment that has only names. */
  readonly namesKey: string;
}

/** A read that is measured: the endpoint as the API describes it, and requests to it. */
export interface LibraryRead {
  readonly endpoint: string;
  /** The measured filter or option; empty for the plain request. */
  readonly variant: string;
  /** The sort order, if the list has several. */
  readonly sort?: string;
  readonly requests: (subjects: LibrarySubjects) => LibraryRequest;
}

/** The identity with a fiftieth of all detections. */
export const GREATEST_IDENTITY = 1;

const DAY_MS = 86_400_000;
const FIRST_UPLOAD = Date.UTC(2017, 0, 1);
const DAYS = 3500;

type Filters = Readonly<Record<string, (subjects: LibrarySubjects) => string>>;

const identity = ({ number, identities }: LibrarySubjects) => 1 + number(identities);
const day = ({ number }: LibrarySubjects, after = 0) =>
  new Date(FIRST_UPLOAD + (number(DAYS) + after) * DAY_MS).toISOString();

const IDENTITY_FILTERS: Filters = {
  all: () => '',
  'type=face': () => 'type=face',
  'type=object': () => 'type=object',
  external_ref: ({ number, identities }) => `external_ref=contact-${number(identities)}`,
  'q of a name': ({ number }) => `q=${encodeURIComponent(NAMES[number(NAMES.length)]!)}`,
  'q of a few letters': ({ number }) => `q=${encodeURIComponent(LETTERS[number(LETTERS.length)]!)}`,
};

/** Names as people type them, with mistakes. */
const NAMES = [
  'Zoë',
  'zoe',
  'Müler',
  'gonzales',
  'Ada A. Baker',
  'nakamura',
  'Иванова',
  '王小明',
  'obrien',
];
const LETTERS = ['a', 'an', 'ör', '王', '0', 'x1', '%', '_', 'ma'];
/** Texts that are in most names, in many, or in none. */
const COMMON = ['son', 'mar', 'person', 'aaaa', 'img', 'qqqzzz', 'person 000', '100%'];

const IMAGE_FILTERS: Filters = {
  all: () => '',
  identity_id: (subjects) => `identity_id=${identity(subjects)}`,
  'identity_id of the greatest': () => `identity_id=${GREATEST_IDENTITY}`,
  'two identity_id': (subjects) =>
    `identity_id=${GREATEST_IDENTITY}&identity_id=${identity(subjects)}`,
  'type=face': () => 'type=face',
  'type=object': () => 'type=object',
  external_ref: ({ number, images }) => `external_ref=photo-${number(images)}`,
  'external_ref of many': ({ number }) => `external_ref=album-${number(50)}`,
  since: (subjects) => `since=${day(subjects)}`,
  'since and until': ({ number }) => {
    const from = number(DAYS);
    const at = (days: number) => new Date(FIRST_UPLOAD + days * DAY_MS).toISOString();
    return `since=${at(from)}&until=${at(from + 30)}`;
  },
  no_detections: () => 'no_detections=true',
  no_tagged_faces: () => 'no_tagged_faces=true',
  has_manual_detections: () => 'has_manual_detections=true',
  'type=object and has_manual_detections': () => 'type=object&has_manual_detections=true',
  'no_tagged_faces, type=face and since': (subjects) =>
    `no_tagged_faces=true&type=face&since=${day(subjects)}`,
};

/** The sort orders of images. */
export const IMAGE_SORTS = ['newest', 'oldest', 'most_detections', 'fewest_detections'];

function query(...parts: readonly string[]): string {
  const given = parts.filter((part) => part !== '');
  return given.length === 0 ? '' : `?${given.join('&')}`;
}

function filtered(endpoint: string, filters: Filters, more = 'limit=50'): readonly LibraryRead[] {
  return Object.entries(filters).map(([variant, filter]) => ({
    endpoint,
    variant,
    requests: (subjects) => ({ path: endpoint + query(filter(subjects), more) }),
  }));
}

function searched(variant: string, words: readonly string[]): LibraryRead {
  return {
    endpoint: '/api/search',
    variant,
    requests: ({ number, namesKey }) => ({
      path: `/api/search?q=${encodeURIComponent(words[number(words.length)]!)}`,
      apiKey: namesKey,
    }),
  };
}

/** Reads of one record, or of the list that belongs to it, by a path with an id. */
function ofOne(
  endpoint: string,
  id: (subjects: LibrarySubjects) => number,
  options: { readonly variant?: string; readonly query?: string } = {},
): LibraryRead {
  const { variant = '', query: parameters = '' } = options;
  return {
    endpoint,
    variant,
    requests: (subjects) => ({
      path: endpoint.replace('{id}', String(id(subjects))) + query(parameters),
    }),
  };
}

const detection = ({ number, detections }: LibrarySubjects) => 1 + number(detections);
const image = ({ number, images }: LibrarySubjects) => 1 + number(images);
const greatest = () => GREATEST_IDENTITY;

/** The first page of every other list, by every filter and in every order. */
export const FIRST_PAGES: readonly LibraryRead[] = [
  ...filtered('/api/identities', IDENTITY_FILTERS),
  ...filtered('/api/identities/summary', IDENTITY_FILTERS),
  ...['newest', 'oldest'].flatMap((sort) => [
    ofOne('/api/identities/{id}/gallery', identity, { variant: sort, query: `sort=${sort}` }),
    ofOne('/api/identities/{id}/gallery', greatest, {
      variant: `of the greatest, ${sort}`,
      query: `sort=${sort}`,
    }),
  ]),
  ofOne('/api/identities/{id}/rejected', identity, { query: 'limit=50' }),
  ...filtered('/api/review', { all: () => '', 'has_suggestion=true': () => 'has_suggestion=true' }),
  ...filtered('/api/detections/unknown', { all: () => '' }),
  ...filtered('/api/face-embeddings', {
    all: () => '',
    identity_id: (subjects) => `identity_id=${identity(subjects)}`,
    'identity_id of the greatest': () => `identity_id=${GREATEST_IDENTITY}`,
    model_id: ({ modelId }) => `model_id=${modelId}`,
  }),
];

/** The first page of the images, by every filter and in every order. */
export const IMAGE_PAGES: readonly LibraryRead[] = IMAGE_SORTS.flatMap((sort) =>
  filtered('/api/images', IMAGE_FILTERS, `limit=50&sort=${sort}`).map((read) => ({
    ...read,
    sort,
  })),
);

export const SEARCHES: readonly LibraryRead[] = [
  searched('a name', NAMES),
  searched('one or two letters', LETTERS),
  searched('what many names have', COMMON),
];

/** Counts and statistics. */
export const COUNTS: readonly LibraryRead[] = [
  { endpoint: '/api/stats', variant: '', requests: () => ({ path: '/api/stats' }) },
  ...filtered(
    '/api/review/count',
    { all: () => '', 'has_suggestion=true': () => 'has_suggestion=true' },
    '',
  ),
  ...filtered('/api/images/count', IMAGE_FILTERS, ''),
];

/** Records, one at a time. */
export const RECORDS: readonly LibraryRead[] = [
  ofOne('/api/identities/{id}', identity),
  ofOne('/api/identities/{id}', greatest, { variant: 'the greatest' }),
  ofOne('/api/detections/{id}', detection),
  ofOne('/api/images/{id}/faces', image),
  {
    endpoint: '/api/detections/query',
    variant: '50 ids',
    requests: (subjects) => ({
      method: 'POST',
      path: '/api/detections/query',
      body: { detection_ids: Array.from({ length: 50 }, () => detection(subjects)) },
    }),
  },
];

/** Lists without pages: the answer grows with the library. */
export const WHOLE_LISTS = ['/api/identities', '/api/identities/summary', '/api/images/ids'];

/** Exempt from the goal for first pages, because it looks at every confirmed face. */
export const MISMATCHES: LibraryRead = {
  endpoint: '/api/review/mismatches',
  variant: '',
  requests: () => ({ path: '/api/review/mismatches?limit=50' }),
};

/** The lists whose later pages are measured, up to their middle or the limit of pages. */
export const DEEP_LISTS: readonly (readonly [endpoint: string, path: string])[] = [
  ['/api/identities', '/api/identities'],
  ['/api/identities/summary', '/api/identities/summary'],
  ['/api/identities/{id}/gallery', `/api/identities/${GREATEST_IDENTITY}/gallery`],
  ['/api/review', '/api/review'],
  ['/api/review', '/api/review?has_suggestion=true'],
  ['/api/detections/unknown', '/api/detections/unknown'],
  ['/api/face-embeddings', '/api/face-embeddings'],
  ...IMAGE_SORTS.map((sort) => ['/api/images', `/api/images?sort=${sort}`] as const),
  ['/api/images', '/api/images?has_manual_detections=true&sort=most_detections'],
];
