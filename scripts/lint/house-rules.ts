/** A node of a syntax tree in the form of ESTree. */
interface SyntaxNode {
  readonly type: string;
  readonly name?: string;
  readonly argument?: SyntaxNode;
  readonly arguments?: readonly SyntaxNode[];
  readonly callee?: SyntaxNode;
  readonly left?: SyntaxNode;
  readonly local?: SyntaxNode;
  readonly object?: SyntaxNode;
  readonly operator?: string;
  readonly parent?: SyntaxNode;
  readonly property?: SyntaxNode;
  readonly right?: SyntaxNode;
  readonly source?: { readonly value: string };
  readonly specifiers?: readonly SyntaxNode[];
}

interface RuleContext {
  report(found: { readonly node: SyntaxNode; readonly message: string }): void;
}

const PLATFORM_DOORS = /^(with|on|survey)Platform$/;
const HOOKS = /^(before|after)(All|Each)$/;
const TESTS = /^(test|it)$/;
const LIMITS_FILE = '/waits/limits.ts';
const CLOCKS = /^(performance|Date)$/;
const COMPARISONS = /^[<>]=?$/;

/** A rule that reports the nodes of a type that fulfill a condition. */
function rule(type: string, message: string, isFound: (node: SyntaxNode) => boolean = () => true) {
  return {
    create: (context: RuleContext) => ({
      [type](node: SyntaxNode): void {
        if (isFound(node)) context.report({ node, message });
      },
    }),
  };
}

/** Whether an expression reads a clock, alone or in a sum. */
function readsClock({ type, callee, left, right }: SyntaxNode): boolean {
  if (type === 'BinaryExpression') return readsClock(left!) || readsClock(right!);
  const { object, property } = callee ?? {};
  return CLOCKS.test(object?.name ?? '') && property?.name === 'now';
}

/** The name of the function of Jest that a call ends in: `test` of `test.each(rows)('...')`. */
function calledName({ name, object, callee }: SyntaxNode): string {
  const inner = object ?? callee;
  return name ?? (inner === undefined ? '' : calledName(inner));
}

/** The limit that a call of Jest gives to a test or a hook. */
function limitOf({ callee, arguments: given = [] }: SyntaxNode): SyntaxNode | undefined {
  const name = calledName(callee!);
  if (TESTS.test(name)) return given[2];
  return HOOKS.test(name) ? given[1] : undefined;
}

/** Limits of tests have names that are imported from the file with their reasons. */
const limitsByName = {
  create(context: RuleContext) {
    const names = new Set<string | undefined>();
    return {
      ImportDeclaration({ source, specifiers = [] }: SyntaxNode): void {
        if (!source!.value.endsWith(LIMITS_FILE)) return;
        for (const { local } of specifiers) names.add(local?.name);
      },
      CallExpression(node: SyntaxNode): void {
        const limit = limitOf(node);
        if (limit === undefined || names.has(limit.name)) return;
        const message = 'A limit longer than the default stands in limits.ts; none is shorter.';
        context.report({ node: limit, message });
      },
    };
  },
};

/** The rules of this house in the form of a plugin of oxlint. */
export const rules = {
  'named-exports': rule(
    'ExportDefaultDeclaration',
    'Named exports only: a name can be searched for.',
  ),
  'no-barrels': rule(
    'ExportAllDeclaration',
    'No barrels: import from the file that defines the name.',
  ),
  'no-spread-of-literal': rule(
    'SpreadElement',
    'Write the members themselves: a spread of a literal only hides them.',
    ({ argument, parent }) =>
      ['ObjectExpression', 'ArrayExpression'].includes(parent?.type ?? '') &&
      argument?.type === parent?.type,
  ),
  'limits-by-name': limitsByName,
  'no-clock-limit': rule(
    'BinaryExpression',
    'A busy machine exhausts any limit: wait with waitUntil or eventually.',
    (node) => COMPARISONS.test(node.operator!) && readsClock(node),
  ),
  'platform-doors': rule(
    'CallExpression',
    'The platform doors see all environments; oxlint.config.ts lists who may.',
    ({ callee }) => PLATFORM_DOORS.test(callee?.property?.name ?? ''),
  ),
};

// oxlint takes a plugin from the default export.
// oxlint-disable-next-line house/named-exports
export default { meta: { name: 'house' }, rules };
