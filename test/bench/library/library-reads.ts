import type { LibraryRequest, LibraryService } from './library-service.ts';

/** A read that is measured. */
export interface LibraryRead {
  /** The endpoint as the API describes it. */
  readonly endpoint: string;
  /** The measured filter or option; empty for the plain request. */
  readonly variant: string;
  /** The sort order, if the list has several. */
  readonly sort?: string;
  readonly request: (library: LibraryService) => LibraryRequest;
}

/** The identity with a fiftieth of all detections. */
export const GREATEST_IDENTITY = 1;

const DAY_MS = 86_400_000;
const FIRST_UPLOAD = Date.UTC(2017, 0, 1);
const DAYS = 3500;

/** Names as people type them, with mistakes. */
const NAMES = 'Zoë,zoe,Müler,gonzales,Ada A. Baker,nakamura,Иванова,王小明,obrien'.split(',');
const LETTERS = 'a,an,ör,王,0,x1,%,_,ma'.split(',');
/** Texts that are in most names, in many, or in none. */
const COMMON = 'son,mar,person,aaaa,img,qqqzzz,person 000,100%'.split(',');

/** The random values that replace the parts in braces of a path. */
const VALUES: Readonly<Record<string, (library: LibraryService) => string | number>> = {
  identity: (library) => 1 + library.number(library.size.identities),
  greatest: () => GREATEST_IDENTITY,
  detection: (library) => 1 + library.number(library.size.detections),
  image: (library) => 1 + library.number(library.size.images),
  album: (library) => library.number(50),
  day: (library) => timeOf(library.number(DAYS)),
  month: (library) => {
    const from = library.number(DAYS);
    return `${timeOf(from)}&until=${timeOf(from + 30)}`;
  },
  name: (library) => encodeURIComponent(library.pick(NAMES)),
  letters: (library) => encodeURIComponent(library.pick(LETTERS)),
  common: (library) => encodeURIComponent(library.pick(COMMON)),
};

function timeOf(day: number): string {
  return new Date(FIRST_UPLOAD + day * DAY_MS).toISOString();
}

function filled(library: LibraryService, path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(VALUES[name]!(library)));
}

const IDENTITY_FILTERS = {
  all: '',
  'type=face': 'type=face',
  'type=object': 'type=object',
  external_ref: 'external_ref=contact-{identity}',
  'q of a name': 'q={name}',
  'q of a few letters': 'q={letters}',
};
const IMAGE_FILTERS = {
  all: '',
  identity_id: 'identity_id={identity}',
  'identity_id of the greatest': 'identity_id={greatest}',
  'two identity_id': 'identity_id={greatest}&identity_id={identity}',
  'type=face': 'type=face',
  'type=object': 'type=object',
  external_ref: 'external_ref=photo-{image}',
  'external_ref of many': 'external_ref=album-{album}',
  since: 'since={day}',
  'since and until': 'since={month}',
  no_detections: 'no_detections=true',
  no_tagged_faces: 'no_tagged_faces=true',
  has_manual_detections: 'has_manual_detections=true',
  'type=object and has_manual_detections': 'type=object&has_manual_detections=true',
  'no_tagged_faces, type=face and since': 'no_tagged_faces=true&type=face&since={day}',
};
const REVIEW_FILTERS = { all: '', 'has_suggestion=true': 'has_suggestion=true' };
const EMBEDDING_FILTERS = {
  all: '',
  identity_id: 'identity_id={identity}',
  'identity_id of the greatest': 'identity_id={greatest}',
  model_id: 'model_id=1',
};

/** The sort orders of images. */
export const IMAGE_SORTS = ['newest', 'oldest', 'most_detections', 'fewest_detections'];

/** @param path the endpoint with names of random values; default: the endpoint */
function read(endpoint: string, variant = '', path = endpoint): LibraryRead {
  return { endpoint, variant, request: (library) => ({ path: filled(library, path) }) };
}

function filtered(
  endpoint: string,
  filters: Readonly<Record<string, string>>,
  more = 'limit=50',
): readonly LibraryRead[] {
  return Object.entries(filters).map(([variant, filter]) =>
    read(endpoint, variant, `${endpoint}?${filter}&${more}`),
  );
}

function gallery(sort: string): readonly LibraryRead[] {
  const path = (id: string) => `/api/identities/{${id}}/gallery?sort=${sort}`;
  const endpoint = '/api/identities/{id}/gallery';
  return [
    read(endpoint, sort, path('identity')),
    read(endpoint, `of the greatest, ${sort}`, path('greatest')),
  ];
}

function search(variant: string, word: string): LibraryRead {
  const request = (library: LibraryService) => ({
    path: filled(library, `/api/search?q={${word}}`),
    apiKey: library.namesKey,
  });
  return { endpoint: '/api/search', variant, request };
}

/** The first page of every list but that of images. */
export const FIRST_PAGES: readonly LibraryRead[] = [
  ...filtered('/api/identities', IDENTITY_FILTERS),
  ...filtered('/api/identities/summary', IDENTITY_FILTERS),
  ...gallery('newest'),
  ...gallery('oldest'),
  read('/api/identities/{id}/rejected', '', '/api/identities/{identity}/rejected?limit=50'),
  ...filtered('/api/review', REVIEW_FILTERS),
  ...filtered('/api/detections/unknown', { all: '' }),
  ...filtered('/api/face-embeddings', EMBEDDING_FILTERS),
];

export const IMAGE_PAGES: readonly LibraryRead[] = IMAGE_SORTS.flatMap((sort) =>
  filtered('/api/images', IMAGE_FILTERS, `limit=50&sort=${sort}`).map((page) => ({
    ...page,
    sort,
  })),
);

export const SEARCHES: readonly LibraryRead[] = [
  search('a name', 'name'),
  search('one or two letters', 'letters'),
  search('what many names have', 'common'),
];

/** Counts and statistics. */
export const COUNTS: readonly LibraryRead[] = [
  read('/api/stats'),
  ...filtered('/api/review/count', REVIEW_FILTERS, ''),
  ...filtered('/api/images/count', IMAGE_FILTERS, ''),
];

/** Records, and a list that is exempt from the goal for first pages because it looks at every confirmed face. */
export const RECORDS: readonly LibraryRead[] = [
  read('/api/identities/{id}', '', '/api/identities/{identity}'),
  read('/api/identities/{id}', 'the greatest', '/api/identities/{greatest}'),
  read('/api/detections/{id}', '', '/api/detections/{detection}'),
  read('/api/images/{id}/faces', '', '/api/images/{image}/faces'),
  {
    endpoint: '/api/detections/query',
    variant: '50 ids',
    request: (library) => ({
      method: 'POST',
      path: '/api/detections/query',
      body: { detection_ids: Array.from({ length: 50 }, () => VALUES.detection!(library)) },
    }),
  },
  read('/api/review/mismatches', '', '/api/review/mismatches?limit=50'),
];

/** Lists without pages: the answer grows with the library. */
export const WHOLE_LISTS = ['/api/identities', '/api/identities/summary', '/api/images/ids'];

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
