import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { afterEach, expect, it, vi } from 'vitest';
import { Database } from './database.js';

afterEach(() => void vi.restoreAllMocks());

it.each([
  ['is not logged as an outage when the reserved connection is answered', true, []],
  [
    'is one when the reserved connection is not answered either',
    false,
    [/^The database is unavailable: /],
  ],
])('an answer that does not come in time %s', async (_, isThere, logged) => {
  const error = vi.spyOn(Logger.prototype, 'error').mockReturnValue();
  const database = new Database({} as DataSource);
  const timedOut = () => Promise.reject(new Error('Query read timeout'));
  const query = vi.fn<() => Promise<object>>();
  query.mockImplementation(isThere ? () => Promise.resolve({ rows: [{}] }) : timedOut);
  vi.spyOn(database as unknown as { reserved(): object }, 'reserved').mockReturnValue({ query });
  const dataSource = { getRepository: () => null } as unknown as DataSource;
  Object.assign(database, { dataSource });
  const work = () => database.with(class {}, timedOut);
  await expect(Promise.all([work(), work()])).rejects.toThrow('Query read timeout');
  await vi.waitFor(() => expect(database).toHaveProperty('asking', null));
  expect(query).toHaveBeenCalledOnce();
  expect(error.mock.calls.flat()).toEqual(logged.map((line) => expect.stringMatching(line)));
  expect(database.isAway).toBe(!isThere);
});
