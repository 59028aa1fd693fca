import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { webhookHeaders } from '../../../clients/node/src/testing.js';
import { Database, projectPath } from '../../../src/platform/index.js';
import { EventPublisher } from '../../../src/webhooks/index.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { isOnPath } from '../../support/snippets.js';
import { someEvent } from './some-event.js';

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const ANOTHER = secretOf(2);

interface Message {
  readonly is: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Messages that a receiver with this secret must accept, and those that it must refuse. */
function messagesFor(secret: string): { genuine: Message[]; forged: Message[] } {
  const now = Math.floor(Date.now() / 1_000);
  const body = JSON.stringify({ id: 'evt_1', event: 'journey.completed', note: 'अनुजा' });
  const message = (is: string, signed: object = {}, altered: object = {}): Message => {
    const headers = { ...webhookHeaders({ body, secret, ...signed }), ...altered };
    return { is, body, headers };
  };
  return {
    genuine: [
      message('as it was sent'),
      message('after a rotation, with the new secret', { previousSecret: ANOTHER }),
      message('after a rotation, with the old secret', { secret: ANOTHER, previousSecret: secret }),
      message('nearly five minutes old', { timestamp: now - 290 }),
    ],
    forged: [
      { ...message('an altered body'), body: `${body} ` },
      message('another id', {}, { 'webhook-id': 'evt_2' }),
      message('another time', {}, { 'webhook-timestamp': String(now - 100) }),
      message('a time that is no number', {}, { 'webhook-timestamp': `${now}x` }),
      message('no signature', {}, { 'webhook-signature': 'v1,' }),
      message('another secret', { secret: ANOTHER }),
      message('a message of the past', { timestamp: now - 1_000 }),
      message('a message of the future', { timestamp: now + 1_000 }),
    ],
  };
}

const namesOf = (messages: readonly Message[]) => messages.map(({ is }) => is);

interface Program {
  readonly command: string;
  readonly given: (port: number) => readonly string[];
  readonly folder: string;
}

let folder: string;
let service: TestService;
let partner: PartnerClient;
const children: ChildProcess[] = [];

beforeAll(async () => {
  folder = scratchFolder('receivers');
  cpSync(projectPath('examples/receivers'), folder, { recursive: true });
  const client = join(folder, 'node_modules/@rinpath/client');
  mkdirSync(client, { recursive: true });
  cpSync(projectPath('clients/node/package.json'), join(client, 'package.json'));
  const compiler = projectPath('node_modules/typescript-7/bin/tsc');
  const built = ['-p', projectPath('clients/node'), '--outDir', join(client, 'dist')];
  execFileSync(process.execPath, [compiler, ...built]);
  for (const name of ['express', 'fastify']) {
    symlinkSync(projectPath(`node_modules/${name}`), join(folder, 'node_modules', name));
  }
  service = await sharedService();
  partner = partnerClient(service);
});

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts a receiver; the returned function lists the events that it has handled. */
async function start(program: Program, port: number, secret: string): Promise<() => string[]> {
  const child = spawn(program.command, program.given(port), {
    cwd: join(folder, program.folder),
    env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret },
  });
  children.push(child);
  let printed = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(errors);
    return (await fetch(`http://127.0.0.1:${port}/`)).status === 404;
  });
  return () => [...printed.matchAll(/^handled .*(evt_\w+)/gm)].map(([, id]) => id);
}

async function publish(): Promise<void> {
  const event = someEvent({ partnerId: service.partnerId });
  const publisher = service.get<EventPublisher>(EventPublisher);
  await service.get<Database>(Database).transaction((tx) => publisher.publishAll(tx, [event]));
}

interface Sent {
  deliveryId: string;
  eventId: string;
  attempts: { responseStatus: number | null }[];
}

async function deliveriesOf(subscriptionId: string): Promise<Sent[]> {
  const path = `/webhooks/${subscriptionId}/deliveries`;
  const { json } = await partner.get<{ deliveries: Sent[] }>(path);
  return json.data.deliveries;
}

/** Sends real events (one twice, one after a rotation), then hand-made messages. */
async function expectReceives(program: Program): Promise<void> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/webhooks`;
  const registered = await partner.post<{ subscriptionId: string; secret: string }>('/webhooks', {
    url,
  });
  const { subscriptionId, secret } = registered.json.data;
  const handled = await start(program, port, secret);

  await publish();
  await eventually(() => handled().length === 1);
  const first = await eventually(async () => {
    const [one] = await deliveriesOf(subscriptionId);
    expect(one.attempts).toMatchObject([{ responseStatus: 200 }]);
    return one;
  });
  await partner.post(`/webhooks/${subscriptionId}/deliveries/${first.deliveryId}/redeliver`);
  await eventually(async () => {
    const [one] = await deliveriesOf(subscriptionId);
    expect(one.attempts).toMatchObject([{ responseStatus: 200 }, { responseStatus: 200 }]);
  });

  await partner.post(`/webhooks/${subscriptionId}/rotate-secret`);
  await publish();
  await eventually(() => handled().length === 2);
  const [second] = await deliveriesOf(subscriptionId);
  expect(handled()).toEqual([first.eventId, second.eventId]);

  const { genuine, forged } = messagesFor(secret);
  const answered = await Promise.all(
    [...forged, ...genuine].map(async ({ is, headers, body }) => {
      const { status } = await fetch(url, { method: 'POST', headers, body });
      return [is, status];
    }),
  );
  const expected = [...forged.map(({ is }) => [is, 400]), ...genuine.map(({ is }) => [is, 200])];
  expect(answered).toEqual(expected);
  await eventually(() => handled().length >= 3);
  expect(handled()).toEqual([first.eventId, second.eventId, 'evt_1']);
  await partner.delete(`/webhooks/${subscriptionId}`);
}

describe('the example receiver', () => {
  it.each(['express', 'fastify'])(
    'for %s handles each event of the service once, and answers 400 to what is forged',
    (name) =>
      expectReceives({ command: process.execPath, given: () => ['receiver.mjs'], folder: name }),
  );

  it.skipIf(!isOnPath('go'))(
    'for net/http does the same, where Go is installed',
    { timeout: 120_000 },
    async () => {
      const cwd = join(folder, 'net-http');
      execFileSync('go', ['build', '-o', 'receiver', 'receiver.go'], { cwd });
      const command = join(cwd, 'receiver');
      await expectReceives({ command, given: () => [], folder: 'net-http' });
    },
  );

  it.skipIf(spawnSync('python3', ['-c', 'import fastapi, uvicorn']).status !== 0)(
    'for FastAPI does the same, where FastAPI is installed',
    async () => {
      await expectReceives({
        command: 'python3',
        given: (port) => ['-B', '-m', 'uvicorn', 'receiver:app', '--port', String(port)],
        folder: 'fastapi',
      });
    },
  );
});

const IN_PYTHON = String.raw`
import base64, os, sys
from webhook_signature import is_genuine, key_of
key = key_of(os.environ["WEBHOOK_SECRET"])
for line in sys.stdin:
    id, timestamp, signatures, body = line.rstrip("\n").split("\t")
    print("genuine" if is_genuine(key, id, timestamp, signatures, base64.b64decode(body)) else "forged")
`;

const IN_JAVA = String.raw`
package receiver;

class Check {
    public static void main(String[] args) throws Exception {
        WebhookSignature signature = new WebhookSignature(System.getenv("WEBHOOK_SECRET"));
        for (String line : new String(System.in.readAllBytes()).split("\n")) {
            String[] parts = line.split("\t");
            byte[] body = java.util.Base64.getDecoder().decode(parts[3]);
            System.out.println(signature.isGenuine(parts[0], parts[1], parts[2], body) ? "genuine" : "forged");
        }
    }
}
`;

const IN_PHP = String.raw`
require 'webhook_signature.php';
foreach (file('php://stdin', FILE_IGNORE_NEW_LINES) as $line) {
    [$id, $timestamp, $signatures, $body] = explode("\t", $line);
    $secret = getenv('WEBHOOK_SECRET');
    echo isGenuine($secret, $id, $timestamp, $signatures, base64_decode($body)) ? "genuine\n" : "forged\n";
}
`;

/** Passes every message to the function in a small program. */
function expectVerdicts(name: string, command: string, ...given: string[]): void {
  const secret = secretOf(1);
  const { genuine, forged } = messagesFor(secret);
  const messages = [...genuine, ...forged];
  const lines = messages.map(({ headers, body }) => {
    const parts = ['id', 'timestamp', 'signature'].map((part) => headers[`webhook-${part}`]);
    return [...parts, Buffer.from(body).toString('base64')].join('\t');
  });
  const verdicts = execFileSync(command, given, {
    cwd: join(folder, name),
    env: { ...process.env, WEBHOOK_SECRET: secret },
    input: lines.join('\n'),
    encoding: 'utf8',
  });
  const believed = messages.filter((_, place) => verdicts.split('\n')[place] === 'genuine');
  expect(namesOf(believed)).toEqual(namesOf(genuine));
  const refused = messages.filter((_, place) => verdicts.split('\n')[place] === 'forged');
  expect(namesOf(refused)).toEqual(namesOf(forged));
}

describe('the verification of the example receiver', () => {
  it('for FastAPI believes what is signed, by the new or the old secret, and nothing that is altered', () =>
    expectVerdicts('fastapi', 'python3', '-B', '-c', IN_PYTHON));

  it.skipIf(!isOnPath('javac'))('for Spring does the same, where Java is installed', () => {
    const cwd = join(folder, 'spring');
    writeFileSync(join(cwd, 'Check.java'), IN_JAVA);
    const files = ['src/main/java/receiver/WebhookSignature.java', 'Check.java'];
    execFileSync('javac', ['-d', '.', ...files], { cwd });
    expectVerdicts('spring', 'java', 'receiver.Check');
  });

  it.skipIf(!isOnPath('php'))('for Laravel does the same, where PHP is installed', () =>
    expectVerdicts('laravel', 'php', '-r', IN_PHP),
  );
});
