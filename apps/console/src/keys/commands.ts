import { PAGES } from '../frame/pages.ts';

/** A command as long as no page is shown. */
interface CommandEntry {
  /** The keys that run it unless the person has chosen another, such as `N`, `Alt+K`, or `G P` for two keys in turn. */
  readonly keys: readonly string[];
  /** The parts of the console in which it may be active; without any, it is active everywhere. */
  readonly views: readonly string[];
}

type Entries<Id extends string> = Readonly<Record<Id, CommandEntry>>;

function commandsOf<Id extends string>(
  views: string,
  keys: Readonly<Record<Id, readonly string[]>>,
): Entries<Id> {
  const entry = ([id, own]: [string, unknown]) => [id, { keys: own, views: views.split(' ') }];
  return Object.fromEntries(Object.entries(keys).map(entry)) as Entries<Id>;
}

type GoId = `frame.go.${(typeof PAGES)[number]['name']}`;

const GO = Object.fromEntries(
  PAGES.map(({ name, key }) => [`frame.go.${name}`, { keys: [`G ${key}`], views: [] }]),
) as unknown as Entries<GoId>;

/** All commands whose keys can be changed, in the order in which people read them. Changed keys are stored by the ids. */
export const COMMANDS = {
  'frame.keys': { keys: ['?'], views: [] },
  'frame.search': { keys: ['Ctrl+K'], views: [] },
  'frame.undo': { keys: ['Z'], views: [] },
  'frame.redo': { keys: ['Shift+Z'], views: [] },
  ...GO,
  ...commandsOf('review.suggested review.open review.mismatches review.person', {
    'review.view': ['B'],
  }),
  ...commandsOf('review.suggested', {
    'review.confirm.1': ['Enter', '1'],
    'review.confirm.2': ['2'],
    'review.confirm.3': ['3'],
    'review.confirm.4': ['4'],
    'review.confirm.5': ['5'],
  }),
  ...commandsOf('review.mismatches', { 'review.keep': ['Enter', 'Y'] }),
  ...commandsOf('review.open', { 'review.who': ['Enter'] }),
  ...commandsOf('review.suggested review.open', { 'review.dismiss': ['X'] }),
  ...commandsOf('review.suggested review.open review.mismatches', {
    'review.other': ['/'],
    'review.reject': ['N'],
    'review.unassign': ['U'],
    'review.later': ['S'],
    'review.whole': ['Space'],
    'review.next': ['J'],
    'review.previous': ['K'],
  }),
  ...commandsOf('review.person', {
    'group.confirm': ['Enter'],
    'group.both': ['Shift+Enter'],
    'group.toggle': ['Space'],
    'group.next': ['J'],
    'group.previous': ['K'],
    'group.right': ['ArrowRight'],
    'group.left': ['ArrowLeft'],
    'group.down': ['ArrowDown'],
    'group.up': ['ArrowUp'],
  }),
  ...commandsOf('people', {
    'people.rename': ['F2'],
    'people.merge': ['M'],
    'people.delete': ['Delete'],
  }),
  ...commandsOf('person.faces person.suggested person.mismatches', {
    'person.move': ['V'],
    'person.reject': ['N'],
  }),
  ...commandsOf('person.faces person.references', { 'person.cover': ['C'] }),
  ...commandsOf('person.faces', { 'person.enroll': ['E'], 'person.delete': ['Delete'] }),
  ...commandsOf('person.suggested', { 'person.confirm': ['Y'] }),
  ...commandsOf('person.references', { 'person.revoke': ['E'] }),
  ...commandsOf('person.mismatches', { 'person.dismiss': ['Y'] }),
  ...commandsOf('person.rejected', { 'person.restore': ['R'] }),
  ...commandsOf('unknown.groups', {
    'unknown.name': ['Enter'],
    'unknown.ignore': ['I'],
    'unknown.choose': ['C'],
    'unknown.toggle': ['Space'],
    'unknown.down': ['ArrowDown', 'J'],
    'unknown.up': ['ArrowUp', 'K'],
    'unknown.right': ['ArrowRight'],
    'unknown.left': ['ArrowLeft'],
    'unknown.looser': ['['],
    'unknown.stricter': [']'],
  }),
  ...commandsOf('unknown.faces', { 'unknown.nameFaces': ['V'], 'unknown.ignoreFaces': ['I'] }),
  ...commandsOf('images', { 'images.reprocess': ['P'], 'images.delete': ['Delete'] }),
  ...commandsOf('image image.box', {
    'image.back': ['Esc'],
    'image.previous': ['['],
    'image.next': [']'],
    'image.confirmAll': ['A'],
    'image.draw': ['D'],
    'image.reprocess': ['P'],
    'image.zoomIn': ['+', '='],
    'image.zoomOut': ['-'],
    'image.fit': ['0'],
  }),
  ...commandsOf('image', { 'image.delete': ['Delete'] }),
  ...commandsOf('image.box', {
    'image.confirm': ['C'],
    'image.name': ['R'],
    'image.reject': ['N'],
    'image.unassign': ['U'],
    'image.restore': ['E'],
    'image.dismiss': ['X'],
    'image.deleteBox': ['Delete'],
  }),
  ...commandsOf('image.draft', { 'image.cancelDraft': ['Esc'] }),
  ...commandsOf('upload', { 'upload.pause': ['P'], 'upload.retry': ['R'] }),
  ...commandsOf('changes', { 'changes.pause': ['P'] }),
  ...commandsOf('jobs', { 'jobs.export': ['E'], 'jobs.import': ['I'] }),
  ...commandsOf('webhooks', { 'webhooks.add': ['N'] }),
  ...commandsOf('environments', { 'environments.add': ['N'] }),
  ...commandsOf('users', { 'users.add': ['N'] }),
} as const satisfies Readonly<Record<string, CommandEntry>>;

export type CommandId = keyof typeof COMMANDS;

export const COMMAND_IDS = Object.keys(COMMANDS) as readonly CommandId[];

/** Whether two commands may be active at the same time. */
export function areTogether(one: CommandId, other: CommandId): boolean {
  const [views, others]: (readonly string[])[] = [COMMANDS[one].views, COMMANDS[other].views];
  return (
    views!.length === 0 || others!.length === 0 || views!.some((view) => others!.includes(view))
  );
}
