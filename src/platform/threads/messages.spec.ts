import { describe, expect, it } from 'vitest';
import { isConnectionLost } from '../database/connection-lost.js';
import { errorOf, partsOf } from './messages.js';

function passed(error: unknown): Error {
  return errorOf(structuredClone(partsOf(error)));
}

function refused(): Error {
  return Object.assign(new Error('connect'), { code: 'ECONNREFUSED', port: 5432 });
}

describe('an error that passes between threads', () => {
  it('keeps its message, its stack and its codes', () => {
    const error = refused();
    expect(passed(error)).toMatchObject({ message: 'connect', code: 'ECONNREFUSED', port: 5432 });
    expect(passed(error).stack).toBe(error.stack);
  });

  it.each([
    ['by its code', refused()],
    ['by its cause', new Error('no', { cause: refused() })],
    ['by one of several', new AggregateError([new Error('ENETUNREACH'), refused()], 'all')],
    ['by its message', new Error('Query read timeout')],
  ])('tells as before that the database is away: %s', (_, error) => {
    expect(isConnectionLost(error)).toBe(true);
    expect(isConnectionLost(passed(error))).toBe(true);
  });
});
