import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type VerifyOptions,
  verifyWebhook,
  WebhookVerificationError,
} from '../../../clients/node/src/index.js';
import { webhookHeaders } from '../../../clients/node/src/testing.js';
import { Database } from '../../../src/platform/index.js';
import { EventPublisher } from '../../../src/webhooks/index.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { type Delivery, WebhookReceiver } from '../../support/webhook-receiver.js';
import { someEvent } from './some-event.js';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

const EXAMPLES = [
  { file: 'verify.mjs', command: process.execPath, language: 'js' },
  { file: 'verify.py', command: 'python3', language: 'python' },
  { file: 'verify.sh', command: 'sh', language: 'sh' },
];

let service: TestService;
let partner: PartnerClient;
let receiver: WebhookReceiver;
let subscriptionId: string;
let old: string;
let secret: string;
/** What the service really sent after a rotation, so under both secrets. */
let delivery: Delivery;
let now: number;

beforeAll(async () => {
  service = await sharedService();
  partner = partnerClient(service);
  receiver = await WebhookReceiver.start();
  const { json } = await partner.post<{ subscriptionId: string; secret: string }>('/webhooks', {
    url: receiver.url(),
  });
  ({ subscriptionId, secret: old } = json.data);
  const rotated = await partner.post<{ secret: string }>(
    `/webhooks/${subscriptionId}/rotate-secret`,
  );
  ({ secret } = rotated.json.data);
  const publisher = service.get<EventPublisher>(EventPublisher);
  await service
    .get<Database>(Database)
    .transaction((tx) => publisher.publish(tx, someEvent({ partnerId: service.partnerId })));
  [delivery] = await receiver.waitForCount(1);
  now = Number(delivery.headers['webhook-timestamp']);
});

afterAll(() => receiver.stop());

function runExample(
  { file, command }: (typeof EXAMPLES)[number],
  given: { secret: string; signature: string; body: Buffer },
): string {
  const path = fileURLToPath(new URL(`examples/webhook-verify/${file}`, ROOT));
  const { error, stdout, stderr } = spawnSync(command, [path, given.signature], {
    input: given.body,
    encoding: 'utf8',
    env: { ...process.env, WEBHOOK_SECRET: given.secret },
  });
  if (error) throw new Error(`${command} cannot be run: install it to test the examples`);
  return stdout.trim() || stderr;
}

function mistakeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.mistake;
    throw error;
  }
  return 'none';
}

describe.each(EXAMPLES)('the example $file', (example) => {
  const given = (change: object = {}) => ({
    secret,
    signature: String(delivery.headers['x-rinpath-signature']),
    body: delivery.body,
    ...change,
  });

  it('believes what the service sent', () => {
    expect(runExample(example, given())).toBe('genuine');
  });

  it('does not believe another secret, another signature or an altered body', () => {
    expect(runExample(example, given({ secret: old }))).toBe('forged');
    expect(runExample(example, given({ signature: 'x' }))).toBe('forged');
    const body = Buffer.concat([delivery.body, Buffer.from(' ')]);
    expect(runExample(example, given({ body }))).toBe('forged');
  });

  it('stands in docs/partners/webhooks.md word for word', () => {
    const code = read(`examples/webhook-verify/${example.file}`);
    expect(read('docs/partners/webhooks.md')).toContain(`\`\`\`${example.language}\n${code}\`\`\``);
  });
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
    expect(
      verifyWebhook(delivery.body.toString('utf8'), new Headers(webhookHeadersOf()), secret).id,
    ).toBe(delivery.headers['webhook-id']);
  });

  it('takes the secret before a rotation as long as the service signs with it, unless told not to', () => {
    expect(attempt({}, { secret: old })).toMatchObject({ isPreviousSecret: true });
    expect(mistakeOf(() => attempt({ acceptPrevious: false }, { secret: old }))).toBe(
      'SECRET_PREVIOUS',
    );
    expect(attempt({ acceptPrevious: false })).toMatchObject({ isPreviousSecret: false });
  });

  it('names a body that was parsed, or written again', () => {
    const parsed = delivery.json();
    expect(mistakeOf(() => verifyWebhook(parsed as never, delivery.headers, secret))).toBe(
      'BODY_NOT_RAW',
    );
    const anew = Buffer.from(JSON.stringify(parsed, null, 2));
    expect(mistakeOf(() => attempt({}, { body: anew }))).toBe('BODY_WRITTEN_ANEW');
    const ended = Buffer.concat([delivery.body, Buffer.from('\n')]);
    expect(mistakeOf(() => attempt({}, { body: ended }))).toBe('BODY_WRITTEN_ANEW');
  });

  it('names a wrong secret and an altered body', () => {
    const another = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    expect(mistakeOf(() => attempt({}, { secret: another }))).toBe('SECRET_WRONG');
    const altered = Buffer.from(delivery.body.toString('utf8').replace('INITIATED', 'SANCTIONED'));
    expect(mistakeOf(() => attempt({}, { body: altered }))).toBe('SECRET_WRONG');
    expect(mistakeOf(() => attempt({}, { body: Buffer.from('not json') }))).toBe('SECRET_WRONG');
  });

  it.each(['', 'whsec_ab c'])('names a secret that is not whole: %j', (broken) => {
    expect(mistakeOf(() => attempt({}, { secret: broken }))).toBe('SECRET_MALFORMED');
  });

  it('names a secret that was cut anywhere, or that something was added to', () => {
    const cut = Array.from({ length: secret.length }, (_, length) => secret.slice(0, length));
    for (const broken of [...cut, `${secret}=`, `${secret} `, `A${secret}`, secret.slice(1)]) {
      expect([broken, mistakeOf(() => attempt({}, { secret: broken }))]).toEqual([
        broken,
        'SECRET_MALFORMED',
      ]);
    }
  });

  it('names a clock that is off, either way', () => {
    expect(attempt({ now: now + 299 })).toBeDefined();
    expect(mistakeOf(() => attempt({ now: now + 301 }))).toBe('CLOCK');
    expect(mistakeOf(() => attempt({ now: now - 301 }))).toBe('CLOCK');
    expect(attempt({ now: now + 1_000, toleranceSeconds: 1_000 })).toBeDefined();
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'names the header %s when it is missing',
    (name) => {
      const headers = { ...delivery.headers, [name]: undefined };
      const check = () => verifyWebhook(delivery.body, headers, secret, { now });
      expect(mistakeOf(check)).toBe('HEADER_MISSING');
      expect(check).toThrow(name);
    },
  );

  it.each([
    ['webhook-timestamp', 'now'],
    ['webhook-signature', 'v2,abc'],
  ])('names the header %s when it is malformed', (name, value) => {
    const headers = { ...delivery.headers, [name]: value };
    expect(mistakeOf(() => verifyWebhook(delivery.body, headers, secret, { now }))).toBe(
      'HEADER_MALFORMED',
    );
  });
});

/** The delivery's body under headers of the generator's, of now. */
function webhookHeadersOf(): Record<string, string> {
  return webhookHeaders({ body: delivery.body, secret });
}

describe('the generator of test headers', () => {
  it('makes what the service makes', () => {
    const made = webhookHeaders({
      body: delivery.body,
      secret,
      previousSecret: old,
      subscriptionId,
      timestamp: now,
    });
    const sent = Object.fromEntries(
      Object.keys(made).map((name) => [name, delivery.headers[name]]),
    );
    expect(made).toEqual(sent);
  });

  it('makes what a library of Standard Webhooks believes', () => {
    const headers = webhookHeaders({ body: '{"id":"evt_1","event":"journey.completed"}', secret });
    const body = '{"id":"evt_1","event":"journey.completed"}';
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(headers['x-rinpath-event']).toBe('journey.completed');
  });
});
