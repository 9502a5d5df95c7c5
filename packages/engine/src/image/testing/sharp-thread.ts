import '../sharp.ts';
