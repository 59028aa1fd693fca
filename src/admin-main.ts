import 'reflect-metadata';
import { MIGRATIONS } from '../migrations/index.js';
import { runCommandLine } from './admin/index.js';
import { lenderAdapters } from './lender-connectors.js';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  variables: process.env,
  migrations: MIGRATIONS,
  lenderAdapters,
  print: (text) => void process.stdout.write(`${text}\n`),
  complain: (text) => void process.stderr.write(`${text}\n`),
});
