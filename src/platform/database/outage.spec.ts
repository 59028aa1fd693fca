import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isLoggedOutage, Outage } from './outage.js';

let logged: string[];

beforeEach(() => {
  logged = [];
  vi.spyOn(Logger.prototype, 'error').mockImplementation((line: unknown) => {
    logged.push(String(line));
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a connection that breaks', () => {
  it('is logged once as the database being away, and marked as logged', () => {
    const outage = new Outage();
    const errors = [1, 2].map(() => new Error('Connection terminated unexpectedly'));
    for (const error of errors) outage.failed(error);
    expect(logged).toEqual(['The database is unavailable: Connection terminated unexpectedly']);
    expect(errors.map(isLoggedOutage)).toEqual([true, true]);
  });

  it('logs the end only of an outage that it logged: one that follows within a minute is not logged', () => {
    const warned = vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const outage = new Outage();
    outage.failed(new Error('Connection terminated unexpectedly'));
    outage.answered();
    expect(warned.mock.calls).toEqual([['The database is available again after 0 s']]);
    outage.failed(new Error('Connection terminated unexpectedly'));
    outage.answered();
    expect(logged).toHaveLength(1);
    expect(warned).toHaveBeenCalledTimes(1);
  });
});
