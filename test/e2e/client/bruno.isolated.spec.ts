// Isolated: moves the time of its service.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectionFiles } from '../../../clients/bruno/generate.js';
import { type OwnService, startService } from '../../support/service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { BrunoRun, COLLECTION } from './bruno-collection.js';

let service: OwnService;
let receiver: WebhookReceiver;

beforeAll(async () => {
  service = await startService();
  receiver = await WebhookReceiver.start();
});

afterAll(async () => {
  await receiver.stop();
  await service.close();
});

describe('the Bruno collection', () => {
  it('has the requests that the OpenAPI document says', () => {
    const there = globSync(['bruno.json', '**/*.bru'], { cwd: COLLECTION }).map((name) => [
      name,
      readFileSync(join(COLLECTION, name), 'utf8'),
    ]);
    expect(Object.fromEntries(there)).toEqual(Object.fromEntries(collectionFiles()));
  });

  it(
    'runs from start to end: each request answers as it asserts',
    { timeout: 60_000 },
    async () => {
      const run = new BrunoRun({ baseUrl: service.baseUrl, webhookUrl: receiver.url() });
      const statuses = await run.all();
      const requests = [...collectionFiles().keys()].filter((path) => /^[A-Z].*\/[A-Z]/.test(path));
      expect(statuses.size).toBe(requests.length);
      expect(new Set(statuses.values())).toEqual(new Set([200]));
    },
  );
});
