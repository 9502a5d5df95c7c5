import { describe, expect, test } from '@jest/globals';
import { dropStaleInputs } from './drop-stale-inputs.ts';
import { graph, node, value, weights } from '@sightline/engine/onnx/testing/small-graph';

const names = (list: readonly { name?: string }[]) => list.map(({ name }) => name);

describe('dropStaleInputs', () => {
  test('keeps the inputs that a caller must feed, and the weights that nodes read', () => {
    const result = dropStaleInputs(
      graph({
        input: ['x', 'w', 'unused'].map((name) => value(name, [1])),
        output: [value('y', [1]), value('constant', [1])],
        initializer: ['w', 'unread', 'constant'].map((name) => weights(name, [1])),
        node: [node('Add', ['y', 'x', 'w'])],
      }),
    );
    expect(names(result.input)).toEqual(['x']);
    expect(names(result.initializer)).toEqual(['w', 'constant']);
  });

  test('keeps values that nested graphs read, at any depth', () => {
    const innermost = graph({ node: [node('Add', ['z', 'deep', 'x'])], output: [value('z', [1])] });
    const nest = (inside: object) => ({
      ...node('If', ['y', 'condition']),
      attribute: [{ name: 'then_branch', type: 5, ...inside }],
    });
    const result = dropStaleInputs(
      graph({
        input: [value('x', [1]), value('condition', [])],
        output: [value('y', [1])],
        initializer: [weights('deep', [1]), weights('passed', [1])],
        node: [
          nest({
            graphs: [graph({ node: [nest({ g: innermost })], output: [value('passed', [1])] })],
          }),
        ],
      }),
    );
    expect(names(result.input)).toEqual(['x', 'condition']);
    expect(names(result.initializer)).toEqual(['deep', 'passed']);
  });

  test('drops an input that a sparse initializer fills', () => {
    const result = dropStaleInputs(
      graph({
        input: [value('x', [1]), value('sparse', [1])],
        output: [value('y', [1])],
        sparseInitializer: [{ values: weights('sparse', [1]) }],
        node: [node('Add', ['y', 'x', 'sparse'])],
      }),
    );
    expect(names(result.input)).toEqual(['x']);
    expect(result.sparseInitializer).toHaveLength(1);
  });
});
