import { beforeAll, describe, expect, it } from 'vitest';
import { MessagingTasks } from '../../../src/messaging/messaging.tasks.js';
import { SmsMessagesRepository } from '../../../src/messaging/store/sms-messages.repository.js';
import { sharedService } from '../../support/shared-service.js';
import { SmsBench } from './sms-bench.js';

const DAY_SECONDS = 86_400;

let bench: SmsBench;

beforeAll(async () => {
  bench = new SmsBench(await sharedService());
});

function clean(): Promise<void> {
  return bench.service.get<MessagingTasks>(MessagingTasks).clean();
}

async function there(ids: readonly string[]): Promise<string[]> {
  const rows = await bench.database.query<{ id: string }>(
    'SELECT id FROM sms_messages WHERE id = ANY ($1) ORDER BY id',
    [ids],
  );
  return rows.map(({ id }) => id);
}

async function handedOver(): Promise<string> {
  const id = await bench.put();
  await bench.smsOutbox.handOver(id);
  await bench.reaches(id, 'HANDED_OVER');
  return id;
}

describe('cleaning text messages', () => {
  it('removes in chunks what was finished more than 180 days ago, and leaves what is open, however old', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push(await handedOver());
    const [open, late] = ids;
    const setFinished = (id: string, at: string) =>
      bench.database.query(`UPDATE sms_messages SET finished_at = ${at} WHERE id = $1`, [id]);
    await setFinished(open, 'NULL');
    await bench.travel(179 * DAY_SECONDS);
    const young = await handedOver();
    await setFinished(late, 'app_now()');
    await clean();
    expect(await there([...ids, young])).toHaveLength(6);
    await bench.travel(2 * DAY_SECONDS);
    const messages = bench.service.get<SmsMessagesRepository>(SmsMessagesRepository);
    let after: string | null = '';
    let chunks = 0;
    for (; after !== null; chunks += 1) after = await messages.removeFinished(2, after);
    expect(chunks).toBeGreaterThan(1);
    await clean();
    expect(await there([...ids, young])).toEqual([open, late, young].toSorted());
  });
});
