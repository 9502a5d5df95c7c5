/** The outlines of the icons on a grid of 24 by 24. */
const PATHS = {
  people:
    'M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7Zm-6 9c0-3.300 2.700-6 6-6s6 2.700 6 6M16 4.300a3.500 3.500 0 0 1 0 6.400M17.500 14.300c2.100.9 3.500 3.100 3.500 5.700',
  review: 'M4 5h16v11H9l-5 4V5Zm5 5.500 2.500 2.500L16 8.500',
  unknown:
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm-2.500 6.500a2.500 2.500 0 1 1 3.600 2.200c-.7.400-1.100 1-1.100 1.800M12 16.500v.1',
  images: 'M4 5h16v14H4V5Zm0 11 5-5 4 4 2.500-2.500L20 17M15.500 9.500v.1',
  upload: 'M12 16V4m0 0L7 9m5-5 5 5M4 16v4h16v-4',
  try: 'M5 8V4h4m6 0h4v4m0 8v4h-4m-6 0H5v-4m7-7a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z',
  overview: 'M4 13h6V4H4v9Zm0 7h6v-4H4v4Zm10 0h6v-9h-6v9Zm0-16v4h6V4h-6Z',
  objects: 'M12 3 4 7.500v9L12 21l8-4.500v-9L12 3Zm0 0v9m0 9v-9m8-4.500L12 12M4 7.500l8 4.500',
  jobs: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 4v5l3.500 2',
  models: 'M7 7h10v10H7V7Zm3-4v4m4-4v4m-4 10v4m4-4v4M3 10h4m-4 4h4m10-4h4m-4 4h4',
  webhooks: 'M8 9a4 4 0 1 1 7 2.600l-3 5M9.500 12.500 7 16.500a3.500 3.500 0 1 0 3 3h6.500',
  changes: 'M5 6h14M5 12h14M5 18h9',
  settings:
    'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6Zm8 3 1.500-2-2-3.500-2.400.600-1.900-1.100L14.500 3.500h-5L8.800 6 6.900 7.100l-2.400-.600-2 3.500L4 12l-1.500 2 2 3.500 2.400-.600 1.900 1.100.700 2.500h5l.700-2.500 1.900-1.100 2.400.600 2-3.500L20 12Z',
  audit: 'M6 3h12v18H6V3Zm3 5h6m-6 4h6m-6 4h3',
  system: 'M4 4h16v7H4V4Zm0 9h16v7H4v-7Zm4-5.500v.1m0 8.900v.1',
  environments: 'm12 4 8 4-8 4-8-4 8-4Zm-8 8 8 4 8-4M4 16l8 4 8-4',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-8 9c0-4.400 3.600-8 8-8s8 3.600 8 8',
  close: 'm6 6 12 12M18 6 6 18',
  check: 'm5 13 4.500 4.500L19 8',
  menu: 'M4 6h16M4 12h16M4 18h16',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm5 12 5 5',
  left: 'M15 5l-7 7 7 7',
  right: 'm9 5 7 7-7 7',
  down: 'm5 9 7 7 7-7',
  undo: 'M9 7H15a5 5 0 0 1 0 10H8M9 7l3-3M9 7l3 3',
  delete: 'M5 7h14M10 7V4h4v3m-7 0 1 13h8l1-13',
  edit: 'M5 19h3L19 8l-3-3L5 16v3Z',
  plus: 'M12 5v14M5 12h14',
  code: 'm9 7-5 5 5 5m6-10 5 5-5 5',
  camera: 'M4 8h4l2-3h4l2 3h4v11H4V8Zm8 2.500a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon beside a text that says the same; screen readers pass over it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.700"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
