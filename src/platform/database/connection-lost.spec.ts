import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { databaseProblem, isConnectionLost } from './connection-lost.js';

function databaseError(code: string, severity = 'ERROR'): DatabaseError {
  const error = new DatabaseError('as the server says it', 20, 'error');
  error.code = code;
  error.severity = severity;
  return error;
}

function socketError(code: string): Error {
  return Object.assign(new Error(`connect ${code} 127.0.0.1:5432`), { code });
}

describe('the database is away or takes no writes', () => {
  it.each(['08006', '53300', '57P01', '57P03', '25006'])('PostgreSQL says %s', (code) => {
    expect(isConnectionLost(databaseError(code))).toBe(true);
    expect(isConnectionLost(new QueryFailedError('SELECT 1', [], databaseError(code)))).toBe(true);
  });

  it.each(['XX000', '58030'])('PostgreSQL ends a session with %s: its disk is full', (code) => {
    expect(isConnectionLost(databaseError(code, 'FATAL'))).toBe(true);
    expect(isConnectionLost(databaseError(code))).toBe(false);
  });

  it.each(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND'])('a socket says %s', (code) => {
    const error = socketError(code);
    expect(isConnectionLost(error)).toBe(true);
    expect(isConnectionLost(new Error('no', { cause: error }))).toBe(true);
    expect(isConnectionLost(new AggregateError([error, error]))).toBe(true);
  });

  it.each([
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
  ])('pg says "%s"', (message) => {
    expect(isConnectionLost(new Error(message))).toBe(true);
  });

  it.each([
    databaseError('23505'),
    databaseError('57014'),
    databaseError('28P01', 'FATAL'),
    new TypeError('x is not a function'),
    undefined,
    'ECONNREFUSED',
    { code: 'ECONNREFUSED' },
  ])('not by %s', (error) => {
    expect(isConnectionLost(error)).toBe(false);
  });
});

const problem = (message: string, code?: string) =>
  databaseProblem(Object.assign(new Error(message), { code }));

it.each([
  ['password authentication failed for user "rinpath"', '28P01', 'Check DATABASE_URL.'],
  ['database "rinpath" does not exist', '3D000', 'Check DATABASE_URL.'],
  ['no pg_hba.conf entry for host "10.0.0.1", no encryption', '28000', '?sslmode=verify-full'],
  ['unable to verify', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'NODE_EXTRA_CA_CERTS'],
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
