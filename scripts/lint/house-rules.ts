/** A node of a syntax tree in the form of ESTree. */
interface SyntaxNode {
  readonly type: string;
  readonly argument?: SyntaxNode;
  readonly parent?: SyntaxNode;
  readonly callee?: { readonly property?: { readonly name?: string } };
}

interface RuleContext {
  report(found: { readonly node: SyntaxNode; readonly message: string }): void;
}

const PLATFORM_DOORS = /^(with|on|survey)Platform$/;

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
  'platform-doors': rule(
    'CallExpression',
    'The platform doors see all environments; oxlint.config.ts lists who may.',
    ({ callee }) => PLATFORM_DOORS.test(callee?.property?.name ?? ''),
  ),
};

// oxlint takes a plugin from the default export.
// oxlint-disable-next-line house/named-exports
export default { meta: { name: 'house' }, rules };
