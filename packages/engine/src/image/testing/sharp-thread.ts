/** A worker thread that imports sharp and ends. */
import '../sharp.ts';
