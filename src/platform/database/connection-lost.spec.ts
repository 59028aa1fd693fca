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
  it.each(['08006', '08001', '53300', '57P01', '57P02', '57P03', '25006'])(
    'PostgreSQL says %s',
    (code) => {
      expect(isConnectionLost(databaseError(code))).toBe(true);
    },
  );

  it.each(['XX000', '58030'])('PostgreSQL ends a session with %s: its disk is full', (code) => {
    expect(isConnectionLost(databaseError(code, 'FATAL'))).toBe(true);
    expect(isConnectionLost(databaseError(code, 'PANIC'))).toBe(true);
    expect(isConnectionLost(databaseError(code))).toBe(false);
  });

  it('a role that is not let in is no outage', () => {
    expect(isConnectionLost(databaseError('28P01', 'FATAL'))).toBe(false);
    expect(isConnectionLost(databaseError('3D000', 'FATAL'))).toBe(false);
  });

  it.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])(
    'the socket says %s',
    (code) => {
      expect(isConnectionLost(socketError(code))).toBe(true);
    },
  );

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Client has encountered a connection error and is not queryable',
  ])('pg says "%s"', (message) => {
    expect(isConnectionLost(new Error(message))).toBe(true);
  });

  it('inside what TypeORM, a cause or Happy Eyeballs wrap around it', () => {
    const refused = socketError('ECONNREFUSED');
    expect(isConnectionLost(new QueryFailedError('SELECT 1', [], databaseError('57P01')))).toBe(
      true,
    );
    expect(isConnectionLost(new Error('no', { cause: refused }))).toBe(true);
    expect(isConnectionLost(new AggregateError([refused, refused]))).toBe(true);
  });
});

describe('anything else is a mistake of ours', () => {
  it.each(['23505', '40001', '42P01', '57014', '22P02'])('PostgreSQL says %s', (code) => {
    expect(isConnectionLost(databaseError(code))).toBe(false);
    expect(isConnectionLost(new QueryFailedError('SELECT 1', [], databaseError(code)))).toBe(false);
  });

  it('an error of the code, and what is no error at all', () => {
    expect(isConnectionLost(new TypeError('x is not a function'))).toBe(false);
    for (const thing of [undefined, null, 'ECONNREFUSED', { code: 'ECONNREFUSED' }, 5]) {
      expect(isConnectionLost(thing)).toBe(false);
    }
  });
});

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
