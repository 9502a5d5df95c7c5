import { BLURS, bust } from './bust.ts';
import { FRIENDS, STRANGER } from './people.ts';
import type { Person, Pose } from './person.ts';
import { down, placed } from './shading.ts';
import { blob, element } from './shape.ts';
import { book, bottle, clock, cup, fruitBowl, laptop, pottedPlant, wineGlass } from './things.ts';

/** Width and height of the group picture in pixels. */
export const GROUP = { width: 1600, height: 1000 } as const;

interface Seat {
  readonly person: Person;
  /** Where the middle between the eyes is. */
  readonly place: readonly [number, number];
  readonly scale: number;
  readonly pose: Pose;
}

const [ada, kofi, mei, walter] = FRIENDS as [Person, Person, Person, Person];

/** From the back to the front. */
const SEATS: readonly Seat[] = [
  {
    person: kofi,
    place: [530, 265],
    scale: 0.66,
    pose: { yaw: 8, roll: 4, smile: 0.7, light: 0.5 },
  },
  {
    person: STRANGER,
    place: [985, 275],
    scale: 0.66,
    pose: { yaw: -6, roll: -4, smile: 0.6, light: 0.5 },
  },
  {
    person: ada,
    place: [330, 405],
    scale: 0.72,
    pose: { yaw: 7, roll: -5, smile: 0.65, light: 0.5 },
  },
  {
    person: walter,
    place: [760, 400],
    scale: 0.72,
    pose: { yaw: -4, roll: 3, smile: 0.35, light: 0.5 },
  },
  {
    person: mei,
    place: [1190, 430],
    scale: 0.72,
    pose: { yaw: -8, roll: 5, smile: 0.75, light: 0.5 },
  },
];

/** Four friends and a stranger around a table, as an SVG document. */
export function groupPicture(): string {
  const { width, height } = GROUP;
  const people = SEATS.map(({ person, place, scale, pose }, i) =>
    placed(place, scale, bust({ person, pose, id: `p${i}`, bottom: 900 })),
  );
  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}` },
    [element('defs', {}, BLURS), wall(), ...people, table(), evening()].join(''),
  );
}

function wall(): string {
  const { width, height } = GROUP;
  return [
    down('wall', [
      [0, '#e6d6b8'],
      [1, '#b89a72'],
    ]),
    down('sky', [
      [0, '#8fc3ea'],
      [1, '#f6dcb4'],
    ]),
    element('rect', { width, height, fill: 'url(#wall)' }),
    blob([1300, 200], [420, 320], { colour: '#fff3d6', opacity: 0.55 }),
    window(),
    picture(),
    placed([755, 135], 1.25, clock()),
    placed([1450, 850], 1.35, pottedPlant()),
  ].join('');
}

function window(): string {
  return [
    element('rect', {
      x: 1090,
      y: 40,
      width: 270,
      height: 330,
      fill: '#f5efe3',
      stroke: '#a48d6b',
      'stroke-width': 3,
    }),
    element('rect', { x: 1106, y: 56, width: 238, height: 298, fill: 'url(#sky)' }),
    element('path', {
      d: 'M1106 300C1160 250 1200 290 1250 262C1290 242 1320 270 1344 258V354H1106Z',
      fill: '#6f9a63',
    }),
    element('path', { d: 'M1225 56V354M1106 200H1344', stroke: '#f5efe3', 'stroke-width': 12 }),
  ].join('');
}

function picture(): string {
  return [
    element('rect', { x: 96, y: 84, width: 230, height: 170, fill: '#4d3620' }),
    element('rect', { x: 110, y: 98, width: 202, height: 142, fill: '#dfe9ec' }),
    element('path', { d: 'M110 210L170 140L214 190L250 158L312 214V240H110Z', fill: '#5f7f93' }),
    element('circle', { cx: 270, cy: 130, r: 15, fill: '#f2b84b' }),
  ].join('');
}

function table(): string {
  return [
    down('wood', [
      [0, '#a9703f'],
      [0.2, '#8f5a30'],
      [1, '#5a3519'],
    ]),
    blob([760, 790], [700, 30], { colour: '#1d0f06', opacity: 0.5 }),
    element('path', { d: 'M0 800H1600V1000H0Z', fill: 'url(#wood)' }),
    element('path', {
      d: 'M0 812H1600M0 850H1600M0 905H1600',
      stroke: '#4a2b14',
      'stroke-width': 2,
      opacity: 0.25,
    }),
    placed([150, 862], 0.95, laptop()),
    placed([330, 925], 1.25, cup('#f2efe9')),
    placed([560, 900], 1.3, cup('#3f78b5')),
    placed([1420, 925], 1, book('#8a2f3a')),
    placed([745, 905], 1.05, fruitBowl()),
    placed([930, 880], 0.95, bottle()),
    placed([1035, 905], 0.95, wineGlass()),
    placed([1210, 900], 1.25, cup('#d9b23c')),
  ].join('');
}

/** The warm light of the lamp over everything. */
function evening(): string {
  const { width, height } = GROUP;
  return element('rect', { width, height, fill: '#ffb45e', opacity: 0.07 });
}
