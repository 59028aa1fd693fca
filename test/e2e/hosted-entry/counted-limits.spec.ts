import { describe, expect, it } from 'vitest';
import { CountedLimits, Database } from '../../../src/platform/index.js';
import { serviceOfFile } from '../../support/shared-service.js';

const service = serviceOfFile();

/** A limit of one a minute. */
function limitOf(subject: string) {
  const limits = service.get<CountedLimits>(CountedLimits);
  const database = service.get<Database>(Database);
  const kind = service.partnerId;
  return {
    take: () =>
      database.transaction((tx) => limits.take(tx, kind, subject, { most: 1, seconds: 60 })),
    giveBack: () => database.transaction((tx) => limits.giveBack(tx, kind, subject)),
  };
}

describe('a counted limit', () => {
  it('has a window that ends at its time, however often it is tried', async () => {
    const limit = limitOf('tried often');
    expect(await limit.take()).toBeNull();
    const end = await limit.take();
    await service.travel(40_000);
    expect(await limit.take()).toEqual(end);
    await service.travel(20_000);
    expect(await limit.take()).toBeNull();
  });

  it('gets back one count, not those before it', async () => {
    const limit = limitOf('given back');
    await limit.take();
    await limit.take();
    await limit.giveBack();
    expect(await limit.take()).not.toBeNull();
  });
});
