import { expect, test } from '@jest/globals';
import { axisChannelsFirst, channelsFirst, constantChannelsFirst } from './channels-first.ts';

test('reorders four axes, but not fewer', () => {
  expect(channelsFirst([1, 2, 3, 4])).toEqual([1, 4, 2, 3]);
  expect(channelsFirst([1, 2, 3])).toEqual([1, 2, 3]);
});

test('finds the new position of an axis', () => {
  expect([0, 1, 2, 3].map((axis) => axisChannelsFirst(axis, 4))).toEqual([0, 2, 3, 1]);
  expect([0, 1].map((axis) => axisChannelsFirst(axis, 2))).toEqual([0, 1]);
});

test('reorders values with their axes', () => {
  // The digits of each value are its position: image, row, column, channel.
  const shape = [2, 2, 3, 2];
  const data = Array.from({ length: 24 }, (_, i) => {
    const [image, row, column, channel] = [i / 12, (i / 6) % 2, (i / 2) % 3, i % 2].map(Math.floor);
    return 1000 * image! + 100 * row! + 10 * column! + channel!;
  });
  expect([...constantChannelsFirst(shape, data)]).toEqual([
    0, 10, 20, 100, 110, 120, 1, 11, 21, 101, 111, 121, 1000, 1010, 1020, 1100, 1110, 1120, 1001,
    1011, 1021, 1101, 1111, 1121,
  ]);
});
