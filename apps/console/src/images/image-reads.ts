/** The reading operations whose answers change with images and what is found in them, but for the images themselves. */
export const IMAGE_READS = [
  'listImages',
  'countImages',
  'listImageBuckets',
  'listObjectClasses',
] as const;
