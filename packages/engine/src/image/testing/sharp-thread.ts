/** A thread that begins to use sharp, and ends. */
import '../sharp.ts';
