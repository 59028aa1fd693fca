import 'reflect-metadata';
import { runCommandLine } from './admin/index.js';
import { AUDIT_TRAIL } from './audit-trail.js';
import { lenderAdapters } from './lender-connectors.js';
import { personalDataHolders } from './personal-data-holders.js';
import { SCHEMA } from './schema.js';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  variables: process.env,
  schema: SCHEMA,
  lenderAdapters,
  personalDataHolders,
  auditTrail: AUDIT_TRAIL,
  print: (text) => void process.stdout.write(`${text}\n`),
  complain: (text) => void process.stderr.write(`${text}\n`),
});
