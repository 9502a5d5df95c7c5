export { averageRow, weighRows } from './average-row';
export { halveRows } from './halve-rows';
export { packPlanes } from './pack-planes';
export { addRows, finishRow } from './resize-area';
export { blendRows, stretchRow } from './resize-bilinear';
export { indicesFrom, keepBest } from './scores';
export { warpRow } from './warp-row';
