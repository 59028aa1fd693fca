import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommandLine } from './admin/index.js';
import { AUDIT_TRAIL, lenderAdapters, personalDataHolders } from './composition.js';
import { SCHEMA } from './schema.js';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  variables: process.env,
  schema: SCHEMA,
  lenderAdapters,
  personalDataHolders,
  auditTrail: AUDIT_TRAIL,
  print: (text) => void process.stdout.write(`${text}\n`),
  complain: (text) => void process.stderr.write(`${text}\n`),
  wait: sleep,
});
