import { describe, expect, test } from '@jest/globals';
import { endOfItems, itemTypes } from './heif-items.ts';
import { fixture } from './testing/fixture.ts';

const u16 = (...values: number[]) => values.flatMap((value) => [value >> 8, value & 255]);
const u32 = (...values: number[]) => values.flatMap((value) => u16(value >>> 16, value & 0xffff));
const u64 = (...values: number[]) => values.flatMap((value) => u32(0, value));

function box(type: string, content: number[] = []): number[] {
  return [...u32(8 + content.length), ...Buffer.from(type, 'latin1'), ...content];
}

const file = (iloc: number[]) =>
  Uint8Array.from([...box('ftyp', u32(0, 0)), ...box('meta', [...u32(0), ...box('iloc', iloc)])]);

describe('endOfItems', () => {
  test.each([
    'master.avif',
    'master-grid.avif',
    'master-grid.heic',
    'small.heic',
    'small-rgba.avif',
  ])('is the end of %s, whose last box has the data', (name) => {
    const bytes = fixture(name);
    expect(endOfItems(bytes)).toBe(bytes.length);
    // The first half of the file contains the complete list of items, so the result for this half is the length of
    // the whole file.
    expect(endOfItems(bytes.subarray(0, bytes.length / 2))).toBe(bytes.length);
  });

  test.each([
    ['version 0', [...u32(0), 0x44, 0x40, ...u16(1, 7, 0), ...u32(100), ...u16(1), ...u32(20, 3)]],
    [
      'version 1, indexed',
      [...u32(1 << 24), 0x44, 0x44, ...u16(1, 7, 0, 0), ...u32(100), ...u16(1), ...u32(9, 20, 3)],
    ],
    ['version 2', [...u32(2 << 24), 0x44, 0x00, ...u32(1, 7), ...u16(0, 0, 1), ...u32(120, 3)]],
    ['64 bits', [...u32(0), 0x88, 0x80, ...u16(1, 7, 0), ...u64(100), ...u16(1), ...u64(20, 3)]],
    ['several extents', [...u32(0), 0x44, 0x00, ...u16(1, 7, 0, 2), ...u32(120, 3, 60, 8)]],
  ])('reads a list of %s', (_, iloc) => {
    expect(endOfItems(file(iloc))).toBe(123);
  });

  test('passes over data in boxes and in other files', () => {
    const inBox = u16(1, 1, 0, 1);
    const elsewhere = u16(2, 0, 1, 1);
    const iloc = [...u32(1 << 24), 0x44, 0x00, ...u16(2), ...inBox, ...u32(500, 1), ...elsewhere];
    expect(endOfItems(file([...iloc, ...u32(500, 1)]))).toBe(0);
  });

  test('without a list of items there is nothing to find', () => {
    expect(endOfItems(new Uint8Array())).toBe(0);
    expect(endOfItems(Uint8Array.from(box('ftyp', u32(0))))).toBe(0);
    expect(endOfItems(Uint8Array.from(box('meta', [...u32(0), ...box('hdlr')])))).toBe(0);
    // A box of size 2 ends before its header does.
    expect(endOfItems(Uint8Array.from([...u32(2), ...Buffer.from('free'), ...u32(0)]))).toBe(0);
  });

  test('an incomplete list is corrupt', () => {
    const iloc = [...u32(0), 0x44, 0x00, ...u16(9, 7, 0, 1), ...u32(1, 1)];
    expect(() => endOfItems(file(iloc))).toThrow(
      expect.objectContaining({ code: 'image_corrupt' }),
    );
    expect(() => endOfItems(file([...u32(0), 0x35, 0x00, ...u16(1, 7, 0, 1)]))).toThrow(
      'incomplete',
    );
  });

  test('extents without numbers cost nothing', () => {
    const item = u16(7, 0, 0xffff);
    const items = Array.from({ length: 0xffff }, () => item).flat();
    expect(endOfItems(file([...u32(0), 0x00, 0x00, ...u16(0xffff), ...items]))).toBe(0);
  });
});

describe('itemTypes', () => {
  test.each([
    ['master.heic', ['hvc1']],
    ['master.avif', ['av01']],
  ])('are those of %s', (name, types) => {
    expect(itemTypes(fixture(name))).toEqual(expect.arrayContaining(types));
  });

  const infe = (version: number, type: string) => {
    const id = version < 3 ? u16(7) : u32(7);
    return box('infe', [...u32(version << 24), ...id, ...u16(0), ...Buffer.from(type)]);
  };
  const listed = (iinf: number[]) =>
    Uint8Array.from(box('meta', [...u32(0), ...box('iinf', iinf)]));

  test('are read from lists and items of each version', () => {
    const items = [...infe(2, 'grid'), ...box('free'), ...infe(3, 'j2k1')];
    expect(itemTypes(listed([...u32(0), ...u16(2), ...items]))).toEqual(['grid', 'j2k1']);
    expect(itemTypes(listed([...u32(1 << 24), ...u32(2), ...items]))).toEqual(['grid', 'j2k1']);
  });

  test('end where the file ends', () => {
    const bytes = listed([...u32(0), ...u16(2), ...infe(2, 'hvc1'), ...infe(2, 'j2k1')]);
    for (let length = 0; length < bytes.length; length++) {
      expect(itemTypes(bytes.subarray(0, length)).length).toBeLessThanOrEqual(2);
    }
    expect(itemTypes(new Uint8Array())).toEqual([]);
  });
});
