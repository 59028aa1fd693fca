import { beforeAll, describe, expect, it } from 'vitest';
import {
  type VerifyOptions,
  verifyWebhook,
  WebhookVerificationError,
} from '../../../clients/node/src/index.js';
import { webhookHeaders } from '../../../clients/node/src/testing.js';
import { inForm } from '../../support/long-form.js';
import { sharedService } from '../../support/shared-service.js';
import { isOnPath, runSnippet, type Snippet, snippetsOf } from '../../support/snippets.js';
import type { Delivery } from '../../support/webhook-receiver.js';
import { SendingBench } from './sending-bench.js';

let subscriptionId: string;
let old: string;
let secret: string;
let delivery: Delivery;
let now: number;

beforeAll(async () => {
  const sending = new SendingBench(await sharedService());
  await sending.openReceiver();
  ({ id: subscriptionId, secret: old } = await sending.subscribe());
  const { json } = await sending.partner.post<{ secret: string }>(
    `/webhooks/${subscriptionId}/rotate-secret`,
  );
  ({ secret } = json.data);
  await sending.publish();
  [delivery] = await sending.receiver.waitForCount(1);
  now = Number(delivery.headers['webhook-timestamp']);
  await sending.closeReceiver();
});

function mistakeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.mistake;
    throw error;
  }
  return 'none';
}

describe('the example', () => {
  const snippets = snippetsOf('verify-webhook');

  async function expectVerdicts(snippet: Snippet): Promise<void> {
    const verdict = (change: { secret?: string; signature?: string; body?: Buffer } = {}) =>
      runSnippet(snippet, {
        given: [change.signature ?? String(delivery.headers['x-rinpath-signature'])],
        environment: { WEBHOOK_SECRET: change.secret ?? secret },
        input: change.body ?? delivery.body,
      });
    const body = Buffer.concat([delivery.body, Buffer.from(' ')]);
    const altered = [{ body }, { signature: 'x' }, { secret: old }];
    expect(await verdict()).toBe('genuine');
    for (const change of inForm({ short: [{ body }], long: altered })) {
      expect(await verdict(change)).toMatch(/^forged$/m);
    }
  }

  it.each(snippets.filter(({ isEverywhere }) => isEverywhere))(
    'in $language believes what the service sent, and no altered body, signature or secret',
    expectVerdicts,
  );

  for (const snippet of snippets.filter(({ isEverywhere }) => !isEverywhere)) {
    it.skipIf(!isOnPath(snippet.command))(
      `in ${snippet.language}, where it is installed, tells what is sent from what is altered`,
      () => expectVerdicts(snippet),
    );
  }
});

describe('the helper', () => {
  const attempt = (options: VerifyOptions = {}, change: { secret?: string; body?: Buffer } = {}) =>
    verifyWebhook(change.body ?? delivery.body, delivery.headers, change.secret ?? secret, {
      now,
      ...options,
    });

  it('believes what the service sent, and answers it parsed', () => {
    expect(attempt()).toEqual({
      id: delivery.headers['webhook-id'],
      timestamp: now,
      isPreviousSecret: false,
      body: delivery.json(),
    });
  });

  it('names a body that was parsed, or written again, a wrong secret and an altered body', () => {
    const parsed = delivery.json();
    expect(mistakeOf(() => verifyWebhook(parsed as never, delivery.headers, secret))).toBe(
      'BODY_NOT_RAW',
    );
    const another = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    for (const [change, mistake] of [
      [{ body: Buffer.from(JSON.stringify(parsed, null, 2)) }, 'BODY_WRITTEN_ANEW'],
      [{ body: Buffer.from(delivery.body.toString().replace('INIT', 'INTI')) }, 'SECRET_WRONG'],
      [{ secret: another }, 'SECRET_WRONG'],
    ] as const) {
      expect(mistakeOf(() => attempt({}, change))).toBe(mistake);
    }
  });

  it('names a clock that is more than 300 seconds off, or more than is tolerated', () => {
    for (const [off, mistake] of [
      [299, 'none'],
      [301, 'CLOCK'],
      [-301, 'CLOCK'],
    ] as const) {
      expect(mistakeOf(() => attempt({ now: now + off }))).toBe(mistake);
    }
    expect(attempt({ now: now + 1_000, toleranceSeconds: 1_000 })).toBeDefined();
  });

  it('makes test headers as the service makes them', () => {
    const given = { body: delivery.body, secret, previousSecret: old, subscriptionId };
    expect(delivery.headers).toMatchObject(webhookHeaders({ ...given, timestamp: now }));
    expect(attempt({}, { secret: old })).toMatchObject({ isPreviousSecret: true });
  });

  it('names a secret that is not whole', () => {
    const cut = [0, 6, 20, secret.length - 1].map((length) => secret.slice(0, length));
    for (const broken of [...cut, 'whsec_ab c', `${secret}=`, `${secret} `, `A${secret}`]) {
      const mistake = mistakeOf(() => attempt({}, { secret: broken }));
      expect([broken, mistake]).toEqual([broken, 'SECRET_MALFORMED']);
    }
  });
});
