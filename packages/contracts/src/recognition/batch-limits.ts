const MIB = 1024 * 1024;

/**
 * The maximum size of a form with many images, in bytes. The form may be large, because its files are processed one
 * by one.
 */
export const MAX_FORM_BATCH_BYTES = 2048 * MIB;

export const MAX_JSON_IMAGES_BYTES = 70 * MIB;
