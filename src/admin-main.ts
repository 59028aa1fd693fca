import 'reflect-metadata';
import { runCommandLine } from './admin/index.js';
import { lenderAdapters } from './lender-connectors.js';
import { SCHEMA } from './schema.js';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  variables: process.env,
  schema: SCHEMA,
  lenderAdapters,
  print: (text) => void process.stdout.write(`${text}\n`),
  complain: (text) => void process.stderr.write(`${text}\n`),
});
