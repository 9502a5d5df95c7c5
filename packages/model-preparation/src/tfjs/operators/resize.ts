import { nodeRefused, readFlag } from '../graph-attributes.ts';
import type { GraphNode } from '../graph-model.ts';
import { constantAt, featureMapAt, type GraphOperator } from '../graph-operator.ts';

/** `ResizeBilinear` to a constant size. */
export const convertResizeBilinear: GraphOperator = (node, inputs, writer) => {
  const { name, shape } = featureMapAt(node, inputs, 0);
  const { data } = constantAt(node, inputs, { index: 1, rank: 1 });
  const [height = 0, width = 0] = data;
  if (data.length !== 2 || !isLength(height) || !isLength(width)) {
    throw nodeRefused(node, `resizes to [${data.join(', ')}]`);
  }
  writer.node(node.name, {
    opType: 'Resize',
    inputs: [name, '', '', writer.integers(`${node.name}:size`, [height, width])],
    attributes: {
      mode: 'linear',
      axes: [2, 3],
      coordinate_transformation_mode: coordinates(node),
    },
  });
  return { kind: 'activation', name: node.name, shape: [shape[0], height, width, shape[3]] };
};

function isLength(number: number): boolean {
  return Number.isInteger(number) && number > 0;
}

/** The mapping from pixels of the result to pixels of the source. Without flags, it is that of TensorFlow 1. */
function coordinates(node: GraphNode): string {
  const corners = readFlag(node, 'align_corners');
  const centers = readFlag(node, 'half_pixel_centers');
  if (corners && centers) throw nodeRefused(node, 'aligns both corners and centers');
  if (corners) return 'align_corners';
  return centers ? 'half_pixel' : 'asymmetric';
}
