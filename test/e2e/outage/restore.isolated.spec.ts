// Isolated: its PostgreSQL has special settings, is lost and restored.
import { randomUUID } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectPath } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { type StartedJourney, startJourney } from '../../support/journey-driver.js';
import { type OwnCluster, startOwnCluster } from '../../support/own-cluster.js';
import { partnerClient } from '../../support/partner-client.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { type OwnService, startService } from '../../support/service.js';
import { Backup, run } from '../../support/standby.js';
import { type Delivery, WebhookReceiver } from '../../support/webhook-receiver.js';

// The drill of docs/operators/operations.md, and what partners see after it. Each step continues where the one before
// ended.
describe('a restore to a point in time', () => {
  const SETTINGS = ['fsync=off', 'archive_mode=on', 'dynamic_shared_memory_type=mmap'];
  const PAST_A_RETRY_MS = 600_000;
  const folder = scratchFolder('rinpath-restore-');
  const archiveDir = join(folder, 'archive');
  const archiver = join(folder, 'archive-wal');
  let lost: OwnCluster;
  let backup: Backup;
  let restoredUrl: string;
  let service: OwnService;
  let receiver: WebhookReceiver;
  let kept: StartedJourney;
  let forgotten: StartedJourney;
  let delivered: Delivery;
  let cursor: string;
  let proof: { nonce: string; timestamp: string };

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    mkdirSync(archiveDir);
    // Under root, PostgreSQL runs as its own user.
    chmodSync(archiveDir, 0o777);
    copyFileSync(projectPath('deploy/patroni/archive-wal'), archiver);
    chmodSync(archiver, 0o755);
    lost = await startOwnCluster(SETTINGS);
    await run(lost.url, `ALTER SYSTEM SET archive_command = '${archiver} %p ${archiveDir}/%f'`);
    await run(lost.url, 'SELECT pg_reload_conf()');
    service = await startService({ databaseUrl: lost.url });
    receiver = await WebhookReceiver.start();
    const subscribed = await partnerClient(service).post('/webhooks', { url: receiver.url() });
    expect([subscribed.status, subscribed.json.error]).toEqual([200, undefined]);
    backup = await Backup.of(lost.url, lost.clusterDir);
  }, 120_000);

  afterAll(async () => {
    await service?.close();
    await receiver?.stop();
    await backup?.stop();
    await lost?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });

  function eventsOf({ id }: StartedJourney): Delivery[] {
    return receiver.deliveries.filter((delivery) => delivery.json().journeyId === id);
  }

  async function statusWith(overrides: typeof proof): Promise<number> {
    return (await partnerClient(service).get('/products', { overrides })).status;
  }

  it('is made of the backup and of the archive, which a service writes on', async () => {
    receiver.answerAlways(503);
    kept = await startJourney(partnerClient(service));
    const [refused] = await receiver.waitForCount(1);
    // The attempt must be recorded before the moment of the restore.
    const attempts = 'SELECT 1 FROM webhook_attempts';
    await eventually(async () => (await run(lost.url, attempts)).length > 0);
    const [{ moment }] = await run(lost.url, 'SELECT clock_timestamp()::text AS moment');
    proof = { nonce: randomUUID(), timestamp: String(Math.floor(Date.now() / 1000)) };
    expect(await statusWith(proof)).toBe(200);
    expect(await statusWith(proof)).toBe(401);

    receiver.answerAlways(200);
    await service.travel(PAST_A_RETRY_MS);
    const { id } = refused.json();
    await receiver.waitForCount(2, undefined, (one) => one.json().id === id);
    [delivered] = eventsOf(kept).filter((one) => one.json().id === id);
    const partner = partnerClient(service);
    forgotten = await startJourney(partner);
    await receiver.waitFor((one) => one.json().journeyId === forgotten.id);
    const { json } = await partner.get('/events');
    cursor = json.data.next as string;
    await service.close();
    const [{ last }] = await run(lost.url, 'SELECT pg_walfile_name(pg_switch_wal()) AS last');
    await eventually(() => existsSync(join(archiveDir, last as string)));
    await lost.stop();
    receiver.reset();
    restoredUrl = await backup.restore(lost.url, archiveDir, moment as string);
    service = await startService({ databaseUrl: restoredUrl });
  }, 120_000);

  it('has what was there at that moment, and nothing of later', async () => {
    const statusOf = async ({ id, session }: StartedJourney) =>
      (await partnerClient(service).journey(id, session)).status;
    expect([await statusOf(kept), await statusOf(forgotten)]).toEqual([200, 404]);
  });

  it('has the beginning of its timeline archived, without which a restore of what is written now finds no way', async () => {
    const history = join(archiveDir, '00000002.history');
    await eventually(() => expect(existsSync(history)).toBe(true));
  });

  it('serves a call again that was served since, while its timestamp is good', async () => {
    expect(await statusWith(proof)).toBe(200);
  });

  it('sends again, with the same id and bytes, what was delivered since', async () => {
    await service.travel(PAST_A_RETRY_MS);
    const again = await receiver.waitFor((one) => one.json().id === delivered.json().id);
    expect(again.body.equals(delivered.body)).toBe(true);
    expect(eventsOf(forgotten)).toEqual([]);
  });

  it('refuses a cursor that has read further, rather than to go on from it', async () => {
    const { status, json } = await partnerClient(service).get(`/events?after=${cursor}`);
    expect({ status, code: json.code }).toEqual({ status: 410, code: 'cursor_expired' });
  });
});
