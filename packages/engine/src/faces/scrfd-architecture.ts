import { letterbox } from '../math/letterbox.ts';
import { type FaceArchitecture, fullFrameLook, type Search } from './face-architecture.ts';
import { decodeScrfd } from './scrfd.ts';

/** Where neither the net nor its pack names a size. */
const USUAL_SIZE = { width: 640, height: 640 };
/** Side of the small picture in which the net sees a face that fills it. */
const SMALL_SIDE = 192;

/** As the `SCRFD` class of insightface (Python), with a second look for faces that fill the frame. */
export const SCRFD: FaceArchitecture = {
  finestSide: () => Infinity,
  looks: [
    ({ sizes }: Search) => {
      const size = sizes.fixed ?? sizes.wanted ?? USUAL_SIZE;
      return { frame: { size, room: size } };
    },
    (search: Search) => fullFrameLook(search, SMALL_SIDE),
  ],
  fit: (raster, { size, room }) => letterbox(raster, size, room),
  decode: (outputs, input) =>
    decodeScrfd(
      outputs.map(({ data }) => data),
      input,
    ),
  nmsThreshold: 0.4,
  // Edges count as pixels of the box in the reference.
  edge: 1,
};
