import type { INestApplicationContext } from '@nestjs/common';
import type { CommandModule } from '../admin-context.js';
import { OwnKeys } from '../../lender-api/index.js';
import type { CommandContext } from './command-context.js';

/**
 * Lists the keys that the service signs with, and makes the first one where there is none. Where there are some
 * nothing is written, so that it works on a standby, too.
 */
export async function listOwnKeys<Key>(
  { reading, noting }: CommandContext,
  list: (context: INestApplicationContext) => Promise<readonly Key[]>,
  modules: readonly CommandModule[],
): Promise<readonly Key[]> {
  const keys = await reading(list, modules);
  if (keys.length > 0) return keys;
  return noting(async (context) => {
    await context.get(OwnKeys, { strict: false }).signing();
    return list(context);
  }, modules);
}
