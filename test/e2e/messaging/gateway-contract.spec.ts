import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sms as smsSection } from '../../../src/admin/configuration/sms-section.js';
import {
  HttpSmsGateway,
  type SmsGateway,
  SmsRefused,
  type SmsToSend,
  SmsUnavailable,
  TwilioSmsGateway,
} from '../../../src/messaging/index.js';
import { type Environment, OutboundClient } from '../../../src/platform/index.js';
import { SANDBOX_DEPLOYMENT } from '../../support/deployments.js';
import { HttpGatewayServer, type Mood, TwilioServer } from '../../support/sms-gateways.js';
import type { SmsSettings } from '../../../src/settings/index.js';

const MOBILE = '9812345670';
const LINK = 'https://rinpath.example/hosted/start/SecretToken';
const TEXTS = {
  en: `Rinpath & "Sons": 100% <yours>, it's {{here}}: ${LINK} + more\\n`,
  hi: `ऋण: अपना आवेदन यहाँ जारी रखें: ${LINK} इसे किसी को न भेजें।`,
};

let ids = 0;

function sms(own: Partial<SmsToSend> = {}): SmsToSend {
  ids += 1;
  return {
    id: `sms_contract${ids}`,
    partnerId: 'demo',
    subjectId: 'jrn_contract',
    kind: 'HOSTED_LINK',
    language: 'en',
    mobile: MOBILE,
    pan: 'ABCDE1234F',
    text: TEXTS.en,
    values: { link: LINK },
    templateId: '1107000000000000001',
    validForSeconds: 259_200,
    ...own,
  };
}

/** An adapter with its gateway. */
interface Bench {
  readonly gateway: SmsGateway;
  readonly settings: SmsSettings;
  /** The messages that arrived: number and text. */
  arrived(): Promise<{ to: string; text: string }[]>;
  behave(mood: Mood): void;
  reset(): Promise<void>;
  close(): Promise<void>;
}

const outbound = new OutboundClient({ isLoopback: true } as Environment);
afterAll(() => outbound.close());

/** Parses an `sms` section as the service does. */
function settingsOf(section: Record<string, unknown>): SmsSettings {
  return smsSection(SANDBOX_DEPLOYMENT).parse(section);
}

async function overTheWire(
  server: TwilioServer | HttpGatewayServer,
  gateway: SmsGateway,
): Promise<Bench> {
  await server.start();
  return {
    gateway,
    settings: settingsOf(server.section),
    arrived: () => Promise.resolve(server.taken),
    behave: (mood) => server.behave(mood),
    reset: () => Promise.resolve(server.reset()),
    close: () => server.stop(),
  };
}

/** The adapters that call another server. */
const REMOTE: [string, () => Promise<Bench>][] = [
  ['twilio', () => overTheWire(new TwilioServer(), new TwilioSmsGateway(outbound))],
  ['http', () => overTheWire(new HttpGatewayServer(), new HttpSmsGateway(outbound))],
];

/** Everything about an error that a log line could show. */
function traceOf(error: unknown): string {
  const parts: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) {
    parts.push(at.name, at.message, at.stack ?? '', JSON.stringify(at));
  }
  return parts.join('\n');
}

function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => Promise.reject(new Error('the gateway took the message')),
    (error: unknown) => error,
  );
}

describe.each(REMOTE)('the %s gateway', (_, open) => {
  let bench: Bench;
  const send = (message = sms()) => bench.gateway.send(message, bench.settings);

  beforeAll(async () => {
    bench = await open();
  });
  afterEach(() => bench.reset());
  afterAll(() => bench?.close());

  it('is given the number and the very text of each message, many side by side, and answers its own id', async () => {
    const messages = Array.from({ length: 20 }, (__, index) =>
      sms({
        mobile: `98000000${String(index).padStart(2, '0')}`,
        text: `${index} ${index % 2 ? TEXTS.hi : TEXTS.en}`,
      }),
    );
    const receipts = await Promise.all(messages.map((message) => send(message)));
    expect(new Set(receipts.map(({ gatewayMessageId }) => gatewayMessageId)).size).toBe(20);
    const arrived = (await bench.arrived()).map(({ to, text }) => `${to.replace('+', '')} ${text}`);
    const sent = messages.map(({ mobile, text }) => `91${mobile} ${text}`);
    expect(arrived.toSorted()).toEqual(sent.toSorted());
  });

  it('refuses a number, fails or is not there, says what may be tried again, and nothing of the message', async () => {
    for (const [mood, Kind, mayHaveGone] of [
      ['REFUSES', SmsRefused, undefined],
      ['LOCKS_OUT', SmsUnavailable, false],
      ['IS_DOWN', SmsUnavailable, false],
      ['FAILS', SmsUnavailable, true],
      ['TALKS_NONSENSE', SmsUnavailable, true],
      ['HANGS_UP', SmsUnavailable, true],
    ] as const) {
      bench.behave(mood);
      const error = await failureOf(send());
      expect(error).toBeInstanceOf(Kind);
      expect([mood, (error as SmsUnavailable).mayHaveGone]).toEqual([mood, mayHaveGone]);
      const trace = traceOf(error);
      const leaked = [MOBILE, 'SecretToken', 'test-token', 'test-key'].filter((secret) =>
        trace.includes(secret),
      );
      expect(leaked).toEqual([]);
    }
    bench.behave('TAKES');
    await expect(send()).resolves.toBeTruthy();
    const settings = { ...bench.settings, gateway: { kind: 'inbox' as const } };
    await expect(bench.gateway.send(sms(), settings)).rejects.toThrow('not settings of a');
    const gone = await open();
    await gone.close();
    expect(await failureOf(gone.gateway.send(sms(), gone.settings))).toMatchObject({
      name: 'SmsUnavailable',
      mayHaveGone: false,
    });
  });
});

const WITHOUT_ID = '{"to":"{{mobileWithCountryCode}}","text":"{{text}}"}';

describe('a text under no DLT id', () => {
  it.each([
    ['refused where the gateway needs the id: operators would drop it', {}, 'SmsRefused', 0],
    ['sent where the gateway needs none', { http: { body: WITHOUT_ID } }, 'sent', 1],
    ['sent where nothing is registered', { sms: { dlt: undefined } }, 'sent', 1],
  ])('is %s', async (_, own, outcome, sent) => {
    const bench = await overTheWire(new HttpGatewayServer(own), new HttpSmsGateway(outbound));
    try {
      const sending = bench.gateway.send(sms({ templateId: null }), bench.settings).then(
        () => 'sent',
        ({ name }: Error) => name,
      );
      expect(await sending).toBe(outcome);
      expect(await bench.arrived()).toHaveLength(sent);
    } finally {
      await bench.close();
    }
  });
});
