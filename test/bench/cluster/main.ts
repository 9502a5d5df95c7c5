import { measureOperator } from './measure-operator.ts';
console.log(
  await measureOperator({
    models: Number(process.argv[2] ?? 500),
    namespaces: Number(process.argv[3] ?? 50),
    restSeconds: Number(process.argv[4] ?? 120),
  }),
);
