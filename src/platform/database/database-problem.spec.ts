import { expect, it } from 'vitest';
import { databaseProblem } from './database-problem.js';

const problem = (message: string, code?: string) =>
  databaseProblem(Object.assign(new Error(message), { code }));

it.each([
  ['password authentication failed for user "rinpath"', '28P01', 'Check DATABASE_URL.'],
  ['database "rinpath" does not exist', '3D000', 'Check DATABASE_URL.'],
  ['no pg_hba.conf entry for host "10.0.0.1", no encryption', '28000', '?sslmode=verify-full'],
  ['unable to verify', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'NODE_EXTRA_CA_CERTS'],
  ['names do not match', 'ERR_TLS_CERT_ALTNAME_INVALID', 'NODE_EXTRA_CA_CERTS'],
  ['The server does not support SSL connections', undefined, 'sslmode'],
])('%s (%s): %s', (message, code, advice) => {
  expect(problem(message, code)).toContain(message);
  expect(problem(message, code)).toContain(advice);
});

it('of every other error it says nothing', () => {
  expect(problem('syntax error', '42601')).toBeNull();
  expect(problem('connect ECONNREFUSED', 'ECONNREFUSED')).toBeNull();
  expect(databaseProblem(undefined)).toBeNull();
});
