import type { INestApplicationContext } from '@nestjs/common';
import { JourneysRepository } from '../journeys/index.js';
import { Database } from '../platform/index.js';

/** The chain of an application is its journey's; every other id is the chain's own. */
export async function auditSubject(context: INestApplicationContext, id: string): Promise<string> {
  if (!id.startsWith('app_')) return id;
  const journeys = context.get(JourneysRepository);
  const [journey] = await context
    .get(Database)
    .transaction((tx) => journeys.findOf(tx, 'applicationId', [id]));
  return journey?.id ?? id;
}
