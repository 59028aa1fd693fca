import 'reflect-metadata';
import { expect, it, vi } from 'vitest';
import { Fault } from '../errors/fault.js';
import type { IdempotentAnswersRepository } from '../store/idempotent-answers.repository.js';
import { Idempotency } from './idempotency.js';

it('a key that comes twice in one transaction is answered as a retry is', async () => {
  const calls = [
    ['first', 'body'],
    ['second', 'body'],
    ['first', 'body'],
    ['first', 'another body'],
  ].map(([key, content]) => ({
    partnerId: 'demo',
    operation: 'journey/initiate',
    idempotencyKey: { key, content },
  }));
  const keyless = { ...calls[0], idempotencyKey: null };
  const keep = vi.fn<IdempotentAnswersRepository['keep']>();
  const idempotency = new Idempotency(
    { find: () => Promise.resolve([]), keep } as never,
    { lookupHash: () => 'hash', seal: (text: string) => text } as never,
  );
  const query = (_sql: string, [names]: [string[]]) =>
    Promise.resolve(names.map((name) => ({ name, locked: true })));
  const worked: (readonly number[])[] = [];
  const work = (indexes: readonly number[]) => {
    worked.push(indexes);
    return Promise.resolve(indexes.map((index) => ({ of: index })));
  };
  const results = await idempotency.onceEach(
    { query } as never,
    [...calls, keyless, keyless] as never,
    work,
  );
  expect(worked).toEqual([[0, 1, 4, 5]]);
  expect(results.map((one) => (one instanceof Fault ? one.code : one))).toEqual([
    { answer: { of: 0 }, isReplayed: false },
    { answer: { of: 1 }, isReplayed: false },
    { answer: { of: 0 }, isReplayed: true },
    'idempotency_key_reused',
    { answer: { of: 4 }, isReplayed: false },
    { answer: { of: 5 }, isReplayed: false },
  ]);
  expect(keep.mock.calls[0][1]).toMatchObject([
    { idempotencyKey: 'first', answerSealed: '{"of":0}' },
    { idempotencyKey: 'second', answerSealed: '{"of":1}' },
  ]);
});
