import { describe, expect, test } from '@jest/globals';
import { FileRefused } from '@sightline/engine/onnx/file-refused';
import type { GraphNode } from './graph-model.ts';
import { inputNames, orderNodes } from './order-nodes.ts';

/** Nodes with the names of their inputs. */
function nodesOf(inputs: Readonly<Record<string, string[]>>): Map<string, GraphNode> {
  return new Map(
    Object.entries(inputs).map(([name, input]) => [name, { name, op: 'Any', input, attr: {} }]),
  );
}

function order(inputs: Readonly<Record<string, string[]>>, ...outputs: string[]): string[] {
  return orderNodes(nodesOf(inputs), outputs).map(({ name }) => name);
}

describe('orderNodes', () => {
  test('puts inputs first and drops unneeded nodes', () => {
    const graph = { d: ['b', 'c'], c: ['b', 'a'], b: ['a'], a: [], e: ['d'] };
    expect(order(graph, 'd')).toEqual(['a', 'b', 'c', 'd']);
    expect(order(graph, 'c', 'b')).toEqual(['a', 'b', 'c']);
  });

  test('a node that uses another one twice is not a cycle', () => {
    expect(order({ b: ['a', 'a'], a: [] }, 'b')).toEqual(['a', 'b']);
  });

  test('a long chain does not exhaust the stack', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, i) => [`n${i + 1}`, [`n${i}`]]),
    );
    expect(order({ ...chain, n0: [] }, 'n100000')).toHaveLength(100_001);
  });

  test.each([
    ['itself', { a: ['a'] }],
    ['another', { a: ['b'], b: ['c'], c: ['b'] }],
  ])('refuses a node that depends on itself through %s', (_what, graph) => {
    expect(() => order(graph, 'a')).toThrow(FileRefused);
    expect(() => order(graph, 'a')).toThrow('has a cycle through the node');
  });

  test('refuses a missing node', () => {
    expect(() => order({ a: ['b'] }, 'a')).toThrow(new FileRefused('has no node "b"'));
  });
});

describe('inputNames', () => {
  const take = (...input: string[]) => inputNames({ name: 'n', op: 'Any', input, attr: {} });

  test('drops control dependencies and the number of a first output', () => {
    expect(take('a', '^wait', 'b:0')).toEqual(['a', 'b']);
  });

  test('refuses another output', () => {
    expect(() => take('split:1')).toThrow(
      new FileRefused('has the node "n" take "split:1", which is not a first output'),
    );
  });
});
