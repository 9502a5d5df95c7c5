import { describe, expect, test } from '@jest/globals';
import { partAround, placeIn, wholePhoto } from './photo-view.ts';

const PHOTO = { width: 1600, height: 900 };

describe('the part of a photo around a face', () => {
  test('has the face in its middle', () => {
    expect(partAround({ x: 800, y: 400, w: 75, h: 75 }, PHOTO)).toEqual({
      x: 637.5,
      y: 287.5,
      w: 400,
      h: 300,
    });
  });

  test('stays inside the photo', () => {
    expect(partAround({ x: 0, y: 0, w: 75, h: 75 }, PHOTO)).toMatchObject({ x: 0, y: 0 });
    expect(partAround({ x: 1550, y: 850, w: 75, h: 75 }, PHOTO)).toMatchObject({ x: 1200, y: 600 });
  });

  test('is the whole photo if the face fills it', () => {
    expect(partAround({ x: 100, y: 0, w: 900, h: 900 }, PHOTO)).toEqual(wholePhoto(PHOTO));
    expect(wholePhoto(PHOTO)).toEqual({ x: 0, y: -150, w: 1600, h: 1200 });
    expect(wholePhoto({ width: 300, height: 900 })).toEqual({ x: -450, y: 0, w: 1200, h: 900 });
  });

  test('places the box of the face', () => {
    const part = { x: 100, y: 100, w: 400, h: 300 };
    expect(placeIn(part, { x: 200, y: 100, w: 100, h: 150 })).toEqual({
      left: '25%',
      top: '0%',
      width: '25%',
      height: '50%',
    });
  });
});
