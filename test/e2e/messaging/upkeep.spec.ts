import { expect, it } from 'vitest';
import { MessagingTasks } from '../../../src/messaging/messaging.tasks.js';
import { sharedService } from '../../support/shared-service.js';
import { SmsBench } from './sms-bench.js';

const DAY_SECONDS = 86_400;

it('cleaning text messages removes in chunks what was finished more than 180 days ago, and leaves what is open, however old', async () => {
  const bench = new SmsBench(await sharedService());
  const clean = () => bench.service.get<MessagingTasks>(MessagingTasks).clean();
  const ids = await Promise.all(Array.from({ length: 5 }, () => bench.put()));
  const setFinished = (of: string[], at: string) =>
    bench.database.query(
      `UPDATE sms_messages SET status = 'HANDED_OVER', content_sealed = NULL, finished_at = ${at}
       WHERE id = ANY ($1)`,
      [of],
    );
  const there = async () => {
    const rows = await bench.database.query<{ id: string }>(
      'SELECT id FROM sms_messages WHERE id = ANY ($1) ORDER BY id',
      [ids],
    );
    return rows.map(({ id }) => id);
  };
  const [open, late] = ids;
  await setFinished(ids, 'app_now()');
  await setFinished([open], 'NULL');
  await bench.travel(179 * DAY_SECONDS);
  await setFinished([late], 'app_now()');
  await clean();
  expect(await there()).toHaveLength(5);
  await bench.travel(2 * DAY_SECONDS);
  let after: string | null = '';
  let chunks = 0;
  for (; after !== null; chunks += 1) after = await bench.messages.removeFinished(2, after);
  expect(chunks).toBeGreaterThan(1);
  await clean();
  expect(await there()).toEqual([open, late].toSorted());
});
