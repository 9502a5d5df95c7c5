import { describe, expect, test } from '@jest/globals';
import { draftAfterKey, draftBetween, firstDraft, isTooSmall, placeOf } from './draft-box.ts';

const IMAGE = { width: 400, height: 200 };
const BOX = { x: 100, y: 50, w: 40, h: 30 };
const press = (key: string, modifiers: { shiftKey?: boolean; altKey?: boolean } = {}) =>
  draftAfterKey(BOX, { key, shiftKey: false, altKey: false, ...modifiers }, IMAGE);

describe('a drawn box', () => {
  test('begins in the middle of the image', () => {
    expect(firstDraft(IMAGE)).toEqual({ x: 175, y: 75, w: 50, h: 50 });
  });

  test('is moved by arrows, by ten pixels with Shift', () => {
    expect(press('ArrowLeft')).toEqual({ ...BOX, x: 99 });
    expect(press('ArrowDown', { shiftKey: true })).toEqual({ ...BOX, y: 60 });
    expect(press('a')).toBeNull();
  });

  test('changes its size with Alt', () => {
    expect(press('ArrowRight', { altKey: true })).toEqual({ ...BOX, w: 41 });
    expect(press('ArrowUp', { altKey: true, shiftKey: true })).toEqual({ ...BOX, h: 20 });
  });

  test('never leaves the image', () => {
    const corner = { x: 395, y: 0, w: 5, h: 5 };
    const key = { shiftKey: true, altKey: false };
    expect(draftAfterKey(corner, { ...key, key: 'ArrowRight' }, IMAGE)).toEqual(corner);
    expect(draftAfterKey(corner, { ...key, key: 'ArrowUp' }, IMAGE)).toEqual(corner);
    expect(draftAfterKey(corner, { ...key, altKey: true, key: 'ArrowRight' }, IMAGE)).toEqual(
      corner,
    );
  });

  test('between two points has whole pixels inside the image, whichever came first', () => {
    expect(draftBetween({ x: 30.4, y: 20.6 }, { x: 10, y: 5 }, IMAGE)).toEqual({
      x: 10,
      y: 5,
      w: 20,
      h: 16,
    });
    expect(draftBetween({ x: -50, y: -50 }, { x: 900, y: 900 }, IMAGE)).toEqual({
      x: 0,
      y: 0,
      w: 400,
      h: 200,
    });
  });

  test('under 8 pixels is too small', () => {
    expect(isTooSmall({ ...BOX, w: 7 })).toBe(true);
    expect(isTooSmall({ ...BOX, h: 8, w: 8 })).toBe(false);
  });

  test('has its place in parts of the image', () => {
    expect(placeOf(BOX, IMAGE)).toEqual({ left: '25%', top: '25%', width: '10%', height: '15%' });
  });
});
